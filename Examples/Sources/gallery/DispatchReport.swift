/// What the dispatch probe found, as a table and as a document.
import Foundation

struct DispatchReport: Codable, Equatable, Sendable {
  struct Row: Codable, Equatable, Sendable {
    var implementation: String
    var dispatcher: String
    /// Who changed the state: `main actor` or `worker`.
    var changedOn: String
    /// `inline`, `posted` or `worker`.
    var arrives: String
    var onMainActor: Bool
    var onMainThread: Bool
    var thread: String
  }

  var schema = "gallery.dispatch/1"
  var rows: [Row]

  /// Off the caller's actor: encoding grows with what there is to say.
  @concurrent
  func json() async throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  var table: String {
    let head = ["", "dispatcher", "changed on", "callback arrives", "on the main actor", "on the main thread"]
    let lines =
      [head]
      + rows.map { row in
        [
          row.implementation, row.dispatcher, row.changedOn, row.arrives, row.onMainActor ? "yes" : "no",
          row.onMainThread ? "yes" : "no",
        ]
      }
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let row = zip(line, widths).map { $0.padding(toLength: $1 + 2, withPad: " ", startingAt: 0) }.joined()
      return String(row.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
