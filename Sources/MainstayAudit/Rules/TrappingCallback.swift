/// MS304: a closure that the compiler guards with an executor check, given to code that promises nothing.
import MainstayFindings

enum TrappingCallback: Rule {
  static let documentation = RuleDocumentation(
    id: "trapping_callback", code: "MS304", severity: .warning,
    claim:
      "An isolated closure or witness is handed to code that does not say where it calls: off the actor, the "
      + "program stops.",
    exemptions:
      "Closures that do not escape, or that are kept and called on their own actor; assumeIsolated bodies, "
      + "deinitialisers, the standard library's collections, functions that are documented to call on the main actor, and those that take an "
      + "@isolated(any) closure, such as Observations: it runs where it belongs.",
    fires: """
      // `register` comes from C or from a module in Swift 5 mode.
      @MainActor func start() { register { self.count += 1 } }    // traps when called from another thread
      """,
    silent: """
      @MainActor func start() { register { @Sendable in Task { @MainActor in self.count += 1 } } }
      """,
    fix: "Take the value in a @Sendable closure and hop, or state and assert the contract at a boundary.",
    references: ["Swift Evolution SE-0423, dynamic actor isolation", "Documentation/Articles.md, 3.1 to 3.3"])

  /// Functions that are documented to call their closure on the main actor or thread.
  private static let callsOnMain = [
    "DispatchQueue.async", "DispatchQueue.asyncAfter", "OS_dispatch_queue.async", "OS_dispatch_queue.asyncAfter",
    "RunLoop.perform", "UIView.animate", "NSAnimationContext.runAnimationGroup", "withAnimation",
    "CATransaction.setCompletionBlock", "MainActor.run", "MainActor.assumeIsolated",
  ]

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where isChecked(function) {
      if function.isClosure {
        findings += closure(index, builder)
      } else if function.flags.contains(.isThunk), function.display.hasPrefix("protocol witness for ") {
        if let finding = witness(index, builder) { findings.append(finding) }
      }
    }
    return SinkFindings.unique(findings)
  }

  private static func isChecked(_ function: FunctionFacts) -> Bool {
    !function.flags.contains(.isDeinitializer) && function.events.contains { $0.kind == .executorCheck }
  }

  private static func closure(_ index: Int, _ builder: FindingBuilder) -> [Finding] {
    let program = builder.program
    let function = program.functions[index]
    guard program.isOwn(function) || function.flags.contains(.isThunk) else { return [] }
    // C gets a thunk that calls the closure; whoever is given the thunk is given the closure.
    var names = [function.name]
    var uses = program.creators[index] ?? []
    for caller in program.callers[index] ?? [] where program.functions[caller.function].flags.contains(.isThunk) {
      names.append(program.functions[caller.function].name)
      uses += program.creators[caller.function] ?? []
    }
    for creator in uses {
      guard let call = program.functions[creator.function].call(at: creator.event) else { continue }
      let escapes = call.arguments.contains { argument in
        argument.closure.contains { names.contains($0.function) && $0.escapes }
      }
      let name = CalleePattern.normalised(call.display)
      // A lazy sequence runs its closure for whoever goes through it, which is hardly ever somebody else.
      if !escapes || name.hasPrefix("LazySequenceProtocol.") || name.hasPrefix("LazyCollectionProtocol.")
        || isOfStandardLibrary(call)
        || callsOnMain.contains(where: { name.hasPrefix($0) })
        || MainQueue.isGiven(to: call, in: program.functions[creator.function], program) || isPromised(call)
        || isKeptAndCalledAtHome(index, program)
      {
        continue
      }
      return [
        builder.finding(
          about: index, at: function.location, subject: name,
          message:
            "this closure is checked to run on \(actor(function)), but \(name) does not say where it calls: "
            + "elsewhere the program stops",
          action: "pass a @Sendable closure that hops, or assert the contract in a boundary adapter",
          path: [
            PathStep(
              location: program.functions[creator.function].events[creator.event].location, text: "given to \(name)"),
            PathStep(location: function.location, text: "the compiler checks the executor at its start"),
          ], confidence: .high)
      ]
    }
    return []
  }

  /// The standard library has no thread of its own: its collections keep what they are given, and whoever takes it out of
  /// them calls it. The concurrency library, which is spelled alike, and what comes from C are others.
  private static func isOfStandardLibrary(_ call: Call) -> Bool {
    guard let symbol = call.callee.symbol, symbol.hasPrefix("$sS") || symbol.hasPrefix("$ss") else { return false }
    return !["$sSc", "$sSo", "$sSC"].contains { symbol.hasPrefix($0) }
  }

  /// Whether our own code keeps the closure in a member, and all that calls that member runs on the closure's actor.
  private static func isKeptAndCalledAtHome(_ index: Int, _ program: Program) -> Bool {
    let home = program.functions[index].isolation
    var isCalled = false
    for function in program.functions {
      for event in function.events {
        guard case .call(let call) = event.kind, case .member = call.callee, program.targets(of: call).contains(index)
        else { continue }
        if function.isolation != home { return false }
        isCalled = true
      }
    }
    return isCalled
  }

  /// The parameter's type is a promise: its function runs on the main actor, or, with `@isolated(any)`, where the closure
  /// itself says, or on the actor of what a generic callee takes or keeps.
  private static func isPromised(_ call: Call) -> Bool {
    if call.hasIsolatedTypeArgument { return true }
    return switch call.callee {
    case .function(let name): SILDialect.takesIsolatedFunction(symbol: name)
    case .method(let key), .witness(let key): key.contains("@MainActor") || key.contains("@isolated(any)")
    case .parameter, .member, .unknown: false
    }
  }

  private static func witness(_ index: Int, _ builder: FindingBuilder) -> Finding? {
    let program = builder.program
    let function = program.functions[index]
    guard let target = program.unwrapped(index).first(where: { program.isOwn(program.functions[$0]) }) else {
      return nil
    }
    let witness = program.functions[target]
    if isStated(witness, program) { return nil }
    return builder.finding(
      about: target, at: witness.location, subject: "witness",
      message:
        "\(witness.display) is checked to run on \(actor(witness)), but its protocol does not say where it is "
        + "called: elsewhere the program stops",
      action: "make the requirement nonisolated and hop, or use an isolated conformance",
      path: [
        PathStep(location: witness.location, text: "the compiler checks the executor before it, in \(function.display)")
      ], confidence: .high)
  }

  /// A @preconcurrency conformance that says why it holds.
  private static func isStated(_ witness: FunctionFacts, _ program: Program) -> Bool {
    guard let type = Program.enclosingType(witness.display) else { return false }
    return program.declarations.sources.contains { source in
      source.module == witness.module
        && source.silencers.contains {
          $0.kind == .preconcurrencyConformance && $0.type == type && StatedInvariant.isOne($0.comment)
        }
    }
  }

  private static func actor(_ function: FunctionFacts) -> String {
    switch function.isolation {
    case .globalActor(let name): name
    case .selfActor: Program.enclosingType(function.display) ?? "its actor"
    default: "its actor"
    }
  }
}
