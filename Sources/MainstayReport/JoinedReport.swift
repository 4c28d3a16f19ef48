/// The join of an audit with what was measured: the document `mainstay.report/1`.
import Foundation
import MainstayFindings
import MainstayTrace

public struct JoinedReport: Codable, Hashable, Sendable {
  public enum Verdict: String, Codable, Hashable, Sendable {
    case overBudget = "measured over budget"
    case withinBudget = "measured within budget"
    case interleaved
    case notRun = "not run"
    case notForeseen = "not foreseen"
  }

  /// What a row's measurement is known to belong to.
  public enum Match: String, Codable, Hashable, Sendable {
    /// Function and suspension are the same.
    case job
    /// Only the function is the same, as in a program without debug information.
    case function
    /// The compiler made the function a part of its caller, and this is the caller's await for it.
    case caller
    /// The stack of a stall stood at the finding's own calls.
    case samples
  }

  public struct Row: Codable, Hashable, Sendable {
    /// From 1, without a gap.
    public var rank: Int
    @Nullable public var rule: String?
    public var location: SourceLocation
    public var function: String
    public var jobs: Int
    public var worstMilliseconds: Double
    public var droppedFrames: Int
    public var interleavings: Int
    public var verdict: Verdict
    @Nullable public var match: Match?
    /// The job's function when it is not `function`: what the program was in when it began.
    public var measuredIn: [String]
    /// What the reader should know about this row, a clause; empty when there is nothing.
    public var note: String
    public var action: String
    public var fingerprint: String
  }

  public var schema = "mainstay.report/1"
  /// The programs that were recorded, each once.
  public var programs: [String]
  public var recordings: Int
  public var rows: [Row]
  public var notes: [String]

  /// The same bytes for the same report.
  public func document() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
