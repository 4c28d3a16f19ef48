/// MS201: an actor's state is tested, the job is suspended, and the state is changed without a new test.
import MainstayFindings

enum CheckThenAct: Rule {
  static let documentation = RuleDocumentation(
    id: "check_then_act", code: "MS201", severity: .warning,
    claim: "State that was checked or copied before an await is changed after it as if nothing had happened meanwhile.",
    exemptions:
      "A flag or a table entry set before the await, a new check after it, a change made before and undone after, an "
      + "entry under a key that was made for it, what only notes that the await failed, code that only runs inside a "
      + "lock-like closure, or in a task of which one at a time goes on. Resets to a constant are notes.",
    fires: """
      actor Wallet {
        func pay(_ amount: Int) async throws {
          guard balance >= amount else { throw Refused() }
          try await fraud.approve(amount)      // other payments run here
          balance -= amount
        }
      }
      """,
    silent: """
      func pay(_ amount: Int) async throws {
        try await fraud.approve(amount)
        guard balance >= amount else { throw Refused() }
        balance -= amount
      }
      """,
    fix:
      "Check again after the await, do the slow part first, or change the state before the await and undo it on "
      + "failure.",
    references: ["Swift Evolution SE-0306, actor reentrancy", "Documentation/Articles.md, 4.5"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let lone = LoneRuns(program)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where isCandidate(function, index, program) {
      findings += CheckThenActSearch(index, builder, lone).findings()
    }
    return findings
  }

  private static func isCandidate(_ function: FunctionFacts, _ index: Int, _ program: Program) -> Bool {
    function.isAsync && function.isolation.isActor && program.isOwn(function)
      && !function.flags.contains(.isInitializer) && !function.flags.contains(.isDeinitializer)
      && function.events.indices.contains { function.suspends($0) } && !program.locks.isSerialised(index)
  }
}
