/// Rows in columns, or one beneath the other where the columns have no room.

public struct TextTable: Sendable {
  public struct Column: Sendable {
    let heading: [String]
    let isNumber: Bool
    let name: String

    /// - Parameters:
    ///   - heading: a line, or two of which the upper may be empty.
    ///   - name: beside its cells where they stand beneath each other; the heading by default.
    public init(_ heading: String..., isNumber: Bool = false, name: String? = nil) {
      self.heading = heading
      self.isNumber = isNumber
      self.name = name ?? heading.filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  private let columns: [Column]
  private let rows: [[String]]

  /// - Parameter rows: each with a cell for every column. The first names the row.
  public init(_ columns: [Column], rows: [[String]]) {
    precondition(rows.allSatisfy { $0.count == columns.count }, "a row has a cell for each column")
    self.columns = columns
    self.rows = rows
  }

  /// - Parameter width: of the terminal; nil for a file, which has room for everything.
  public func text(width: Int?) -> String {
    let heads = columns.map(\.heading.count).max() ?? 0
    let headings = (0..<heads).map { line in
      columns.map { column in
        let index = line - (heads - column.heading.count)
        return index < 0 ? "" : column.heading[index]
      }
    }
    let lines = headings + rows
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let room = widths.reduce(0, +) + 2 * max(0, widths.count - 1)
    if let width, room > width { return stacked() }
    return lines.map { cells in
      let line = columns.indices.map { Self.padded(cells[$0], to: widths[$0], isNumber: columns[$0].isNumber) }
      return Self.trimmed(line.joined(separator: "  "))
    }.joined(separator: "\n")
  }

  private func stacked() -> String {
    let width = columns.dropFirst().map(\.name.count).max() ?? 0
    return rows.map { cells in
      let lines = zip(columns, cells).dropFirst().filter { !$0.1.isEmpty }.map { column, cell in
        Self.trimmed("  \(Self.padded(column.name, to: width, isNumber: false))  \(cell)")
      }
      return ([cells[0]] + lines).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func padded(_ text: String, to width: Int, isNumber: Bool) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return isNumber ? space + text : text + space
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
