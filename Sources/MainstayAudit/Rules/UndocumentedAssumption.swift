/// MS302: code tells the compiler what it may not check, and does not say why it is true.
import MainstayFindings

enum UndocumentedAssumption: Rule {
  static let documentation = RuleDocumentation(
    id: "undocumented_assumption", code: "MS302", severity: .warning,
    claim:
      "assumeIsolated, nonisolated(unsafe) or a @preconcurrency conformance stands without the invariant that makes it "
      + "true.",
    exemptions:
      "The contract stated next to it, a boundary type, closures on the main queue itself or on the run loop of the main "
      + "actor's code, what only runs where the main thread was asked for, in a function of the main actor or as a "
      + "session's delegate on the main queue, and what an actor that names its executor gives "
      + "to it; variables that are touched with a lock held only, that are locks or handles that never change, or that "
      + "take over what is consumed or taken out.",
    fires: """
      emitter.onEvent { MainActor.assumeIsolated { model.apply() } }
      """,
    silent: """
      // Contract: the emitter calls its handlers on the main thread (Emitter.h, "Threading").
      emitter.onEvent { MainActor.assumeIsolated { model.apply() } }
      """,
    fix: "Write the contract beside it, with its source, or move it into a boundary that checks and counts it.",
    references: ["Documentation/Guide/Boundaries.md", "Documentation/Articles.md, 0.18 and 3.9"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let sections = CriticalSections(program)
    var findings: [Finding] = []
    for source in program.declarations.sources where program.ownFiles.contains(source.file) {
      // One variable that is declared for each system is one assumption.
      var seen: Set<String> = []
      for silencer in source.silencers
      where !isStated(silencer) && !isEvident(silencer, source, sections, program)
        && !isOnOwnExecutor(silencer, source, program)
      {
        if silencer.variable != nil, isMember(silencer, source, program),
          !seen.insert(silencer.function).inserted
        {
          continue
        }
        findings.append(
          builder.finding(
            in: silencer.function, module: source.module, at: silencer.location, subject: silencer.kind.rawValue,
            message: message(silencer),
            action: "write the contract and its source beside it, or move it into a boundary that checks it",
            path: [PathStep(location: silencer.location, text: "the compiler believes this unchecked")],
            confidence: .high))
      }
    }
    return findings
  }

  private static func isStated(_ silencer: Silencer) -> Bool {
    if StatedInvariant.isOne(silencer.comment) { return true }
    if let given = silencer.given,
      ["DispatchQueue.main.", "OperationQueue.main.", "RunLoop.main.", "(queue: .main)"].contains(where: {
        given.contains($0)
      })
    {
      return true
    }
    let type = silencer.type?.split(separator: ".").last.map(String.init) ?? ""
    return type.hasSuffix("Boundary") || type.contains("BoundaryAdapter")
  }

  /// Whether an actor that names its own executor is assumed in what an event loop or a queue is given to run.
  private static func isOnOwnExecutor(_ silencer: Silencer, _ source: SourceFacts, _ program: Program) -> Bool {
    guard silencer.kind == .assumeIsolated, let given = silencer.given, let name = silencer.type,
      let type = program.declarations.type(name, in: source.module), type.primary?.kind == .actor,
      type.members.contains(where: { $0.name == "unownedExecutor" }),
      let called = given.split(separator: ".").last
    else { return false }
    return ["execute", "submit", "scheduleTask", "async", "sync"].contains(called)
  }

  /// Whether the code itself shows why a variable may be left unchecked.
  private static func isEvident(
    _ silencer: Silencer, _ source: SourceFacts, _ sections: CriticalSections, _ program: Program
  ) -> Bool {
    guard let variable = silencer.variable else {
      return isGivenToMainQueue(silencer, source, program) || isGivenToMainRunLoop(silencer, source, program)
        || isOnMainAnyway(silencer, source, program) || isOnSessionsMainQueue(silencer, source, program)
    }
    // What is taken over has one owner at a time.
    if variable.isConstant, variable.value.hasPrefix("consume ") || variable.value.contains(".take()") { return true }
    if variable.isConstant, isLock(variable.type) || isLock(variable.value) || isHandle(variable.type) { return true }
    guard let name = silencer.type, let type = program.declarations.type(name, in: source.module) else { return false }
    // A box says it once, for all that it holds.
    if type.members.filter({ $0.kind == .stored && !$0.isStatic }).count == 1,
      type.all.contains(where: { StatedInvariant.namesDiscipline($0.comment) })
    {
      return true
    }
    let known = member(silencer, source, program)
    if immutable.contains(variable.type),
      variable.isConstant || known.map({ isNeverSet($0, of: name, in: source.module, program) }) == true
    {
      return true
    }
    guard let member = known, member.isMutable else { return false }
    let (unguarded, isTouched) = sections.unguarded(member, of: type)
    return isTouched && unguarded == nil && !member.modifiers.contains("public") && !member.modifiers.contains("open")
  }

  /// Whether a closure is given to a member of the type that is the main queue for good.
  private static func isGivenToMainQueue(_ silencer: Silencer, _ source: SourceFacts, _ program: Program) -> Bool {
    guard silencer.kind == .assumeIsolated, let name = silencer.type,
      let words = silencer.given?.split(separator: "."), words.count > 1,
      ["async", "asyncAfter", "sync", "addOperation", "perform"].contains(words[words.count - 1])
    else { return false }
    return program.declarations.type(name, in: source.module)?.stored(words[words.count - 2])
      .map { MainQueue.isMain($0) } ?? false
  }

  /// Closures that the run loop runs where they were given to it, and those that the frameworks of screens call back on
  /// the main thread.
  private static let runLoop = [
    "Timer", "Timer.init", "Timer.scheduledTimer", "NSAnimationContext.runAnimationGroup", "UIView.animate",
    "UIView.transition", "UIView.animateKeyframes", "CATransaction.setCompletionBlock",
  ]

  /// Whether a closure is given to the run loop by the main actor's own code: that loop is the main thread's.
  private static func isGivenToMainRunLoop(
    _ silencer: Silencer, _ source: SourceFacts, _ program: Program
  ) -> Bool {
    guard silencer.kind == .assumeIsolated, let given = silencer.given, runLoop.contains(given) else { return false }
    return program.functions.contains { function in
      function.location.file == source.file && function.isolation.isMain && !function.isClosure
        && (function.display == silencer.function || function.display == "static " + silencer.function)
    }
  }

  /// Whether the main actor is assumed where the compiler knows that the code runs on it.
  private static func isOnMainAnyway(_ silencer: Silencer, _ source: SourceFacts, _ program: Program) -> Bool {
    silencer.kind == .assumeIsolated
      && program.functions.contains { function in
        function.location.file == source.file && function.isolation.isMain
          && (function.source == .compiler || isSurelyOnMain(function, program))
          && function.events.contains { event in
            guard case .call(let call) = event.kind, event.location.line == silencer.location.line else { return false }
            return CalleePattern.normalised(call.display).hasPrefix("MainActor.assumeIsolated")
          }
      }
  }

  /// The source alone takes a closure for its function's own, whoever calls it, and what overrides for its type's, whatever
  /// it overrides.
  private static func isSurelyOnMain(_ function: FunctionFacts, _ program: Program) -> Bool {
    guard !function.isClosure, let member = program.member(of: function) else { return false }
    return !member.modifiers.contains("override")
  }

  /// Whether a session's delegate is meant that its own type gave the main queue for it.
  private static func isOnSessionsMainQueue(_ silencer: Silencer, _ source: SourceFacts, _ program: Program) -> Bool {
    guard let name = silencer.type, let type = program.declarations.type(name, in: source.module) else { return false }
    let isDelegate =
      silencer.kind == .assumeIsolated
      ? silencer.function.hasPrefix(name + ".urlSession(")
      : type.inherited.contains { $0.location == silencer.location && $0.name.hasPrefix("URLSession") }
    return isDelegate
      && program.functions(ofType: name, in: source.module).contains { index in
        program.functions[index].events.contains { event in
          guard case .call(let call) = event.kind,
            CalleePattern.normalised(call.display).hasPrefix("URLSession.init")
          else { return false }
          return MainQueue.isGiven(to: call, in: program.functions[index], program)
        }
      }
  }

  /// Classes of the system's frameworks whose objects never change, or may be used from any thread.
  private static let immutable: Set<String> = [
    "NSPredicate", "NSRegularExpression", "NSNumber", "NSURL", "NSUUID", "CGColor", "CGImage", "CGPath", "UIImage",
    "UIColor", "UIFont", "NSColor", "NSFont", "UserDefaults", "NotificationCenter", "URLSession", "FileManager",
  ]

  /// A hidden variable that initialisers alone write.
  private static func isNeverSet(
    _ member: MemberDeclaration, of type: String, in module: String, _ program: Program
  ) -> Bool {
    guard member.modifiers.contains("private") || member.modifiers.contains("fileprivate") else { return false }
    let key = type + "." + member.name
    return program.accessors(ofMember: key, in: module).allSatisfy { index in
      let function = program.functions[index]
      return function.flags.contains(.isInitializer)
        || !function.events.contains { event in
          if case .write(let write) = event.kind { return write.place.member == key }
          return false
        }
    }
  }

  private static let locks = ["mutex", "lock", "cond", "semaphore", "atomic"]

  /// The number or the pointer by which a system knows a thread or a file: a copy of it is as good.
  private static func isHandle(_ type: String) -> Bool {
    ["pthread_t", "HANDLE", "SOCKET"].contains(type) || type.hasSuffix("Descriptor")
  }

  private static func isLock(_ text: String) -> Bool {
    let lower = text.prefix { $0 != "(" }.lowercased()
    return locks.contains { lower.contains($0) }
  }

  /// The stored member that a silencer stands before; nil for one of a function's own.
  private static func member(_ silencer: Silencer, _ source: SourceFacts, _ program: Program) -> MemberDeclaration? {
    guard let name = silencer.type, let type = program.declarations.type(name, in: source.module) else { return nil }
    return type.members.first { member in
      member.kind == .stored && silencer.function == name + "." + member.name
        && member.location.file == source.file && member.location.line == silencer.location.line
    }
  }

  private static func isMember(_ silencer: Silencer, _ source: SourceFacts, _ program: Program) -> Bool {
    member(silencer, source, program) != nil
  }

  private static func message(_ silencer: Silencer) -> String {
    switch silencer.kind {
    case .assumeIsolated:
      let place = silencer.given.map { $0.isEmpty ? "" : " in the closure given to \($0)" } ?? ""
      return "assumeIsolated\(place) relies on a contract that is not stated"
    case .nonisolatedUnsafe: return "\(silencer.function) is nonisolated(unsafe), and nothing says what protects it"
    case .preconcurrencyConformance:
      return "this @preconcurrency conformance relies on where the other side calls, which is not stated"
    }
  }
}
