import Mainstay
import MainstayReport
import MainstayTrace

/// A survey for a person: counts, the contracts they bear on, and what they say nothing about.
struct BoundariesText {
  let survey: BoundarySurvey
  let width: Int

  init(_ survey: BoundarySurvey, width: Int) {
    self.survey = survey
    self.width = max(40, width)
  }

  var text: String {
    var parts = [verdict]
    let exercised = survey.boundaries.filter(\.exercised)
    if !exercised.isEmpty { parts.append(([header] + exercised.map(lines)).joined(separator: "\n")) }
    if !survey.neverExercised.isEmpty {
      let never = survey.neverExercised.map { row in
        "  \(printable(row.name)), in \(runs(row.runs))\n" + wrapped(row.contract, indent: 4)
      }
      parts.append("Never exercised, so nothing is known of them:\n" + never.joined(separator: "\n"))
    }
    if survey.runsWithoutBoundaries > 0 {
      parts.append(wrapped("Note: no boundary was seen in \(runs(survey.runsWithoutBoundaries)).", indent: 0))
    }
    parts.append(wrapped("A count is evidence for the paths that ran, and no proof.", indent: 0))
    return parts.joined(separator: "\n\n")
  }

  private var verdict: String {
    "\(DurationText.count(survey.callbacks)) callbacks in \(runs(survey.runs))."
  }

  private func runs(_ count: Int) -> String { count == 1 ? "1 run" : "\(DurationText.count(count)) runs" }

  private static let columns = ["callbacks", "on main", "off main", "cannot tell", "out of order", "runs"]

  private var names: Int { min(max(8, survey.boundaries.map(\.name.count).max() ?? 0), 30) }

  private var header: String {
    "  " + "boundary".padded(to: names) + Self.columns.map { "  " + $0 }.joined()
  }

  private func lines(_ row: BoundarySurvey.Row) -> String {
    let counts = [row.callbacks, row.onMain, row.offMain, row.cannotTell, row.inversions].map(DurationText.count)
    let values = counts + ["\(DurationText.count(row.exercisedIn)) of \(DurationText.count(row.runs))"]
    // A long name has a line of its own.
    let title = printable(row.name)
    let name = title.count > names ? "  \(title)\n  " + "".padded(to: names) : "  " + title.padded(to: names)
    var lines = [
      name + zip(values, Self.columns).map { "  " + $0.paddedLeft(to: $1.count) }.joined()
    ]
    if !row.contract.isEmpty { lines.append(wrapped(row.contract, indent: 4)) }
    if !row.queues.isEmpty { lines.append(wrapped("off main from \(row.queues.joined(separator: ", "))", indent: 4)) }
    return lines.joined(separator: "\n")
  }

  /// Names and contracts are the program's own: nothing in them commands a terminal.
  private func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  private func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    let words = printable(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.lines(width: width - indent).map { margin + $0 }.joined(separator: "\n")
  }
}
