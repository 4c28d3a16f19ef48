/// MS101: a main-actor job synchronously reaches a heavy or blocking call.
import MainstayFindings

enum MainActorBlocking: Rule {
  static let documentation = RuleDocumentation(
    id: "main_actor_blocking", code: "MS101", severity: .warning,
    claim: "A main-actor job synchronously reaches a call that blocks, or that takes time which grows with its input.",
    exemptions:
      "Work in a @concurrent function, short critical sections, decoding of literals, and reads of what poll has "
      + "announced. What a command reads once, or a program without tasks does, a constant pattern and a "
      + "bundled property list are notes.",
    fires: """
      @MainActor func show(_ data: Data) throws {
        rows = try JSONDecoder().decode([Row].self, from: data)   // every frame waits for this
      }
      """,
    silent: """
      @concurrent func decode(_ data: Data) async throws -> [Row] {
        try JSONDecoder().decode([Row].self, from: data)
      }
      @MainActor func show(_ data: Data) async throws { rows = try await decode(data) }
      """,
    fix: "Make the call from a @concurrent function, or make the type that does the work nonisolated and await it.",
    references: [
      "Swift Evolution SE-0461, SE-0466", "The main actor's frame budget: Documentation/Articles.md, 0.3 and 0.15",
    ])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let shared = SinkFindings(program: program, builder: builder)
    let jobs = shared.jobs(where: { !$0.isOffMainOnly }) { index, _ in
      isRoot(program.functions[index], in: program) || isMainQueueBlock(index, in: program)
    }
    return SinkFindings.unique(jobs.filter { !belongsToViews($0, shared) }.map { finding(for: $0, shared) })
  }

  /// What only the layout of views reaches is `heavy_view_body`: one cause, one finding.
  private static func belongsToViews(_ job: SinkFindings.Job, _ shared: SinkFindings) -> Bool {
    let program = shared.program
    let layout = program.layout
    guard job.roots.contains(where: { layout.isLayout($0) && !shared.isOnce(job, from: $0) }) else { return false }
    let reached = Set(job.way.order)
    return job.roots.allSatisfy { root in
      if layout.isLayout(root) { return true }
      let callers = (program.callers[root] ?? []) + (program.creators[root] ?? [])
      return !callers.isEmpty && callers.allSatisfy { reached.contains($0.function) }
    }
  }

  /// A job of the main actor that a person wrote. A program's entry runs before there is anybody to keep waiting.
  static func isRoot(_ function: FunctionFacts, in program: Program) -> Bool {
    function.isolation.isMain && program.isOwn(function) && !function.isEntry
      && !function.flags.contains(.isDeinitializer) && !function.display.hasSuffix(" in ")
  }

  /// A closure given to the main queue is the main actor's work, whatever its type says.
  private static func isMainQueueBlock(_ index: Int, in program: Program) -> Bool {
    guard program.isOwn(program.functions[index]), !program.functions[index].isAsync else { return false }
    return (program.creators[index] ?? []).contains { creator in
      let function = program.functions[creator.function]
      guard let call = function.call(at: creator.event) else { return false }
      return MainQueue.runsClosure(of: call, in: function, program)
    }
  }

  private static func finding(for job: SinkFindings.Job, _ shared: SinkFindings) -> Finding {
    let nearest = job.roots[0]
    let (steps, confidence) = shared.path(of: job, from: nearest)
    let program = shared.program
    let isMinor =
      shared.isVague(job, from: nearest) || isStart(job, program.start) || isConstantPattern(job, program)
      || isBundledList(job, program)
    return shared.builder.finding(
      about: nearest, at: shared.location(of: job, steps: steps), subject: job.site.display,
      message: message(job.site), action: action(job.site), path: steps, roots: shared.rootNames(job),
      severity: isMinor ? .note : nil, confidence: confidence, jobs: shared.jobKeys(of: job, onMain: true))
  }

  /// Work that a program's start waits for itself. What blocks keeps its tasks from the main actor, if it has any.
  private static func isStart(_ job: SinkFindings.Job, _ start: ProgramStart) -> Bool {
    job.roots.allSatisfy { start.isPlainCommand($0) }
      || job.roots.allSatisfy { start.isPart($0) && (job.site.sink.category == .heavy || start.isSequential($0)) }
  }

  /// A pattern that stands in the source, compiled outside of a loop: short, and always the same.
  private static func isConstantPattern(_ job: SinkFindings.Job, _ program: Program) -> Bool {
    let function = program.functions[job.site.function]
    guard job.site.sink.condition == .eachTime, let call = function.call(at: job.site.event) else { return false }
    let flow = ControlFlow(function)
    return call.arguments.contains { $0.literal.map(LiteralText.isText) ?? false }
      && !flow.loopBlocks.contains(flow.block(of: job.site.event))
  }

  /// A property list that the program brings with it: keys, words, settings of a few kilobytes, and always the same.
  private static func isBundledList(_ job: SinkFindings.Job, _ program: Program) -> Bool {
    let function = program.functions[job.site.function]
    guard let call = function.call(at: job.site.event) else { return false }
    return call.arguments.contains { argument in
      program.effects.expanded(argument.origins, in: function).contains { member in
        guard member >= 0, let named = function.call(at: Int(member)),
          ["Bundle.url", "Bundle.path"].contains(String(named.display.prefix { $0 != "(" }))
        else { return false }
        return named.arguments.contains { $0.literal == LiteralText.propertyList }
      }
    }
  }

  private static func message(_ site: SinkReach.Site) -> String {
    let effect = site.sink.category == .blocking ? "blocks" : "takes its time"
    return "a main-actor job reaches \(site.display), which \(effect): \(site.sink.reason)"
  }

  private static func action(_ site: SinkReach.Site) -> String {
    site.sink.category == .blocking
      ? "wait with await instead, or make the call from a @concurrent function"
      : "make the call from a @concurrent function, or make the type that does it nonisolated"
  }
}
