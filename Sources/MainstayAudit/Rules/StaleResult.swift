/// MS203: a result that arrives late overwrites the state of newer work.
import MainstayFindings

enum StaleResult: Rule {
  static let documentation = RuleDocumentation(
    id: "stale_result", code: "MS203", severity: .warning,
    claim:
      "Main-actor state is set from an awaited value without asking whether the work is still wanted; an older "
      + "answer may win.",
    exemptions:
      "A cancellation check or a comparison with fresh state after the last await, a busy flag that keeps a "
      + "second run out, a throwing await in a task that its successor cancels (kept, or a view's), writes under "
      + "a key, a tap that asks for the same thing each time, a screen that asks until it has something, and the task "
      + "of an initialiser.",
    fires: """
      @MainActor func load(_ query: String) async {
        results = await service.search(query)     // an older search may finish last
      }
      """,
    silent: """
      @MainActor func load(_ query: String) async {
        generation += 1
        let mine = generation
        let found = await service.search(query)
        guard mine == generation else { return }
        results = found
      }
      """,
    fix: "Compare a generation, or check cancellation, between the last await and the write.",
    references: ["Documentation/Articles.md, 0.6 and 0.7"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let tasks = TaskBodies(program)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated()
    where function.isAsync && program.isOwn(function) && !function.flags.contains(.isInitializer)
      && (function.isolation.isMain || function.events.contains { reachesMain($0) })
    {
      findings += StaleResultSearch(index, builder, tasks).findings()
    }
    return findings
  }

  /// Code elsewhere that goes to the main actor with what it has.
  private static func reachesMain(_ event: Event) -> Bool {
    guard case .call(let call) = event.kind else { return false }
    return call.executor == .globalActor("MainActor")
      || CalleePattern.normalised(call.display).hasPrefix("MainActor.run(")
  }
}
