/// What the boundaries of a surveyed command saw, for a person.
import Mainstay
import Terminal

struct SurveyText {
  let report: BoundaryReport

  private static let columns = [
    TextTable.Column("boundary"), TextTable.Column("callbacks", isNumber: true),
    TextTable.Column("on main", isNumber: true), TextTable.Column("off main", isNumber: true), TextTable.Column(""),
  ]

  /// - Parameter width: of the terminal; nil for a file.
  func text(width: Int?) -> String {
    let rows = report.rows.map { row in
      [
        row.name, "\(row.callbacks)", "\(row.onMain)", "\(row.offMain)",
        row.isBroken ? "broken" : row.exercised ? "" : "never exercised",
      ]
    }
    let broken = report.broken.map { row in
      let queues = row.queues.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) from \($0.key)" }
      return Paragraph.wrapped(
        "'\(row.name)' (\(row.file):\(row.line)) broke its contract \"\(row.contract)\": "
          + "\(queues.joined(separator: ", ")); correct the caller, or make it a HoppingBoundary", width: width)
    }
    return ([TextTable(Self.columns, rows: rows).text(width: width)] + broken).joined(separator: "\n")
  }
}
