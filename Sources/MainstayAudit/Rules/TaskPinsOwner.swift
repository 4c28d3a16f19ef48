/// MS402: a stored, endless task holds its owner, whose deinitialiser was to cancel it.
import MainstayFindings

enum TaskPinsOwner: Rule {
  static let documentation = RuleDocumentation(
    id: "task_pins_owner", code: "MS402", severity: .warning,
    claim: "A task that its owner stores holds that owner strongly through an endless loop: neither is ever let go.",
    exemptions:
      "A strong reference taken anew in each round; a note where something else than deinit cancels the task.",
    fires: """
      task = Task { [weak self] in
        guard let self else { return }                    // held from here on, for ever
        for await value in values { self.apply(value) }
      }
      """,
    silent: """
      task = Task { [weak self, values] in
        for await value in values {
          guard let self else { return }
          self.apply(value)
        }
      }
      """,
    fix: "Capture self weakly and make it strong inside the loop, or cancel the task from outside the owner.",
    references: ["Documentation/Articles.md, 0.12"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where program.isOwn(function) {
      for (number, event) in function.events.enumerated() {
        guard case .call(let call) = event.kind, !call.isDiscarded, let spawn = Spawn(call),
          let closure = spawn.closure,
          let body = program.function(named: closure.function), let member = stored(number, in: function, program),
          isReference(function, program), let endless = program.endlessLoop(of: body),
          let hold = hold(body, endless, program)
        else { continue }
        let type = Program.enclosingType(function.display) ?? "its owner"
        let looping = program.functions[endless.function]
        let isCancelledElsewhere = isCancelled(member, of: function, program)
        findings.append(
          builder.finding(
            about: index, at: hold, subject: String(SILValueFlow.memberName(member)),
            message:
              "the task in \(SILValueFlow.memberName(member)) holds \(type) strongly through an endless loop: "
              + "\(type) is never released",
            action: "capture self weakly, and make it strong inside the loop only",
            path: [
              PathStep(location: event.location, text: "the task is started and stored by \(type)"),
              PathStep(location: hold, text: "self is strong from here on"),
              PathStep(location: looping.events[endless.loop.start].location, text: "the loop that nothing ends"),
            ], severity: isCancelledElsewhere ? .note : nil, confidence: .high))
      }
    }
    return SinkFindings.unique(findings)
  }

  /// The member of the owner that keeps the task.
  private static func stored(_ spawn: Int, in function: FunctionFacts, _ program: Program) -> String? {
    for event in function.events {
      guard case .write(let write) = event.kind, write.place.root == "self" || write.place.root.hasPrefix("self."),
        program.effects.expanded(write.origins, in: function).contains(Int32(spawn))
      else { continue }
      return write.place.member
    }
    return nil
  }

  private static func isReference(_ function: FunctionFacts, _ program: Program) -> Bool {
    guard let kind = program.type(of: function)?.primary?.kind else { return true }
    return kind == .class || kind == .actor
  }

  /// Where self becomes strong for the rest of the task's life, or nil when it is only borrowed in each round.
  private static func hold(
    _ body: Int, _ endless: (function: Int, loop: EndlessLoop, call: Int?), _ program: Program
  ) -> SourceLocation? {
    let function = program.functions[body]
    guard let position = function.parameters.firstIndex(where: { $0.name == "self" && $0.isCapture }) else {
      return nil
    }
    guard function.parameters[position].isWeak else {
      return usesSelf(body, endless, program) ? function.location : nil
    }
    let strong = function.events.indices.filter { function.events[$0].kind == .retain("self") }
    if let call = endless.call {
      // A method of the owner, awaited for the rest of its life: whoever calls it holds it.
      guard let before = strong.last(where: { $0 < call }),
        function.call(at: call)?.receiverRoot?.hasPrefix("self") == true
      else { return nil }
      return function.events[before].location
    }
    let flow = ControlFlow(function)
    let inside = strong.filter { endless.loop.blocks.contains(flow.block(of: $0)) }
    guard inside.isEmpty, let before = strong.last(where: { $0 < endless.loop.start }),
      touchesSelf(function, in: endless.loop)
    else { return nil }
    return function.events[before].location
  }

  private static func usesSelf(
    _ body: Int, _ endless: (function: Int, loop: EndlessLoop, call: Int?), _ program: Program
  ) -> Bool {
    program.functions[body].events.contains { touches($0) }
  }

  private static func touchesSelf(_ function: FunctionFacts, in loop: EndlessLoop) -> Bool {
    loop.blocks.contains { block in function.blocks[block].events.contains { touches(function.events[$0]) } }
  }

  private static func touches(_ event: Event) -> Bool {
    func isSelf(_ root: String?) -> Bool { root == "self" || root?.hasPrefix("self.") == true }
    switch event.kind {
    case .read(let place): return isSelf(place.root)
    case .write(let write): return isSelf(write.place.root)
    case .call(let call): return call.arguments.contains { isSelf($0.root) }
    default: return false
    }
  }

  /// Whether a function other than the deinitialiser, and other than the one that starts anew, cancels the stored task.
  private static func isCancelled(_ member: String, of starter: FunctionFacts, _ program: Program) -> Bool {
    let name = SILValueFlow.memberName(member)
    guard let type = Program.enclosingType(starter.display) else { return false }
    // A member that is no task itself, such as the state of a state machine, hands the task out again to be cancelled.
    let declared = program.declarations.type(type, in: starter.module)?.stored(name)?.type
    let isState = declared.map { !$0.isEmpty && !$0.contains("Task") && !$0.contains("Cancellable") } ?? false
    var cancelling: Set<Int> = []
    for index in program.functions(ofType: type, in: starter.module) {
      let function = program.functions[index]
      let cancels = function.events.contains { event in
        guard case .call(let call) = event.kind else { return false }
        if cancelsEach(call, of: name, program) { return true }
        guard CalleePattern.normalised(call.display).hasSuffix(".cancel()") else { return false }
        if isState, Spawn.isTask(call.display) { return true }
        return call.receiverRoot?.contains(name) == true
          || call.receiver.map { receiver in
            program.effects.places(of: call.arguments[receiver].origins, in: function).contains {
              $0.place.member == member
            }
          } == true
      }
      if cancels { cancelling.insert(index) }
    }
    // A helper of the deinitialiser and of functions that start anew ends nothing before its owner does.
    func isOther(_ index: Int) -> Bool {
      let function = program.functions[index]
      return !function.flags.contains(.isDeinitializer) && function.name != starter.name
        && !startsAnew(function, program)
    }
    return cancelling.contains { index in
      guard isOther(index) else { return false }
      let callers = (program.callers[index] ?? []).map(\.function).filter { $0 != index }
      return callers.isEmpty || program.isWitness(index) || callers.contains(where: isOther)
    }
  }

  /// Whether a function puts a new task into some member of its object.
  private static func startsAnew(_ function: FunctionFacts, _ program: Program) -> Bool {
    function.events.contains { event in
      guard case .write(let write) = event.kind, write.place.root == "self" || write.place.root.hasPrefix("self.")
      else { return false }
      return program.effects.expanded(write.origins, in: function).contains { source in
        source >= 0 && function.call(at: Int(source)).flatMap { Spawn($0) } != nil
      }
    }
  }

  /// `tasks.forEach { $0.cancel() }`, of the member that keeps them.
  private static func cancelsEach(_ call: Call, of name: Substring, _ program: Program) -> Bool {
    guard CalleePattern.normalised(call.display).contains("forEach("),
      call.arguments.contains(where: { $0.root?.split(separator: ".").contains(name) == true })
    else { return false }
    return call.arguments.flatMap(\.closure).compactMap { program.function(named: $0.function) }.contains { closure in
      program.functions[closure].events.contains { event in
        guard case .call(let inner) = event.kind else { return false }
        let called = CalleePattern.normalised(inner.display)
        return called == "cancel()" || called.hasSuffix(".cancel()")
      }
    }
  }
}
