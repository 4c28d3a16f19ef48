/// Joins: which measured jobs a finding speaks of, and which stalls no finding explains.
import Mainstay
import MainstayFindings
import MainstayTrace

extension JoinedReport {
  /// - Throws: `ReportError.nothingInCommon` when no recorded function is of a module that was audited.
  public init(audit: AuditDocument, runs summaries: [RunSummary]) throws(ReportError) {
    let runs = MeasuredRuns(summaries)
    let foreign = runs.modules.filter { !$0.names.isEmpty && $0.names.isDisjoint(with: audit.modules) }
    if !foreign.isEmpty, foreign.count == runs.modules.count {
      throw .nothingInCommon(
        programs: Set(foreign.map(\.program)).sorted(),
        recorded: foreign.reduce(into: Set<String>()) { $0.formUnion($1.names) }.sorted(),
        audited: audit.modules.sorted())
    }
    let explained = StallExplanations(audit.findings, runs)
    let rows = audit.findings.enumerated().map { index, finding in
      Row(finding, runs, stalls: explained.stalls(of: index))
    }
    let unforeseen = Unforeseen.rows(explained.unexplained, runs)
    self.init(
      programs: Set(summaries.map(\.program)).sorted(), recordings: summaries.count,
      rows: Self.ranked(rows + unforeseen), notes: Self.notes(summaries, foreign: Set(foreign.map(\.program)).sorted()))
  }

  /// By what it cost; what kept within the budget, then what did not run, come last.
  private static func ranked(_ rows: [Row]) -> [Row] {
    let sorted = rows.sorted { left, right in
      let ranks = (left.verdict.rank, right.verdict.rank)
      if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
      if left.droppedFrames != right.droppedFrames { return left.droppedFrames > right.droppedFrames }
      if left.interleavings != right.interleavings { return left.interleavings > right.interleavings }
      if left.worstMilliseconds != right.worstMilliseconds { return left.worstMilliseconds > right.worstMilliseconds }
      return (left.location, left.rule ?? "", left.fingerprint) < (right.location, right.rule ?? "", right.fingerprint)
    }
    return sorted.enumerated().map { index, row in
      var row = row
      row.rank = index + 1
      return row
    }
  }

  private static func notes(_ summaries: [RunSummary], foreign: [String]) -> [String] {
    var notes: [String] = []
    for program in foreign {
      notes.append("no function of \(program) is in a module that was audited: its stalls are listed as not foreseen")
    }
    let displaced = summaries.reduce(0) { $0 + max(0, $1.mainActor.overBudget - $1.stalls.count) }
    if displaced > 0 {
      notes.append(
        "\(DurationText.count(displaced)) shorter stalls were not kept one by one: the rows lack their frames")
    }
    let unseen = Set(summaries.flatMap(\.selfCheck.missing)).sorted()
    if !unseen.isEmpty { notes.append("the recorder could not see \(unseen.joined(separator: ", "))") }
    if summaries.contains(where: { summary in summary.notVisible.contains { $0.hasPrefix("single records of ") } }) {
      notes.append("single records were overwritten: interleavings among them are not counted")
    }
    return notes
  }
}

extension JoinedReport.Verdict {
  fileprivate var rank: Int {
    switch self {
    case .overBudget, .notForeseen: 0
    case .interleaved: 1
    case .withinBudget: 2
    case .notRun: 3
    }
  }
}

/// What a rule says will happen at run time.
enum Foresight {
  /// A job that takes long.
  static let length: Set<String> = [
    "main_actor_blocking", "async_blocking", "returns_to_main", "heavy_view_body", "service_on_main",
  ]
  /// Other tasks between two jobs of one.
  static let interleaving: Set<String> = ["check_then_act", "split_check"]
}

extension JoinedReport.Row {
  /// - Parameter stalls: those that the finding explains, and whether its own calls were seen in their stacks.
  fileprivate init(_ finding: AuditDocument.Finding, _ runs: MeasuredRuns, stalls: StallExplanations.Explained) {
    let keys = finding.measurable
    let matched = runs.jobs.compactMap { job in job.place.match(among: keys).map { (job, $0) } }
    let best = matched.map(\.1).max()
    let jobs = matched.filter { $0.1 == best }.map(\.0)
    let interleavings =
      Foresight.interleaving.contains(finding.rule)
      ? runs.interleavings.filter { $0.place.match(among: keys) != nil }.reduce(0) { $0 + $1.count } : 0
    let isOver = !stalls.stalls.isEmpty || jobs.contains(where: \.isOverBudget)
    let count = max(jobs.reduce(0) { $0 + $1.jobs }, stalls.stalls.count)
    let verdict: JoinedReport.Verdict
    if interleavings > 0 {
      verdict = .interleaved
    } else if count == 0 {
      verdict = .notRun
    } else {
      verdict = isOver ? .overBudget : .withinBudget
    }
    var note = ""
    if verdict == .notRun {
      note = ""
    } else if best == .function {
      note = "by function only: which of its jobs ran is not known without debug information"
    } else if best == .caller, !stalls.isSeen {
      note = "by the await for it only: it was compiled into its caller"
    } else if Foresight.length.contains(finding.rule), jobs.contains(where: \.isOverBudget), stalls.stalls.isEmpty,
      jobs.contains(where: \.place.isOnMain)
    {
      note = "its job overran while other code ran"
    }
    let names = Set(jobs.map(\.function)).subtracting([finding.function]).sorted()
    self.init(
      rank: 0, rule: finding.rule, location: finding.location, function: finding.function, jobs: count,
      worstMilliseconds: max(
        jobs.map(\.worstMilliseconds).max() ?? 0, stalls.stalls.map(\.stall.lengthMilliseconds).max() ?? 0),
      droppedFrames: stalls.stalls.reduce(0) { $0 + $1.stall.droppedFrames }, interleavings: interleavings,
      verdict: verdict,
      match: verdict == .notRun ? nil : Self.match(best, isSeen: stalls.isSeen), measuredIn: names, note: note,
      action: finding.action, fingerprint: finding.fingerprint)
  }
}

extension JoinedReport.Row {
  /// A stack that stood in the finding's own call is more than a job that may have been another.
  private static func match(_ best: MeasuredPlace.Match?, isSeen: Bool) -> JoinedReport.Match {
    switch best {
    case .job: .job
    case .caller: isSeen ? .samples : .caller
    case .function: isSeen ? .samples : .function
    case nil: .samples
    }
  }
}

extension AuditDocument.Finding {
  /// The jobs to look for. An audit that lists none has the function at least.
  var measurable: [JobKey] {
    guard jobs.isEmpty, !symbol.isEmpty else { return jobs }
    return [JobKey(function: function, symbol: symbol, location: location, ordinal: 0, executor: "")]
  }
}

extension MeasuredPlace {
  /// The best match among several keys.
  func match(among keys: [JobKey]) -> Match? { keys.compactMap { match($0) }.max() }
}

/// Stalls that nothing foresaw, one row for each place.
enum Unforeseen {
  static func rows(_ stalls: [MeasuredStall], _ runs: MeasuredRuns) -> [JoinedReport.Row] {
    var groups: [(place: MeasuredPlace, function: String, stalls: [RunSummary.Stall])] = []
    for stall in stalls {
      let index = groups.firstIndex { $0.place == stall.place && $0.function == stall.stall.function }
      if let index {
        groups[index].stalls.append(stall.stall)
      } else {
        groups.append((stall.place, stall.stall.function, [stall.stall]))
      }
    }
    return groups.map { group in
      let worst = group.stalls.max { $0.lengthMilliseconds < $1.lengthMilliseconds } ?? group.stalls[0]
      let measured = runs.jobs.filter { $0.place == group.place && $0.function == group.function }
      return JoinedReport.Row(
        rank: 0, rule: nil,
        location: SourceLocation(file: worst.path.isEmpty ? worst.file : worst.path, line: worst.line, column: 0),
        function: group.function, jobs: max(measured.reduce(0) { $0 + $1.jobs }, group.stalls.count),
        worstMilliseconds: worst.lengthMilliseconds, droppedFrames: group.stalls.reduce(0) { $0 + $1.droppedFrames },
        interleavings: 0, verdict: .notForeseen, match: nil, measuredIn: [], note: seen(in: worst), action: "",
        fingerprint: "")
    }
  }

  /// Where the program was meanwhile: the innermost of its own functions in the first sample.
  private static func seen(in stall: RunSummary.Stall) -> String {
    for sample in stall.samples {
      if let frame = sample.frames.first(where: { $0.path.hasSuffix(".swift") && $0.line > 0 }) {
        return "\(sample.state.rawValue) in \(frame.function), \(frame.file):\(frame.line)"
      }
    }
    return ""
  }
}
