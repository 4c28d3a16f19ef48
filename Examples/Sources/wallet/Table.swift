/// A table, for a person or for another program.
import Foundation

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

  /// - Parameter format: `table`, `json` or `csv`.
  func text(_ format: String) throws -> String {
    switch format {
    case "json": try json()
    case "csv":
      ([columns.map(\.name)] + rows).map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: "\n")
    default: aligned
    }
  }

  private var aligned: String {
    let widths = columns.indices.map { column in
      max(columns[column].name.count, rows.map { $0[column].count }.max() ?? 0)
    }
    return ([columns.map(\.name)] + rows).map { row in
      columns.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return columns[column].isNumber ? space + row[column] : row[column] + space
      }
      .joined(separator: "  ").trimmingSuffix
    }
    .joined(separator: "\n")
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

extension String {
  fileprivate var trimmingSuffix: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
