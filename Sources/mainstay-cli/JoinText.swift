import Mainstay
import MainstayFindings
import MainstayReport
import MainstayTrace

/// The join for a person: what costs most first, one row each, and what to do about the first.
struct JoinText {
  let report: JoinedReport
  let width: Int

  init(_ report: JoinedReport, width: Int) {
    self.report = report
    self.width = max(40, width)
  }

  var text: String {
    var parts = [verdict]
    let table = report.rows.filter { $0.verdict != .interleaved }
    if !table.isEmpty { parts.append(Self.header + "\n" + table.map(row).joined(separator: "\n")) }
    let interleaved = report.rows.filter { $0.verdict == .interleaved }
    if !interleaved.isEmpty { parts.append(interleaved.map(interleaving).joined(separator: "\n")) }
    if !report.notes.isEmpty {
      parts.append(report.notes.map { wrapped("Note: \($0).", hang: 6) }.joined(separator: "\n"))
    }
    if let next { parts.append(wrapped("Next: \(next)", hang: 0)) }
    return parts.joined(separator: "\n\n")
  }

  private var verdict: String {
    let findings = report.rows.count { $0.rule != nil }
    let costly = report.rows.count { $0.rule != nil && $0.verdict == .overBudget }
    let idle = report.rows.count { $0.verdict == .notRun }
    let unforeseen = report.rows.count { $0.verdict == .notForeseen }
    let runs = report.recordings == 1 ? "1 recording" : "\(DurationText.count(report.recordings)) recordings"
    var text =
      "\(Self.counted(findings, "finding", "findings")) against \(runs) of \(report.programs.joined(separator: ", ")): "
    text += "\(costly == 0 ? "none" : DurationText.count(costly)) over the budget"
    if idle > 0 { text += ", \(DurationText.count(idle)) did not run" }
    text += unforeseen == 0 ? "." : ". \(Self.counted(unforeseen, "stall was", "stalls were")) not foreseen."
    if report.rows.isEmpty {
      text = "No finding and no stall in \(runs) of \(report.programs.joined(separator: ", "))."
    }
    return wrapped(text, hang: 0)
  }

  private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(DurationText.count(count)) \(count == 1 ? one : many)"
  }

  // MARK: Rows

  private static let header = " rank  frames    worst   jobs  where"
  private static let margin = 32

  /// Numbers, place and finding on one line where there is room, on several where not.
  private func row(_ row: JoinedReport.Row) -> String {
    let isDemoted = row.verdict == .withinBudget || row.verdict == .notRun
    let didRun = row.verdict != .notRun
    let numbers =
      (isDemoted ? "–" : String(row.rank)).paddedLeft(to: 5)
      + (didRun ? DurationText.count(row.droppedFrames) : "–").paddedLeft(to: 8)
      + (didRun ? DurationText.milliseconds(row.worstMilliseconds) : "–").paddedLeft(to: 10)
      + DurationText.count(row.jobs).paddedLeft(to: 7) + "  "
    var about = [finding(row)]
    if !row.measuredIn.isEmpty { about.append("in " + row.measuredIn.prefix(2).joined(separator: ", ")) }
    if !row.note.isEmpty { about.append(row.note) }
    let what = about.joined(separator: "; ")
    let place = whereabouts(row)
    let column = max(place.count, Self.commonPlace)
    if numbers.count + column + 2 + what.count <= width { return numbers + place.padded(to: column) + "  " + what }
    let room = width - numbers.count
    if place.count <= room {
      let indent = String(repeating: " ", count: width < 76 ? Self.narrowMargin : Self.margin)
      return ([numbers + place] + what.lines(width: width - indent.count).map { indent + $0 }).joined(separator: "\n")
    }
    let indent = String(repeating: " ", count: Self.narrowMargin)
    let rest = "\(Self.place(row))  \(what)".lines(width: width - indent.count).map { indent + $0 }
    return ([numbers + clipped(row.function, room)] + rest).joined(separator: "\n")
  }

  private static let narrowMargin = 8
  private static let commonPlace = 34

  private func whereabouts(_ row: JoinedReport.Row) -> String { "\(row.function)  \(Self.place(row))" }

  private static func place(_ row: JoinedReport.Row) -> String { "\(file(row.location.file)):\(row.location.line)" }

  private func finding(_ row: JoinedReport.Row) -> String {
    switch row.verdict {
    case .overBudget: row.rule ?? ""
    case .notForeseen: "not foreseen"
    case .withinBudget: "\(row.rule ?? ""), within budget"
    case .notRun: "\(row.rule ?? ""), did not run"
    case .interleaved: "\(row.rule ?? ""), interleaved"
    }
  }

  private func interleaving(_ row: JoinedReport.Row) -> String {
    let times = DurationText.times(row.interleavings)
    return wrapped(
      " \(row.rule ?? "")  \(whereabouts(row))  interleaved \(times) in \(Self.counted(row.jobs, "job", "jobs"))"
        + (row.note.isEmpty ? "" : ", \(row.note)"), hang: 3)
  }

  /// What to do about the row that costs most.
  private var next: String? {
    guard
      let first = report.rows.first(where: { $0.verdict == .overBudget || $0.verdict == .notForeseen })
        ?? report.rows.first(where: { $0.verdict == .interleaved })
    else { return nil }
    let place = Self.place(first)
    guard first.rule != nil else {
      return "look at what \(first.function) does (\(place))"
        + (first.note.isEmpty ? "" : ": it was \(first.note)")
        + ". No rule knows it as slow; a name under \"sinks\" in "
        + ".mainstay.json makes the next audit find it."
    }
    return "\(first.function) (\(place)): \(first.action)."
  }

  // MARK: Layout

  private static func file(_ path: String) -> Substring {
    path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
  }

  private func clipped(_ text: String, _ room: Int) -> String {
    text.count <= room ? text : text.prefix(max(1, room - 1)) + "…"
  }

  private func wrapped(_ text: String, hang: Int) -> String {
    let margin = String(text.prefix { $0 == " " })
    let lines = String(text.dropFirst(margin.count)).lines(width: width - max(margin.count, hang))
    return lines.enumerated().map { index, line in
      (index == 0 ? margin : String(repeating: " ", count: hang)) + line
    }.joined(separator: "\n")
  }
}
