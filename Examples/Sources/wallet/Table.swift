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

  /// - Parameters:
  ///   - format: `table`, `json` or `csv`.
  ///   - width: how many columns a table may have; nil when it is not for a screen. One that is wider becomes a list,
  ///     because a screen that breaks its lines leaves no table, and what is cut off is lost.
  func text(_ format: String, width: Int? = nil) throws -> String {
    switch format {
    case "json": return try json()
    case "csv":
      return ([columns.map(\.name)] + rows).map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: "\n")
    default:
      let table = aligned
      guard let width, let longest = table.split(separator: "\n").map(\.count).max(), longest > width, !rows.isEmpty
      else { return table }
      return list
    }
  }

  /// A paragraph for each row, a line for each value that there is.
  private var list: String {
    let width = columns.map(\.name.count).max() ?? 0
    let names = columns.map { $0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) }
    let paragraphs = rows.map { row -> String in
      let lines = zip(names, row).compactMap { name, value in value.isEmpty ? nil : name + value }
      return lines.joined(separator: "\n")
    }
    return paragraphs.joined(separator: "\n\n")
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
