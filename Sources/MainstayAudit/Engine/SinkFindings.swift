/// What the two rules about sinks share: from a sink to the jobs that reach it, and the path between.
import MainstayFindings

struct SinkFindings {
  let program: Program
  let builder: FindingBuilder

  struct Job {
    var site: SinkReach.Site
    var way: SinkReach.Way
    /// The isolated or async functions that reach the sink, nearest first.
    var roots: [Int]
  }

  /// One job for each sink call that some root reaches.
  func jobs(where isSite: (SinkReach.Site) -> Bool, isRoot: (Int, SinkReach.Way) -> Bool) -> [Job] {
    var result: [Job] = []
    for site in program.sinks.sites where isSite(site) {
      let way = program.sinks.way(to: site)
      let roots = way.order.filter { isRoot($0, way) }
      if roots.isEmpty { continue }
      result.append(Job(site: site, way: way, roots: roots))
    }
    // Only what the same root reaches can be what comes before.
    var byRoot: [Int: [Int]] = [:]
    for (index, job) in result.enumerated() {
      for root in Set(job.roots) { byRoot[root, default: []].append(index) }
    }
    return result.filter { job in
      !(byRoot[job.roots[0]] ?? []).contains { isAftermath(job, of: result[$0]) || isSequel(job, of: result[$0]) }
    }
  }

  /// Whether a job's sink is reached only when another one of the same kind has failed: to say what was wrong with the
  /// same input. What mends the one mends the other.
  private func isAftermath(_ job: Job, of other: Job) -> Bool {
    guard job.site.sink.reason == other.site.sink.reason, let root = job.roots.first, other.roots.contains(root) else {
      return false
    }
    for (later, earlier) in zip(chain(of: job, from: root), chain(of: other, from: root)) {
      guard later.function == earlier.function else { return false }
      if later.event == earlier.event { continue }
      return ControlFlow(program.functions[later.function]).isOnErrorPath(later.event, of: earlier.event)
    }
    return false
  }

  /// Whether a job goes on to code what another one in the same function has coded: into JSON, and from there back to make
  /// it pretty. Whoever moves the one moves the other.
  private func isSequel(_ job: Job, of other: Job) -> Bool {
    guard job.site.sink.condition == .inputGrows, other.site.sink.condition == .inputGrows,
      job.site.function == other.site.function, job.site.event > other.site.event,
      let call = program.functions[job.site.function].call(at: job.site.event)
    else { return false }
    let function = program.functions[job.site.function]
    return call.arguments.enumerated().contains { position, argument in
      position != call.receiver
        && program.effects.expanded(argument.origins, in: function).contains(Int32(other.site.event))
    }
  }

  /// Whether the sink is reached through a value that is made once, for whoever asks first.
  func isOnce(_ job: Job, from root: Int) -> Bool {
    chain(of: job, from: root).contains { program.functions[$0.function].isMadeOnce }
  }

  /// The functions from a root down to a sink, each with the event that leads on.
  private func chain(of job: Job, from root: Int) -> [(function: Int, event: Int)] {
    var result: [(function: Int, event: Int)] = []
    var current = root
    while let (edge, callee) = job.way.down[current], result.count < 40 {
      result.append((current, edge.event))
      current = callee
    }
    result.append((job.site.function, job.site.event))
    return result
  }

  /// The calls from a root down to the sink.
  func path(of job: Job, from root: Int) -> (steps: [PathStep], confidence: Confidence) {
    var steps: [PathStep] = []
    var confidence = job.site.sink.confidence
    var current = root
    while let (edge, callee) = job.way.down[current], steps.count < 40 {
      let function = program.functions[callee]
      let event = program.functions[current].events[edge.event]
      if edge.choices > 1 { confidence = min(confidence, .medium) }
      if !function.flags.contains(.isThunk) {
        let verb = edge.isClosure ? "runs" : "calls"
        let choice = edge.choices > 1 ? " (one of \(edge.choices) implementations)" : ""
        steps.append(PathStep(location: event.location, text: "\(verb) \(function.display)\(choice)"))
      }
      if function.source == .syntax { confidence = .low }
      current = callee
    }
    steps.append(PathStep(location: job.site.location, text: "calls \(job.site.display): \(job.site.sink.reason)"))
    return (steps, confidence)
  }

  /// The jobs that reach the sink, as measurements name them.
  func jobKeys(of job: Job, onMain isMain: Bool) -> [JobKey] {
    program.jobs(running: job.site.event, of: job.site.function, onMain: isMain)
  }

  /// A way through a requirement that many types fulfil says little about any one of them.
  func isVague(_ job: Job, from root: Int) -> Bool {
    var current = root
    var steps = 0
    while let (edge, callee) = job.way.down[current], steps < 40 {
      if edge.choices > 4 { return true }
      current = callee
      steps += 1
    }
    return false
  }

  /// Where the finding stands: the sink's call, or the nearest call above it that a person wrote.
  func location(of job: Job, steps: [PathStep]) -> SourceLocation {
    if program.ownFiles.contains(job.site.location.file) { return job.site.location }
    return steps.last { program.ownFiles.contains($0.location.file) }?.location ?? job.site.location
  }

  /// One finding a place and sink: a macro or a generic function may hold the same call twice.
  static func unique(_ findings: [Finding]) -> [Finding] {
    var seen: Set<String> = []
    return findings.filter { finding in
      let place = finding.location
      return seen.insert("\(finding.rule) \(place.file):\(place.line):\(place.column) \(finding.subject)").inserted
    }
  }

  func rootNames(_ job: Job) -> [String] {
    var names: [String] = []
    for root in job.roots {
      let name = program.functions[root].display
      if !names.contains(name) { names.append(name) }
      if names.count == 50 { break }
    }
    return names
  }
}
