/// A run's summary as a person reads it: the verdict, the worst of the main actor, every executor, what was not seen.
import Mainstay

public struct SummaryText {
  let summary: RunSummary
  let width: Int

  /// - Parameter width: the columns to stay within; 40 and more look right.
  public init(_ summary: RunSummary, width: Int) {
    self.summary = summary
    self.width = width
  }

  /// The lines, without one that is empty at the end.
  public var text: String {
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
      let elsewhere = DurationText.count(summary.executors.map(\.jobs).reduce(0, +))
      return wrapped(
        "Main actor: nothing ran on it; \(elsewhere) jobs ran elsewhere. If it should have, 'mainstay doctor PROGRAM' says "
          + "what of a program can be seen.")
    }
    guard main.overBudget > 0 else {
      let rest = summary.executors.filter { $0.kind != .mainActor }.map(\.jobs).reduce(0, +)
      return wrapped(
        "Main actor: \(what), all within the \(budget) budget; longest \(DurationText.milliseconds(main.worstMilliseconds)), busy \(DurationText.seconds(main.busySeconds)). Elsewhere \(rest == 1 ? "1 job" : "\(DurationText.count(rest)) jobs")."
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
    var lines = shown.prefix(6).flatMap { StallText($0.stall, count: $0.count, width: width).lines }
    let rest = shown.dropFirst(6)
    if !rest.isEmpty {
      let worst = DurationText.milliseconds(rest[rest.startIndex].stall.lengthMilliseconds)
      lines.append("  and \(rest.count) more places, the longest \(worst) (--json FILE has all)")
    }
    return lines.joined(separator: "\n")
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
      let filled = row.lastIndex { !$0.isEmpty } ?? 0
      return row[...filled].enumerated().map { column, cell in
        let cell = cell.count > widths[column] ? cell.prefix(widths[column] - 1) + "…" : cell
        return "  " + (column == 0 ? cell.padded(to: widths[0]) : cell.paddedLeft(to: widths[column]))
      }.joined()
    }
  }

  // MARK: The rest

  private var notes: [String] {
    var lines: [String] = []
    if !summary.selfCheck.complete {
      lines.append(
        contentsOf: labelled(
          "Not seen",
          summary.selfCheck.missing.joined(separator: ", ") + ". 'mainstay doctor PROGRAM' says why, and what to do"))
    }
    lines.append(contentsOf: failedCheck)
    if let waiting = mainQueue { lines.append(contentsOf: labelled("Waiting", waiting)) }
    lines.append(contentsOf: trains + starvation + interleavings + floods + creations + continuations + boundaries)
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
        notes.append(
          "\(DurationText.count(summary.lost.records)) single records lost; totals are exact (raise --memory)")
      }
      for (index, note) in notes.enumerated() {
        lines.append(contentsOf: labelled(index == 0 ? "Not visible" : "", note))
      }
    }
    return lines
  }

  private var failedCheck: [String] {
    guard let check = summary.process.failedCheck else { return [] }
    let place = check.file.isEmpty ? "" : ", \(check.file):\(check.line)"
    let executor = check.executor == "MainActor" ? "the main actor" : check.executor
    return labelled(
      "Ended",
      "in a check of isolation: \(check.function)\(place), belongs to \(executor) and was called elsewhere. Let it be "
        + "nonisolated and hop, or call it on \(executor) ('mainstay explain trapping_callback')")
  }

  /// Jobs that the main actor did not get to. What was enqueued just before the end is nothing to tell.
  private var mainQueue: String? {
    let queue = summary.mainQueue
    guard queue.queuedJobs > 0, !queue.drained || queue.oldestSeconds >= 0.25 else { return nil }
    let jobs = queue.queuedJobs == 1 ? "1 job" : "\(DurationText.count(queue.queuedJobs)) jobs"
    let oldest = DurationText.seconds(queue.oldestSeconds)
    return queue.drained
      ? "\(jobs) still queued for the main actor, which began nothing for \(oldest). See what held it: the last stall, or a "
        + "loop that no longer drains the main queue"
      : "the main actor never ran: \(jobs) queued, the oldest for \(oldest). Let a loop drain the main queue: "
        + "dispatchMain(), RunLoop.main.run(), or the toolkit's own with a pump"
  }

  private var trains: [String] {
    guard let longest = summary.trains.first else { return [] }
    let count = summary.trains.count == 1 ? "1 train" : "\(summary.trains.count) trains"
    return labelled(
      "Train",
      "\(count) of short main-actor jobs without a gap; the longest: \(longest.jobs) jobs, "
        + "\(DurationText.milliseconds(longest.lengthMilliseconds)), mostly \(longest.functions.first ?? "unknown"). "
        + "A screen waits for all of them: do less of it, or pause between (FrameSlicer)")
  }

  private var starvation: [String] {
    summary.pool.starved.prefix(2).flatMap { starved in
      let blocked = starved.blockers.compactMap(FoldedStack.init).first
      let place = blocked.map {
        ": \($0.called.map { "\($0) ← " } ?? "")\($0.function.function), \($0.function.file):\($0.function.line)"
      }
      let jobs = starved.queuedJobs == 1 ? "1 job" : "\(DurationText.count(starved.queuedJobs)) jobs"
      return labelled(
        "Pool starved",
        "for \(DurationText.seconds(starved.lengthSeconds)) all \(starved.blockers.count) threads were blocked while \(jobs) waited"
          + (place ?? "") + ". Await instead of blocking, or block on a thread of your own")
    }
  }

  private var interleavings: [String] {
    summary.interleavings.filter { $0.executor != "MainActor" }.prefix(3).flatMap { found in
      let place = found.file.isEmpty ? "" : " (\(found.file):\(found.line))"
      return labelled(
        "Interleaved",
        "\(found.suspended) came back to \(found.executor) \(DurationText.times(found.count)) after \(found.by) "
          + "had run there\(place). Check again after the await what was decided before it")
    }
  }

  private var floods: [String] {
    summary.hops.filter { $0.perSecondMax >= 5000 }.prefix(2).flatMap { hop in
      let site = hop.sites.first
      let place = site.map { $0.file.isEmpty ? $0.function : "\($0.function), \($0.file):\($0.line)" } ?? "unknown"
      return labelled(
        "Hops",
        "up to \(DurationText.count(hop.perSecondMax)) a second from \(hop.from) to \(hop.to), most in \(place). "
          + "Do the loop on the other side, or send many values at once")
    }
  }

  /// Tasks by the thousand, each of which is a job for the main actor or the pool to get to.
  private var creations: [String] {
    summary.tasks.sites.filter { $0.perSecondMax >= 1000 }.prefix(2).flatMap { site in
      let place = site.file.isEmpty ? site.function : "\(site.function), \(site.file):\(site.line)"
      return labelled(
        "Tasks",
        "up to \(DurationText.count(site.perSecondMax)) a second made in \(place). Send many values at once, or let one "
          + "task take them from a stream")
    }
  }

  private var continuations: [String] {
    let waits = summary.tasks.pendingContinuations
    guard let first = waits.first else { return [] }
    let place = first.file.isEmpty ? "" : ", \(first.file):\(first.line)"
    let made = first.createdAt.map { made in
      ", by a task made in \(made.function)" + (made.file.isEmpty ? "" : ", \(made.file):\(made.line)")
    }
    let text =
      waits.count == 1
      ? "1 continuation was never resumed: waited for in \(first.function)\(place)"
      : "\(DurationText.count(waits.count)) continuations were never resumed, the oldest waited for in \(first.function)\(place)"
    return labelled("Waiting", text + (made ?? "") + ". Resume it on every path")
  }

  func labelled(_ label: String, _ text: String) -> [String] {
    let lines = text.lines(width: width - 16)
    return lines.enumerated().map { "  " + ($0.offset == 0 ? label : "").padded(to: 14) + $0.element }
  }

  private var next: String? {
    guard let worst = summary.stalls.first else { return nil }
    let folded = FoldedStack.heaviest(of: worst).first
    let budget = DurationText.milliseconds(summary.budgetMilliseconds)
    let place = folded.map { "\($0.function.function) (\($0.function.file):\($0.function.line))" } ?? worst.function
    if folded?.state == .blocked {
      return wrapped("Next: do not block the main actor in \(place): await the result, or wait on another thread.")
    }
    return wrapped(
      "Next: move the work of \(place) off the main actor (call it from a @concurrent function), or split it, so that "
        + "no job takes longer than \(budget).")
  }

  private func wrapped(_ text: String) -> String { text.lines(width: width).joined(separator: "\n") }
}

extension RunSummary {
  /// The summary as a person reads it, in lines of at most `width` columns where words allow.
  public func text(width: Int = 80) -> String { SummaryText(self, width: width).text }
}

extension RunSummary.Stall {
  fileprivate func isSamePlace(as other: Self) -> Bool {
    function == other.function && file == other.file && line == other.line && resume == other.resume
      && kind == other.kind
  }
}
