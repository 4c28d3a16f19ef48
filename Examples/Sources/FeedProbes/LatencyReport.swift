/// What the latency probe found, as a table and as a document.
import Feed
import Foundation
import Terminal

nonisolated public struct LatencyReport: Codable, Equatable, Sendable {
  public struct Row: Codable, Equatable, Sendable {
    /// A ``DeliveryWay``.
    public var way: String
    public var averageFramesLater: Double
    public var p99FramesLater: Int
    public var worstFramesLater: Int
    /// Updates that reached the state.
    public var applied: Int
    /// Updates that a frame drew.
    public var shown: Int
    /// Updates that no frame drew: a later one was applied before the next frame.
    public var merged: Int
    /// Updates that were applied after a later one.
    public var inversions: Int

    init(_ way: DeliveryWay, _ ledger: FrameLedger) {
      self.way = way.rawValue
      averageFramesLater = (ledger.averageFramesLater * 1000).rounded() / 1000
      p99FramesLater = ledger.p99FramesLater
      worstFramesLater = ledger.worstFramesLater
      applied = ledger.applied
      shown = ledger.shown
      merged = ledger.merged
      inversions = ledger.inversions
    }
  }

  public struct Run: Codable, Equatable, Sendable {
    /// Frames that took one and a half intervals.
    public var hitches: Int
    public var rows: [Row]
  }

  public var schema = "gallery.latency/1"
  public var implementation: String
  /// What told the main actor of frames.
  public var frameSource: String
  /// Frames a second.
  public var hertz: Int
  public var updates: Int
  public var runs: [Run]

  /// Off the caller's actor: encoding grows with what there is to say.
  @concurrent
  public func json() async throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// What the article measured, on iOS with SwiftUI, over 600 updates during a scroll.
  private static let article: [DeliveryWay: (frames: String, merged: String)] = [
    .direct: ("0", "0"), .asserted: ("0", "0"), .taskPerValue: ("1.4", "38"),
  ]

  private static let columns = [
    TextTable.Column(""), TextTable.Column("frames", "later", isNumber: true),
    TextTable.Column("", "p99", isNumber: true), TextTable.Column("", "applied", isNumber: true),
    TextTable.Column("", "merged", isNumber: true), TextTable.Column("out of", "order", isNumber: true),
    TextTable.Column("article:", "later", isNumber: true),
    TextTable.Column("", "merged", isNumber: true, name: "article: merged"),
  ]

  /// - Parameter width: of the terminal; nil for a file.
  public func text(width: Int?) -> String {
    let title = "\(updates) updates from \(implementation), one a frame at \(hertz) Hz; frames from \(frameSource)"
    var parts = [Paragraph.wrapped(title, width: width)]
    for run in runs {
      let name =
        run.hitches == 0
        ? "no frame too long" : "\(run.hitches) \(run.hitches == 1 ? "frame" : "frames") took 1.5 intervals"
      parts.append(name + "\n" + TextTable(Self.columns, rows: run.rows.map(Self.cells)).text(width: width))
    }
    parts.append(
      Paragraph.wrapped(
        "merged: no frame drew the update, for a later one was applied before the next frame. "
          + "article: iOS and SwiftUI, 600 updates during a scroll.", width: width.map { min($0, 80) } ?? 80))
    return parts.joined(separator: "\n\n")
  }

  private static func cells(_ row: Row) -> [String] {
    let way = DeliveryWay(rawValue: row.way)
    let article = way.flatMap { Self.article[$0] }
    return [
      way?.title ?? row.way, String(format: "%.2f", row.averageFramesLater), "\(row.p99FramesLater)", "\(row.applied)",
      "\(row.merged)", "\(row.inversions)", article?.frames ?? "-", article?.merged ?? "-",
    ]
  }
}
