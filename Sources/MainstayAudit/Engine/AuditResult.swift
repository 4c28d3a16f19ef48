/// What an audit found, and what it covered.
import MainstayFindings

public struct AuditResult: Sendable, Hashable {
  public struct Module: Sendable, Hashable, Codable {
    public enum Source: String, Sendable, Hashable, Codable { case sil, syntax, none }
    public var name: String
    public var source: Source
    /// Why the compiler's facts are missing, when they are.
    public var reason: String?
    public var functions: Int
    /// The compiler was asked for its facts, and could not give them.
    public var isDegraded = false
    /// Files of which nothing was read, each with the reason.
    public var leftOut: [String] = []
    /// The reason with files named from the working directory.
    var placedReason: String?

    /// Whether everything of it was read, and from where it was asked for.
    public var isWhole: Bool { source != .none && !isDegraded && leftOut.isEmpty }
  }

  public var toolchain: String
  public var modules: [Module]
  /// Source files that were parsed for comments and attributes.
  public var filesParsed: Int
  public var findings: [Finding]
  /// Findings that a baseline already knew.
  public var known: Int
  /// Lines for a person: what was skipped, unknown instructions, a failed build.
  public var notes: [String]
  public var failOn: Severity
  /// Seconds from start to end.
  public var seconds: Double
  /// Folders that may not be looked into.
  public var unreadable: [String] = []
  /// The way from the working directory down to the package; empty where there is none.
  public var folder = ""
  /// The notes with files named from the working directory.
  var placedNotes: [String] = []

  /// Whether everything that was asked for was analysed.
  public var isComplete: Bool { !modules.isEmpty && modules.allSatisfy(\.isWhole) && unreadable.isEmpty }

  /// `0` clean, `2` findings at or above the threshold, `4` something was not analysed.
  public var exitStatus: Int32 {
    if !isComplete { return 4 }
    return findings.contains { $0.severity >= failOn } ? 2 : 0
  }
}
