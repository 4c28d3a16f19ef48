/// MS206: several mutations that can fail follow one another, and a failure in the middle leaves half of them done.
import MainstayFindings

enum UnprotectedSequence: Rule {
  static let documentation = RuleDocumentation(
    id: "unprotected_sequence", code: "MS206", severity: .note,
    claim: "Throwing mutations of a domain's state follow one another: when a later one throws, the earlier ones stay.",
    exemptions: "Inside a unit of work, or where the failure takes back what was done.",
    fires: """
      @WalletActor func transfer(_ amount: Int) throws {
        try sender.debit(amount)
        try receiver.credit(amount)      // when this throws, the debit stays
      }
      """,
    silent: """
      @WalletActor func transfer(_ id: ID, _ amount: Int) throws {
        try journal.perform(id: id, amount) { undo in … }
      }
      """,
    fix: "Check everything first and then change without throwing, or make it one unit of work.",
    references: ["Documentation/Guide/Journal.md", "Documentation/Articles.md, 4.6"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where isCandidate(index, function, program) {
      let flow = ControlFlow(function)
      let mutations = function.events.indices.filter { isThrowingMutation($0, function, program) }
      guard mutations.count > 1 else { continue }
      for (first, second) in zip(mutations, mutations.dropFirst()) where follows(second, first, flow) {
        if takesBack(second, function, program) { break }
        let earlier = CalleePattern.normalised(function.call(at: first)?.display ?? "")
        let later = CalleePattern.normalised(function.call(at: second)?.display ?? "")
        findings.append(
          builder.finding(
            about: index, at: function.events[second].location, subject: "sequence",
            message: "when \(later) throws, what \(earlier) did stays done",
            action: "check first and then change without throwing, or make both one unit of work",
            path: [
              PathStep(location: function.events[first].location, text: "\(earlier) changes state"),
              PathStep(location: function.events[second].location, text: "\(later) may throw after that"),
            ], confidence: .medium))
        break
      }
    }
    return findings
  }

  private static func isCandidate(_ index: Int, _ function: FunctionFacts, _ program: Program) -> Bool {
    guard function.isolation.isActor, !function.isolation.isMain, program.isOwn(function) else { return false }
    return !function.flags.contains(.isInitializer) && program.units.start(around: index) == nil
  }

  private static func isThrowingMutation(_ event: Int, _ function: FunctionFacts, _ program: Program) -> Bool {
    guard let call = function.call(at: event), call.isThrowing, !call.suspends, !UnitsOfWork.isReversal(call),
      !program.ownTargets(of: call).isEmpty, !program.units.isUnit(call)
    else { return false }
    return program.effects.effects(of: call, in: function).writes.contains { write in
      let root = write.place.root
      return root == "self" || root.hasPrefix("self.") || root == "global" || root.contains(".shared")
        || function.parameters.contains { $0.name == root.prefix { $0 != "." } && !$0.name.isEmpty }
    }
  }

  private static func follows(_ event: Int, _ earlier: Int, _ flow: ControlFlow) -> Bool {
    var found = false
    flow.walk(after: earlier, state: 0) { candidate, _ in
      if candidate == event { found = true }
      return found ? .stop : .goOn
    }
    return found
  }

  /// Whether the function undoes something, or changes state on the way that an error takes.
  private static func takesBack(_ event: Int, _ function: FunctionFacts, _ program: Program) -> Bool {
    if function.events.indices.contains(where: { function.call(at: $0).map { UnitsOfWork.isReversal($0) } ?? false }) {
      return true
    }
    let flow = ControlFlow(function)
    let successors = function.blocks[flow.block(of: event)].successors
    guard successors.count == 2 else { return false }
    var work = [successors[1]]
    var seen: Set<Int> = [successors[1], successors[0]]
    while let block = work.popLast() {
      for number in function.blocks[block].events {
        if function.write(at: number) != nil { return true }
        if let call = function.call(at: number), !program.effects.effects(of: call, in: function).writes.isEmpty {
          return true
        }
      }
      for next in function.blocks[block].successors where seen.insert(next).inserted { work.append(next) }
    }
    return false
  }
}
