/// MS102: async code or an actor's job reaches a call that blocks its thread.
import MainstayFindings

enum AsyncBlocking: Rule {
  static let documentation = RuleDocumentation(
    id: "async_blocking", code: "MS102", severity: .warning,
    claim:
      "An async function or an actor's job blocks a thread of the pool; with as many threads as cores, all may stop.",
    exemptions:
      "What the compiler refuses directly in async code is reported through synchronous functions only; plain locks are "
      + "not, nor a semaphore that is given back where it was taken.",
    fires: """
      func load() async -> Data? {
        let done = DispatchSemaphore(value: 0)
        Task { await fetch(); done.signal() }
        done.wait()          // waits for work that needs the thread it holds
      }
      """,
    silent: """
      func load() async -> Data? { await fetch() }
      """,
    fix: "Await the work instead of waiting for it; bridge callbacks with withCheckedContinuation.",
    references: ["Swift concurrency: behind the scenes (the pool never grows)", "Swift Evolution SE-0340"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let shared = SinkFindings(program: program, builder: builder)
    let jobs = shared.jobs(where: { $0.sink.category == .blocking }) { index, way in
      isRoot(program.functions[index], way, in: program)
    }
    return SinkFindings.unique(jobs.map { finding(for: $0, shared) })
  }

  /// Async code off the main actor, and whatever an actor runs. A function that runs wherever its caller does counts
  /// only when no main-actor job is among its callers: that is MS101.
  private static func isRoot(_ function: FunctionFacts, _ way: SinkReach.Way, in program: Program) -> Bool {
    guard program.isOwn(function), !function.isEntry else { return false }
    switch function.isolation {
    case .globalActor(let name): return name != "MainActor"
    case .selfActor, .parameter: return !isSynchronousInitializer(function)
    case .nonisolated, .unknown: return function.isAsync
    case .caller:
      return function.isAsync
        && !way.order.contains { MainActorBlocking.isRoot(program.functions[$0], in: program) }
    }
  }

  /// An actor's synchronous initialiser runs on whoever makes the actor.
  private static func isSynchronousInitializer(_ function: FunctionFacts) -> Bool {
    function.flags.contains(.isInitializer) && !function.isAsync
  }

  private static func finding(for job: SinkFindings.Job, _ shared: SinkFindings) -> Finding {
    let program = shared.program
    let nearest = job.roots[0]
    let (steps, confidence) = shared.path(of: job, from: nearest)
    let waitsForOwnWork = spawns(program.functions[job.site.function]) && isWait(job.site)
    var message = "async code reaches \(job.site.display), which blocks its thread: \(job.site.sink.reason)"
    if waitsForOwnWork {
      message = "\(job.site.display) blocks a thread of the pool until work that needs the same pool is done"
    }
    return shared.builder.finding(
      about: nearest, at: shared.location(of: job, steps: steps), subject: job.site.display, message: message,
      action: waitsForOwnWork
        ? "await the task's value instead of waiting for it"
        : "use the awaited form, or leave the pool with a thread of its own",
      path: steps, roots: shared.rootNames(job),
      severity: shared.isVague(job, from: nearest) ? .note : waitsForOwnWork ? .error : nil, confidence: confidence,
      jobs: shared.jobKeys(of: job, onMain: false))
  }

  private static func isWait(_ site: SinkReach.Site) -> Bool {
    site.display.contains(".wait") && !site.display.hasPrefix("Process")
  }

  private static func spawns(_ function: FunctionFacts) -> Bool {
    function.events.contains { event in
      if case .call(let call) = event.kind { return Spawn(call) != nil }
      return false
    }
  }
}
