import MainstayTrace

/// A run's summary as a person reads it: the verdict, the worst of the main actor, every executor, what was not seen.
struct SummaryText {
  let summary: RunSummary
  let width: Int

  init(_ summary: RunSummary, width: Int) {
    self.summary = summary
    self.width = width
  }

  var text: String {
    var parts = [verdict]
    if !summary.stalls.isEmpty { parts.append(stalls) }
    if !isQuiet { parts.append(executors) }
    let notes = notes
    if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
    if let next { parts.append(next) }
    return parts.joined(separator: "\n\n")
  }

  /// A program that is well gets two lines, not a page.
  private var isQuiet: Bool { summary.stalls.isEmpty }

  private var rate: String {
    let hertz = summary.refreshRateHz
    return hertz == hertz.rounded() ? "\(Int(hertz)) Hz" : "\(hertz) Hz"
  }

  private var verdict: String {
    let main = summary.mainActor
    let jobs = main.jobs == 1 ? "1 job" : "\(DurationText.count(main.jobs)) jobs"
    let blocks = summary.mainQueue.blocks
    let what = blocks == 0 ? jobs : "\(jobs) and \(blocks == 1 ? "1 block" : "\(DurationText.count(blocks)) blocks")"
    let budget = DurationText.milliseconds(summary.budgetMilliseconds)
    if main.jobs + blocks == 0 {
      return wrapped(
        "Main actor: nothing ran on it. \(DurationText.count(summary.executors.map(\.jobs).reduce(0, +))) jobs ran elsewhere."
      )
    }
    guard main.overBudget > 0 else {
      let rest = summary.executors.filter { $0.kind != .mainActor }.map(\.jobs).reduce(0, +)
      return wrapped(
        "Main actor: \(what), all within the \(budget) budget; longest \(DurationText.milliseconds(main.worstMilliseconds)), busy \(DurationText.seconds(main.busySeconds)). Elsewhere \(DurationText.count(rest)) jobs."
      )
    }
    let frames = main.droppedFrames == 1 ? "1 frame" : "\(DurationText.count(main.droppedFrames)) frames"
    return wrapped(
      "Main actor: \(DurationText.count(main.overBudget)) of \(what) overran the \(budget) budget; \(frames) dropped at \(rate)."
    )
  }

  // MARK: Stalls

  /// The same function is shown once, at its worst.
  private var stalls: String {
    var shown: [(stall: RunSummary.Stall, count: Int)] = []
    for stall in summary.stalls {
      if let index = shown.firstIndex(where: { $0.stall.isSamePlace(as: stall) }) {
        shown[index].count += 1
      } else {
        shown.append((stall, 1))
      }
    }
    var lines = shown.prefix(6).flatMap { describe($0.stall, count: $0.count) }
    let rest = shown.dropFirst(6)
    if !rest.isEmpty {
      let worst = DurationText.milliseconds(rest[rest.startIndex].stall.lengthMilliseconds)
      lines.append("  and \(rest.count) more places, the longest \(worst) (--json FILE has all)")
    }
    return lines.joined(separator: "\n")
  }

  private func describe(_ stall: RunSummary.Stall, count: Int) -> [String] {
    let length = DurationText.milliseconds(stall.lengthMilliseconds).paddedLeft(to: 8)
    let frames = stall.droppedFrames == 1 ? "1 frame" : "\(stall.droppedFrames) frames"
    var name = shortened(stall.function, to: width - 21)
    if let position = stall.positionText { name += " \(position)" }
    if stall.kind == .block { name += " (main queue)" }
    if count > 1 { name += ", \(DurationText.count(count)) times" }
    let indent = String(repeating: " ", count: 21)
    var lines = row("\(length)  \(frames.padded(to: 9))  \(name)", place(stall.file, stall.line), indent: indent)
    lines.append(contentsOf: stack(of: stall, indent: indent))
    if stall.open { lines.append(indent + "still running when the program ended") }
    if let origin = stall.createdAt, origin.function != stall.function || origin.line != stall.line {
      lines.append(
        contentsOf: row("\(indent)task made in \(origin.function)", place(origin.file, origin.line), indent: indent))
    }
    if stall.priority == "background" || stall.priority == "utility" {
      lines.append(indent + "at \(stall.priority) priority: on the main actor it holds up everything")
    }
    return lines
  }

  /// The stack that most samples share, folded to the program's innermost function and what it called.
  private func stack(of stall: RunSummary.Stall, indent: String) -> [String] {
    let folded = stall.samples.compactMap(FoldedStack.init)
    guard let most = folded.max(by: { a, b in folded.count { $0 == a } < folded.count { $0 == b } }) else { return [] }
    let label = indent + most.state.rawValue.padded(to: 9)
    let called = most.called.map { "\(shortened($0, to: width - label.count)) ← " } ?? ""
    let one = label + called + most.function.function
    if one.count <= width {
      return row(one, place(most.function.file, most.function.line), indent: indent + "         ")
    }
    let second = row(
      indent + "         ← " + shortened(most.function.function, to: width - indent.count - 11),
      place(most.function.file, most.function.line), indent: indent + "         ")
    return most.called.map { [label + shortened($0, to: width - label.count)] + second }
      ?? row(
        label + shortened(most.function.function, to: width - label.count),
        place(most.function.file, most.function.line), indent: indent + "         ")
  }

  /// A name that does not fit loses its labels, from the end.
  private func shortened(_ name: String, to room: Int) -> String {
    guard name.count > room, let open = name.lastIndex(of: "("), name.hasSuffix(")") else { return name }
    var labels = name[name.index(after: open)...].dropLast().split(separator: ":")
    while labels.count > 1, name[...open].count + labels.joined(separator: ":").count + 3 > room { labels.removeLast() }
    return name[...open] + labels.joined(separator: ":") + ":…)"
  }

  private func place(_ file: String, _ line: Int) -> String {
    file.isEmpty ? "" : line > 0 ? "\(file):\(line)" : file
  }

  /// Text at the left, a place at the right; on two lines where one is too short.
  private func row(_ left: String, _ right: String, indent: String) -> [String] {
    if right.isEmpty { return [left] }
    let room = width - left.count - right.count
    return room >= 2 ? [left + String(repeating: " ", count: room) + right] : [left, indent + right]
  }

  // MARK: Executors

  private var executors: String {
    var rows = [["executor", "jobs", "busy", "longest", "wait p50 / p99", "queue"]]
    let sorted = summary.executors
    for executor in sorted.prefix(12) {
      rows.append([
        name(executor), DurationText.count(executor.jobs), DurationText.seconds(executor.busySeconds),
        DurationText.milliseconds(executor.worstMilliseconds),
        "\(DurationText.milliseconds(executor.waitP50Milliseconds)) / \(DurationText.milliseconds(executor.waitP99Milliseconds))",
        executor.kind == .pool ? "" : String(executor.queueMax),
      ])
    }
    // A narrow terminal does without what matters least.
    while tableWidth(rows) > width, rows[0].count > 3 { rows = rows.map { Array($0.dropLast()) } }
    var lines = table(rows)
    if sorted.count > 12 { lines.append("  and \(sorted.count - 12) more executors (--json FILE has all)") }
    for hop in summary.hops.prefix(3) where hop.count >= 100 {
      let site = hop.sites.first.map { " from \($0.function)" } ?? ""
      lines.append(
        contentsOf: wrapped("  \(DurationText.count(hop.count)) hops \(hop.from) → \(hop.to), most\(site)").split(
          separator: "\n"
        ).map(String.init))
    }
    return lines.joined(separator: "\n")
  }

  private func name(_ executor: RunSummary.Executor) -> String {
    switch executor.kind {
    case .pool: "pool (\(summary.pool.threads == 1 ? "1 thread" : "\(summary.pool.threads) threads"))"
    case .mainActor: executor.name
    default: executor.instances > 1 ? "\(executor.name) (\(DurationText.count(executor.instances)))" : executor.name
    }
  }

  private func widths(_ rows: [[String]]) -> [Int] {
    rows[0].indices.map { column in min(rows.map { $0[column].count }.max() ?? 0, column == 0 ? 34 : 24) }
  }

  private func tableWidth(_ rows: [[String]]) -> Int { widths(rows).map { $0 + 2 }.reduce(0, +) }

  private func table(_ rows: [[String]]) -> [String] {
    let widths = widths(rows)
    return rows.map { row in
      row.enumerated().map { column, cell in
        let cell = cell.count > widths[column] ? cell.prefix(widths[column] - 1) + "…" : cell
        return "  " + (column == 0 ? cell.padded(to: widths[0]) : cell.paddedLeft(to: widths[column]))
      }.joined()
    }
  }

  // MARK: The rest

  private var notes: [String] {
    var lines: [String] = []
    if !summary.selfCheck.complete {
      lines.append(contentsOf: labelled("Not seen", summary.selfCheck.missing.joined(separator: ", ")))
    }
    if summary.mainQueue.queuedJobs > 0 {
      let oldest = DurationText.seconds(summary.mainQueue.oldestSeconds)
      let text =
        summary.mainQueue.drained
        ? "\(summary.mainQueue.queuedJobs) jobs still queued for the main actor, nothing ran for \(oldest)"
        : "the main actor never ran: \(summary.mainQueue.queuedJobs) jobs queued for \(oldest). Does a loop drain the main queue?"
      lines.append(contentsOf: labelled("Waiting", text))
    }
    let others = summary.processes.filter { $0.pid != summary.process.pid }
    let recorded = others.filter(\.recorded)
    if !recorded.isEmpty {
      let names = Dictionary(grouping: recorded, by: \.executable).sorted { $0.key < $1.key }
        .map { $0.value.count > 1 ? "\($0.key) (\($0.value.count))" : $0.key }
      lines.append(contentsOf: labelled("Children", names.joined(separator: ", ") + ": describe one with --only NAME"))
    }
    if !summary.notVisible.isEmpty || summary.lost.records > 0 {
      var notes = summary.notVisible
      if summary.lost.records > 0 {
        notes.append("\(DurationText.count(summary.lost.records)) single records lost; totals are exact")
      }
      for (index, note) in notes.enumerated() {
        lines.append(contentsOf: labelled(index == 0 ? "Not visible" : "", note))
      }
    }
    return lines
  }

  private func labelled(_ label: String, _ text: String) -> [String] {
    let lines = words(text, width: width - 16)
    return lines.enumerated().map { "  " + ($0.offset == 0 ? label : "").padded(to: 14) + $0.element }
  }

  private var next: String? {
    guard let worst = summary.stalls.first else { return nil }
    let what = worst.kind == .block ? "what this block does" : "the slow part of \(worst.function)"
    return wrapped(
      "Next: move \(what) off the main actor (a @concurrent function), or split it, so that no job takes longer than \(DurationText.milliseconds(summary.budgetMilliseconds))."
    )
  }

  private func wrapped(_ text: String) -> String { words(text, width: width).joined(separator: "\n") }

  private func words(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines.append(line)
        line = String(word)
      } else {
        line += line.isEmpty ? word : " " + word
      }
    }
    return lines + [line]
  }
}

extension RunSummary.Stall {
  fileprivate func isSamePlace(as other: Self) -> Bool {
    function == other.function && file == other.file && line == other.line && resume == other.resume
      && kind == other.kind
  }

  /// "after await 2"; nil at the start of the function.
  fileprivate var positionText: String? { position.isEmpty ? nil : position }
}
