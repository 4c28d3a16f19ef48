/// A table for a person, or as comma-separated values for another program.
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
  ///   - format: `table` or `csv`.
  ///   - width: how many columns a table may have; nil when it is not for a screen.
  func text(_ format: String = "table", width: Int? = nil) -> String {
    guard format == "csv" else {
      return TextTable(columns.map { .init($0.name, isNumber: $0.isNumber) }, rows: rows).text(width: width)
    }
    return ([columns.map(\.name)] + rows).map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: "\n")
  }

  /// As RFC 4180 has it.
  private static func quoted(_ text: String) -> String {
    text.contains { $0 == "," || $0 == "\"" || $0.isNewline } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}
