/// MS505: a helper on an isolated type touches none of its state: it could run anywhere.
import MainstayFindings

enum CouldBeNonisolated: Rule {
  static let documentation = RuleDocumentation(
    id: "could_be_nonisolated", code: "MS505", severity: .note,
    claim: "A synchronous helper of an isolated type touches no isolated state: it need not be called with await.",
    exemptions:
      "Requirements of protocols, overrides, actions, and helpers that call isolated code, or C code whose threads nobody "
      + "states: a toolkit's calls belong where they are.",
    fires: """
      @MainActor final class SearchModel {
        func cacheKey(_ query: String) -> String { query.lowercased() }    // no state at all
      }
      """,
    silent: """
      @MainActor final class SearchModel {
        nonisolated func cacheKey(_ query: String) -> String { query.lowercased() }
      }
      """,
    fix: "Mark it nonisolated, so that any executor may call it.",
    references: ["Documentation/Articles.md, 2.3"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where isCandidate(index, function, program) {
      guard !function.events.isEmpty, function.events.allSatisfy({ isFree($0, of: function, program) }),
        let member = program.member(of: function), member.kind == .function || member.kind == .computed, allows(member)
      else { continue }
      findings.append(
        builder.finding(
          about: index, at: member.location, subject: function.display,
          message: "\(function.display) touches no isolated state: it could be nonisolated",
          action: "mark it nonisolated, so that no caller needs to hop for it",
          path: [PathStep(location: member.location, text: "isolated to \(program.isolation(of: index))")],
          confidence: .medium))
    }
    return SinkFindings.unique(findings)
  }

  private static func isCandidate(_ index: Int, _ function: FunctionFacts, _ program: Program) -> Bool {
    let skipped: FunctionFacts.Flags = [
      .isThunk, .isClosure, .isImplicit, .isInitializer, .isDeinitializer, .isGlobalInitializer,
    ]
    guard function.isolation.isActor, !function.isAsync, function.flags.isDisjoint(with: skipped),
      program.isOwn(function), !function.display.hasSuffix(".setter"), !function.display.hasSuffix(".modify"),
      !function.display.hasSuffix(".read"), InnerFunction(function.display) != .deferred, !program.isWitness(index),
      Program.enclosingType(function.display) != nil, !program.layout.isLayout(index)
    else { return false }
    if let type = program.type(of: function), type.attributes.contains("main") { return false }
    return true
  }

  private static func allows(_ member: MemberDeclaration) -> Bool {
    let kept: Set<String> = [
      "override", "nonisolated", "required", "dynamic", "open",
    ]
    let attributes: Set<String> = [
      "objc", "IBAction", "ViewBuilder", "Test", "MainActor", "inlinable", "usableFromInline",
    ]
    return kept.isDisjoint(with: member.modifiers) && attributes.isDisjoint(with: member.attributes)
  }

  /// C functions that depend on their arguments alone.
  private static let pureC: Set<String> = [
    "sin", "cos", "tan", "atan2", "sqrt", "pow", "exp", "log", "log2", "log10", "floor", "ceil", "round", "fabs",
    "fmod", "hypot", "cbrt", "strlen", "strcmp", "strncmp", "memcmp", "isatty",
  ]

  /// Whether an event could happen on any executor.
  ///
  /// - Parameter open: the functions that are being looked at: one that is given to itself adds nothing.
  private static func isFree(
    _ event: Event, of function: FunctionFacts, _ program: Program, open: Set<Int> = []
  ) -> Bool {
    switch event.kind {
    case .read, .write, .hop, .executorCheck, .retain: return false
    case .branch: return true
    case .call(let call):
      if call.arguments.contains(where: { $0.root == "self" || $0.root?.hasPrefix("self.") == true }) { return false }
      guard call.executor == .own, !call.isAsync else { return false }
      for argument in call.arguments {
        for closure in argument.closure {
          guard let body = program.function(named: closure.function), !closure.escapes,
            isFree(body, inside: function, program, open)
          else { return false }
        }
      }
      // What C code needs, its declaration does not say: a toolkit wants to be called on one thread.
      if let name = call.cName, !pureC.contains(name) { return false }
      switch call.callee {
      case .function(let name):
        if let target = program.function(named: name) {
          return !program.functions[target].isolation.isActor || isPure(target, program, open)
        }
        return program.importedIsolation(of: name).map { !$0.isActor } ?? true
      case .witness, .method, .member, .unknown:
        return SILDialect.foreignPrefixes.contains { call.callee.symbol?.hasPrefix($0) == true }
          || program.targets(of: call).allSatisfy { !program.functions[$0].isolation.isActor }
      case .parameter: return false
      }
    }
  }

  /// A closure or defer body of the function itself.
  private static func isPure(_ target: Int, _ program: Program, _ open: Set<Int>) -> Bool {
    let function = program.functions[target]
    return (function.isClosure || InnerFunction(function.display) == .deferred)
      && isFree(target, inside: function, program, open)
  }

  private static func isFree(
    _ body: Int, inside function: FunctionFacts, _ program: Program, _ open: Set<Int>
  ) -> Bool {
    open.contains(body)
      || program.functions[body].events.allSatisfy { isFree($0, of: function, program, open: open.union([body])) }
  }
}
