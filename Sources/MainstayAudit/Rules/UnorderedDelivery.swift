/// MS403: each value is carried to an actor by a task of its own, and tasks may overtake one another.
import MainstayFindings

enum UnorderedDelivery: Rule {
  static let documentation = RuleDocumentation(
    id: "unordered_delivery", code: "MS403", severity: .warning,
    claim: "A callback or loop starts one task per value into an actor whose state depends on their order.",
    exemptions:
      "One-shot actions and those of a view, its bindings' setters among them, handlers that are called or set once, "
      + "tasks that wait for the one before, and state that comes out the same in any order: counters, sets, entries "
      + "under a key. A loop that tells each of several actors the same.",
    fires: """
      func session(_ session: Session, didReceive packet: Packet) {
        Task { await assembler.append(packet) }     // packet 2 may be appended before packet 1
      }
      """,
    silent: """
      func session(_ session: Session, didReceive packet: Packet) { continuation.yield(packet) }
      // one task: for await packet in packets { await assembler.append(packet) }
      """,
    fix: "Put the values into an AsyncStream and consume it in one task, or deliver through a HoppingBoundary.",
    references: ["Documentation/Guide/Boundaries.md", "Documentation/Articles.md, 3.4"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where program.isOwn(function) {
      for (number, event) in function.events.enumerated() {
        guard case .call(let call) = event.kind, call.isDiscarded, let spawn = Spawn(call), let closure = spawn.closure,
          let body = program.function(named: closure.function),
          let delivery = delivery(body, program),
          let source = source(of: number, in: index, closure, to: delivery, program)
        else { continue }
        let target = delivery.name
        findings.append(
          builder.finding(
            about: index, at: event.location, subject: target,
            message: "one task for each value (\(source)) calls \(target): the values may arrive in another order",
            action: "send them through an AsyncStream that one task consumes, or through a HoppingBoundary",
            path: [
              PathStep(location: event.location, text: "a task for each value is started here"),
              PathStep(
                location: delivery.location, text: "it brings its value to \(target), whose result depends on the order"
              ),
            ], severity: delivery.isClosureOfMain ? .note : nil, confidence: .medium))
      }
    }
    return SinkFindings.unique(findings)
  }

  private static let callbackWords = [
    "didReceive", "didUpdate", "didOutput", "didChange", "didGet", "receive", "handle", "process", "consume", "observe",
    "ingest",
  ]

  /// Whether a function's name or one of its labels says that a value comes in: `socket(_:didReceive:)`. A `handler:` that it
  /// is given is none.
  private static func isCalledBack(_ display: String, by name: String) -> Bool {
    let labels = display.drop { $0 != "(" }.dropFirst().split { $0 == ":" || $0 == ")" }
    return callbackWords.contains { word in
      name.contains(word)
        || labels.contains { $0.hasPrefix(word) && $0.dropFirst(word.count).first?.isLowercase != true }
    }
  }

  /// Whether a handler's name says that it is called with one value after the other: `onFrame`, `dataHandler`.
  private static func isStream(_ member: String) -> Bool {
    let name = (member.split(separator: ".").last ?? "").lowercased()
    return !onceWords.contains { name.contains($0) }
      && ["receive", "update", "output", "progress", "frame", "packet", "sample", "chunk", "message", "data", "bytes"]
        .contains { name.contains($0) }
  }

  private static let onceWords = [
    "completion", "terminationhandler", "didcomplete", "didfinish", "didfail", "didclose", "didterminate",
    "didbecomeinvalid", "didinvalidate",
  ]

  /// Whether a handler or a delegate's method hears of an end, which comes once.
  private static func isCalledOnce(_ display: String) -> Bool {
    // The type that it belongs to says nothing of that.
    let path = display.prefix { $0 != "(" }.split(separator: ".")
    let isAccessor = path.last.map { $0 == "setter" || $0 == "getter" } ?? false
    let name = path.suffix(isAccessor ? 2 : 1).joined(separator: ".") + display.drop { $0 != "(" }
    let lower = name.lowercased()
    return onceWords.contains { lower.contains($0) }
  }

  /// Why the task is started once for each value: it is in a loop, a delegate's method or a handler that is kept.
  private static func source(
    of spawn: Int, in index: Int, _ closure: ClosureValue, to delivery: Delivery, _ program: Program
  ) -> String? {
    let function = program.functions[index]
    let flow = ControlFlow(function)
    let takesValue = closure.captures.contains { capture in
      program.effects.expanded(capture.origins, in: function).contains { isValue($0, of: function) }
    }
    if flow.loopBlocks.contains(flow.block(of: spawn)), !tellsEachTheSame(spawn, closure, delivery, flow, program) {
      return "in a loop"
    }
    guard takesValue else { return nil }
    if function.isClosure {
      for creator in program.creators[index] ?? [] {
        guard let call = program.functions[creator.function].call(at: creator.event) else { continue }
        let keeps = call.arguments.flatMap(\.closure).contains { $0.function == function.name && $0.escapes }
        let name = CalleePattern.normalised(call.display)
        if name.contains(".forEach(") { return "in a loop" }
        if isCalledOnce(name) || name.hasPrefix("AsyncStream.init") || name.hasPrefix("AsyncThrowingStream.init")
          || isAct(name, from: creator.function, program) || isSetter(name, from: creator.function, program)
        {
          continue
        }
        // Of a closure that was passed in nothing tells how often it calls what it is given.
        if case .parameter = call.callee { continue }
        if keeps, Spawn(call) == nil { return "in the handler given to \(name)" }
      }
      // A view hands out what a person's acts call, one at a time.
      if Program.enclosingType(function.display).map({ program.layout.isView($0, in: function.module) }) ?? false {
        return nil
      }
      return program.keepers(of: function.name).first { isStream($0) }.map {
        "in the handler that \(SILValueFlow.memberName($0)) keeps"
      }
    }
    guard !function.isAsync, !isCalledOnce(function.display) else { return nil }
    return isCallback(index, program) ?? forwarded(index, program)
  }

  /// Whether only callbacks call a function, which hands on what they were given.
  private static func forwarded(_ index: Int, _ program: Program) -> String? {
    let callers = program.callers[index] ?? []
    guard !callers.isEmpty, !program.isWitness(index) else { return nil }
    var found: String?
    for caller in callers {
      let function = program.functions[caller.function]
      guard !function.isAsync, !function.isClosure, !isCalledOnce(function.display),
        let name = isCallback(caller.function, program), let call = function.call(at: caller.event),
        call.arguments.enumerated().contains(where: { position, argument in
          position != call.receiver
            && program.effects.expanded(argument.origins, in: function).contains { isValue($0, of: function) }
        })
      else { return nil }
      found = found ?? name
    }
    return found
  }

  private static func isCallback(_ index: Int, _ program: Program) -> String? {
    let function = program.functions[index]
    let name = Program.memberName(function.display)
    // A handler is set when its owner is set up: `onEvent = { … }`.
    if name.hasPrefix("on"), function.display.hasSuffix(".setter") { return nil }
    // What a view calls `onTap` is a person's act, one at a time.
    let isAct = Program.enclosingType(function.display).map { program.layout.isView($0, in: function.module) } ?? false
    let isCallback =
      program.isWitness(index) || isCalledBack(function.display, by: name)
      || name.hasPrefix("on") && !isAct
    return isCallback ? "in \(name)" : nil
  }

  /// Whether a view is made with the handler: `Composer(send: { … })`. What it is given is a person's act, one at a time,
  /// unless its name speaks of a stream.
  private static func isAct(_ called: String, from function: Int, _ program: Program) -> Bool {
    let base = called.prefix { $0 != "(" }
    let maker = program.functions[function]
    guard base.hasSuffix(".init"), let type = Program.enclosingType(maker.display),
      [type, String(base.dropLast(".init".count))].allSatisfy({ program.layout.isView($0, in: maker.module) })
    else { return false }
    let labels = called.dropFirst(base.count).lowercased()
    return !["receive", "update", "output", "progress", "frame", "event", "change"].contains { labels.contains($0) }
  }

  /// Whether a view makes a binding with it, `Binding(get: { … }, set: { … })`, for a control: a person sets that.
  private static func isSetter(_ called: String, from function: Int, _ program: Program) -> Bool {
    let base = called.prefix { $0 != "(" }
    let labels = called.dropFirst(base.count)
    let isBinding =
      base.hasSuffix("Binding.init") && labels.contains("set:") || base == "init" && labels == "(get:set:)"
    let maker = program.functions[function]
    return isBinding
      && Program.enclosingType(maker.display).map { program.layout.isView($0, in: maker.module) } ?? false
  }

  /// Whether each turn of a loop brings the same to another actor: each hears of it once.
  private static func tellsEachTheSame(
    _ spawn: Int, _ closure: ClosureValue, _ delivery: Delivery, _ flow: ControlFlow, _ program: Program
  ) -> Bool {
    guard let receiver = delivery.receiver, let body = program.function(named: closure.function) else { return false }
    let loop = flow.loop(around: flow.block(of: spawn))
    let parameters = program.functions[body].parameters.suffix(closure.captures.count).map(\.name)
    guard parameters.count == closure.captures.count, parameters.contains(receiver) else { return false }
    return zip(parameters, closure.captures).allSatisfy { name, capture in
      let changes = program.effects.expanded(capture.origins, in: flow.function).contains {
        $0 >= 0 && loop.contains(flow.block(of: Int($0)))
      }
      return changes == (name == receiver)
    }
  }

  private static func isValue(_ member: Int32, of function: FunctionFacts) -> Bool {
    function.parameter(of: member).map { $0.name != "self" && !$0.isCapture } ?? false
  }

  private struct Delivery {
    var name: String
    var location: SourceLocation
    /// The actor, by its name in the task's closure.
    var receiver: String?
    /// The task's own closure runs on the main actor, whose queue is served in order.
    var isClosureOfMain: Bool
  }

  /// The call that changes an actor's state in a way that depends on the order of calls.
  private static func delivery(_ body: Int, _ program: Program) -> Delivery? {
    let function = program.functions[body]
    for event in function.events {
      switch event.kind {
      case .call(let call):
        // `await previous?.value`: each task waits for the one before it.
        if call.suspends, Spawn.isTask(call.display), call.display.contains("value.getter") { return nil }
        for target in program.targets(of: call).flatMap({ program.unwrapped($0) })
        where program.functions[target].isolation.isActor && dependsOnOrder(target, program) {
          return Delivery(
            name: program.functions[target].display, location: event.location,
            receiver: call.receiverRoot.map { String($0.prefix { $0 != "." }) },
            isClosureOfMain: function.isolation.isMain && !call.suspends)
        }
      default: break
      }
    }
    return nil
  }

  /// Appends, or stores what it was given: a later call undoes or follows an earlier one.
  private static func dependsOnOrder(_ target: Int, _ program: Program) -> Bool {
    let function = program.functions[target]
    for write in program.effects.of(target).writes where write.place.root == "self" || write.place.root == "global" {
      guard write.origins.members.contains(where: { isValue($0, of: function) }) else { continue }
      if write.isPartial {
        if appends(target, program, depth: 0) { return true }
      } else if !isAccumulated(write.place, in: function, program) {
        return true
      }
    }
    return false
  }

  /// Whether a function, or one that it calls at once, puts something at the end of what was there, or at a place in it.
  private static func appends(_ index: Int, _ program: Program, depth: Int) -> Bool {
    program.functions[index].events.contains { event in
      guard case .call(let call) = event.kind else { return false }
      let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
      if base.hasSuffix(".append") || base.hasSuffix(".insert") && call.display.contains("at:")
        || base.hasSuffix(".write") || base.contains("Array.+=") || base.contains("String.+=")
      {
        return true
      }
      return depth < 2 && !call.suspends
        && program.ownTargets(of: call).contains { $0 != index && appends($0, program, depth: depth + 1) }
    }
  }

  /// `total += x` comes out the same in any order.
  private static func isAccumulated(_ place: Place, in function: FunctionFacts, _ program: Program) -> Bool {
    function.events.contains { event in
      guard case .write(let write) = event.kind, write.place == place else { return false }
      return program.effects.places(of: write.origins, in: function).contains { $0.place == place }
    }
  }
}
