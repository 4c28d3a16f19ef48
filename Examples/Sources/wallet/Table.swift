/// A table, for a person or for another program.
import Foundation
import Terminal

struct Table {
  struct Column {
    var name: String
    var isNumber: Bool

    init(_ name: String, isNumber: Bool = false) {
      self.name = name
      self.isNumber = isNumber
    }
  }

  var columns: [Column]
  var rows: [[String]]

  /// - Parameters:
  ///   - format: `table`, `json` or `csv`.
  ///   - width: how many columns a table may have; nil when it is not for a screen.
  func text(_ format: String, width: Int? = nil) throws -> String {
    switch format {
    case "json": return try json()
    case "csv":
      return ([columns.map(\.name)] + rows).map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: "\n")
    default:
      return TextTable(columns.map { .init($0.name, isNumber: $0.isNumber) }, rows: rows).text(width: width)
    }
  }

  /// An array of objects. Amounts stay text: a reader that makes them floating-point would round them.
  private func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let objects = rows.map { row in
      Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), row).filter { !$0.1.isEmpty })
    }
    return String(decoding: try encoder.encode(objects), as: UTF8.self)
  }

  /// As RFC 4180 has it.
  private static func quoted(_ text: String) -> String {
    text.contains { $0 == "," || $0 == "\"" || $0.isNewline } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }

  /// Seconds since 1970 as a date and time in UTC.
  static func time(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
  }
}
