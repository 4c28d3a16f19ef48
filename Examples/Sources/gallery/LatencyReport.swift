/// What the latency probe found, as a table and as a document.
import Feed
import Foundation

struct LatencyReport: Codable, Equatable, Sendable {
  struct Row: Codable, Equatable, Sendable {
    /// A ``DeliveryWay``.
    var way: String
    var averageFramesLater: Double
    var p99FramesLater: Int
    var worstFramesLater: Int
    /// Updates that reached the state.
    var applied: Int
    /// Updates that a frame drew.
    var shown: Int
    /// Updates that no frame drew.
    var merged: Int
    var inversions: Int

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

  struct Run: Codable, Equatable, Sendable {
    /// Frames that took one and a half intervals.
    var hitches: Int
    var rows: [Row]
  }

  var schema = "gallery.latency/1"
  var implementation: String
  /// What told the main actor of frames.
  var frameSource = "a clock without a display"
  var hertz: Int
  var updates: Int
  var runs: [Run]

  /// Off the caller's actor: encoding grows with what there is to say.
  @concurrent
  func json() async throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// What the article measured, on iOS with SwiftUI, over 600 updates during a scroll.
  private static let article: [DeliveryWay: (frames: String, merged: String)] = [
    .direct: ("0", "0"), .asserted: ("0", "0"), .taskPerValue: ("1.4", "38"),
  ]

  var table: String {
    var lines = ["\(updates) updates from \(implementation), one a frame at \(hertz) Hz; frames from \(frameSource)"]
    for run in runs {
      let title = run.hitches == 0 ? "no frame too long" : "\(run.hitches) frames took 1.5 intervals"
      lines += ["", title]
      lines.append(
        line("", "frames later", "p99", "applied", "merged", "inversions", "article: later", "merged"))
      for row in run.rows {
        let way = DeliveryWay(rawValue: row.way)
        let article = way.flatMap { Self.article[$0] }
        lines.append(
          line(
            way?.title ?? row.way, String(format: "%.2f", row.averageFramesLater), "\(row.p99FramesLater)",
            "\(row.applied)", "\(row.merged)", "\(row.inversions)", article?.frames ?? "-", article?.merged ?? "-"))
      }
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ name: String, _ columns: String...) -> String {
    let widths = [14, 5, 9, 8, 12, 16, 8]
    return name.padding(toLength: 20, withPad: " ", startingAt: 0)
      + zip(columns, widths).map { column, width in
        String(repeating: " ", count: max(0, width - column.count)) + column
      }.joined()
  }
}
