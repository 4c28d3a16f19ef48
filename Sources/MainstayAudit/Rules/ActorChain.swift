/// MS503: one operation walks through several actors that change state together, with doors open in between.
import MainstayFindings

enum ActorChain: Rule {
  static let documentation = RuleDocumentation(
    id: "actor_chain", code: "MS503", severity: .note,
    claim: "One operation changes the state of several actors, one await after another: others come in between.",
    exemptions: "Actors that are only read, the screen's own update at the end, and independent tasks.",
    fires: """
      func transfer(_ amount: Int) async throws {
        try await balances.debit(amount)     // one actor
        await ledger.record(amount)          // another: in between, the books do not balance
      }
      """,
    silent: """
      @WalletActor func transfer(_ amount: Int) throws {
        try balances.debit(amount)
        ledger.record(amount)
      }
      """,
    fix: "Put the types that change together on one global actor named after their rule, and do it in one job.",
    references: ["Documentation/Articles.md, 4.3, 4.4 and 4.10"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated()
    where function.isAsync && program.isOwn(function) && !function.flags.contains(.isTest) {
      let visits = visits(function, program)
      guard let (first, second) = linked(visits, function, program) else { continue }
      findings.append(
        builder.finding(
          about: index, at: function.location, subject: "chain",
          message: "\(function.display) changes \(first.actor) and then \(second.actor): others come in between",
          action: "put both on one global actor named after the rule they share, and change them in one job",
          path: [
            PathStep(location: function.events[first.event].location, text: "changes \(first.actor): \(first.callee)"),
            PathStep(
              location: function.events[second.event].location, text: "changes \(second.actor): \(second.callee)"),
          ], confidence: .medium))
    }
    return findings
  }

  private struct Visit {
    var event: Int
    var actor: String
    var callee: String
    /// What was passed: values that two visits share tie them together.
    var values: Set<Int32>
  }

  /// The awaited calls that change another actor's state.
  private static func visits(_ function: FunctionFacts, _ program: Program) -> [Visit] {
    var result: [Visit] = []
    for (number, event) in function.events.enumerated() {
      guard case .call(let call) = event.kind, call.suspends else { continue }
      for target in program.targets(of: call).flatMap({ program.unwrapped($0) }) {
        let callee = program.functions[target]
        guard callee.isolation.isActor, !callee.isolation.isMain,
          callee.isolation != function.isolation || callee.isolation == .selfActor,
          program.effects.of(target).writes.contains(where: {
            $0.place.root == "self" || $0.place.root == "global" || $0.place.root.hasPrefix("self.")
          })
        else { continue }
        let actor: String
        switch callee.isolation {
        case .globalActor(let name): actor = name
        case .selfActor:
          // Its own actor's functions are no visit; those of a nonisolated function's actor are.
          if call.receiverRoot == "self", function.isolation == .selfActor { continue }
          actor = Program.enclosingType(callee.display) ?? "an actor"
        default: continue
        }
        var values: Set<Int32> = []
        for (position, argument) in call.arguments.enumerated() where position != call.receiver {
          values.formUnion(program.effects.expanded(argument.origins, in: function))
        }
        result.append(Visit(event: number, actor: actor, callee: callee.display, values: values))
        break
      }
    }
    return result
  }

  private static func linked(_ visits: [Visit], _ function: FunctionFacts, _ program: Program) -> (Visit, Visit)? {
    for (position, first) in visits.enumerated() {
      for second in visits[(position + 1)...] where second.actor != first.actor {
        let shared = first.values.intersection(second.values)
        let carries = second.values.contains(Int32(first.event))
        let isValue = shared.contains { member in
          member >= 0 || function.parameter(of: member).map { $0.name != "self" } ?? false
        }
        if carries || isValue { return (first, second) }
      }
    }
    return nil
  }
}
