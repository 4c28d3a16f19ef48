/// What the dispatch probe found, as a table and as a document.
import Foundation
import Terminal

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

  struct Runtime: Codable, Equatable, Sendable {
    var implementation: String
    /// What drives it, with its versions.
    var runtime: String
  }

  var schema = "gallery.dispatch/1"
  var runtimes: [Runtime]
  var rows: [Row]

  /// Off the caller's actor: encoding grows with what there is to say.
  @concurrent
  func json() async throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  private static let columns = [
    TextTable.Column(""), TextTable.Column("dispatcher"), TextTable.Column("changed on"),
    TextTable.Column("callback", "arrives"), TextTable.Column("on the", "main actor"),
    TextTable.Column("on the", "main thread"),
  ]

  /// - Parameter width: of the terminal; nil for a file.
  func text(width: Int?) -> String {
    let rows = rows.map { row in
      [
        row.implementation, row.dispatcher, row.changedOn, row.arrives, row.onMainActor ? "yes" : "no",
        row.onMainThread ? "yes" : "no",
      ]
    }
    let drivers = runtimes.map { Paragraph.wrapped("\($0.implementation): \($0.runtime)", width: width) }
    return TextTable(Self.columns, rows: rows).text(width: width) + "\n\n" + drivers.joined(separator: "\n")
  }
}
