/// MS401: a task that never ends is started, and nobody keeps it to cancel it.
import MainstayFindings

enum UnownedTask: Rule {
  static let documentation = RuleDocumentation(
    id: "unowned_task", code: "MS401", severity: .warning,
    claim: "An endless task is started and not kept: nothing can cancel it, and each start adds another.",
    exemptions:
      "Tasks that end by themselves or do something after their loop, loops that end when their owner is gone, and the top level of a program.",
    fires: """
      func start() {
        Task { for await change in store.changes { apply(change) } }   // for ever, and again at the next start
      }
      """,
    silent: """
      func start() {
        changes = Task { for await change in store.changes { apply(change) } }
      }
      deinit { changes?.cancel() }
      """,
    fix: "Keep the task and cancel it when its owner goes, or run the loop in a structured task such as .task { }.",
    references: ["Documentation/Articles.md, 0.12"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated()
    where program.isOwn(function) {
      for event in function.events {
        guard case .call(let call) = event.kind, call.isDiscarded, let spawn = Spawn(call), let closure = spawn.closure,
          let body = program.function(named: closure.function), let endless = program.endlessLoop(of: body),
          // What an owner does is asked of all its functions: only where it matters.
          !isTopLevel(function, program), !endsWithOwner(function, program)
        else { continue }
        let looping = program.functions[endless.function]
        let what =
          endless.loop.isSequence ? "waits for every element of a sequence" : "goes round until it is cancelled"
        findings.append(
          builder.finding(
            about: index, at: event.location, subject: "endless task",
            message: "this task \(what), and nobody keeps it: it can never be cancelled",
            action: "store the task and cancel it when its owner goes, or run the loop in a structured task",
            path: [
              PathStep(location: event.location, text: "started here, and let go"),
              PathStep(location: looping.events[endless.loop.start].location, text: "the loop that nothing ends"),
            ], confidence: endless.call == nil ? .high : .medium))
      }
    }
    return SinkFindings.unique(findings)
  }

  /// The owner's `deinit` finishes a stream: the loop over it ends with its owner.
  private static func endsWithOwner(_ function: FunctionFacts, _ program: Program) -> Bool {
    guard let type = Program.enclosingType(function.display) else { return false }
    return program.functions(ofType: type, in: function.module).contains { index in
      let candidate = program.functions[index]
      return candidate.flags.contains(.isDeinitializer)
        && candidate.events.contains { event in
          guard case .call(let call) = event.kind else { return false }
          return CalleePattern.normalised(call.display).contains("finish(")
        }
    }
  }

  /// The program itself lives as long as such a task.
  private static func isTopLevel(_ function: FunctionFacts, _ program: Program) -> Bool {
    if function.name == "main" || function.name == "async_Main" || function.display.hasSuffix(".main()") { return true }
    guard let type = program.type(of: function) else { return false }
    return type.attributes.contains("main")
      || ["App", "NSApplicationDelegate", "UIApplicationDelegate"].contains { type.inherits($0) }
  }
}
