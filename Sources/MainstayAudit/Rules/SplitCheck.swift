/// MS202: a decision taken from one visit to an actor, acted on in another visit.
import MainstayFindings

enum SplitCheck: Rule {
  static let documentation = RuleDocumentation(
    id: "split_check", code: "MS202", severity: .warning,
    claim:
      "What one await on an actor returned decides what another await on the same actor changes; others may "
      + "change it in between.",
    exemptions:
      "The second call checks again itself, changes other state than the first one read, or visits an actor that the "
      + "first call gave back.",
    fires: """
      func transfer(_ amount: Int) async throws {
        guard await store.balance >= amount else { throw Refused() }
        await store.debit(amount)            // another transfer may have been here
      }
      """,
    silent: """
      extension Store {
        func debit(_ amount: Int) throws {
          guard balance >= amount else { throw Refused() }
          balance -= amount
        }
      }
      func transfer(_ amount: Int) async throws { try await store.debit(amount) }
      """,
    fix: "Move check and change into one synchronous function of the actor, or put the types on one global actor.",
    references: ["Documentation/Articles.md, 4.3 and 4.4"])

  private struct Visit {
    var event: Int
    var actor: String
    var reads: [Place]
    var writes: [WriteEffect]
  }

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where function.isAsync && program.isOwn(function) {
      if program.locks.isSerialised(index) { continue }
      let visits = visits(in: function, program)
      if visits.count < 2 { continue }
      if let finding = finding(in: index, visits, builder) { findings.append(finding) }
    }
    return findings
  }

  /// The awaited calls on another actor, with what they read and write there.
  private static func visits(in function: FunctionFacts, _ program: Program) -> [Visit] {
    var visits: [Visit] = []
    for (number, event) in function.events.enumerated() {
      guard case .call(let call) = event.kind, call.suspends else { continue }
      guard let actor = actor(of: call, in: function, program) else {
        visits += asked(by: call, at: number, in: function, program)
        continue
      }
      let effects = program.effects.effects(of: call, in: function)
      if effects.reads.isEmpty, effects.writes.isEmpty { continue }
      visits.append(
        Visit(event: number, actor: actor, reads: effects.reads.map(\.place), writes: effects.writes))
    }
    return visits
  }

  /// An async helper of the caller's own that visits another actor, or a child task that does: its answer is that visit's,
  /// and so is its change where it does not look first.
  private static func asked(
    by call: Call, at event: Int, in function: FunctionFacts, _ program: Program, depth: Int = 0
  ) -> [Visit] {
    guard call.isAsync, depth < 3,
      let (target, arguments) = helper(of: call, in: function, program)
    else { return [] }
    let helper = program.functions[target]
    var visits: [Visit] = []
    for (number, event) in helper.events.enumerated() {
      guard case .call(let inner) = event.kind, inner.suspends else { continue }
      guard let actor = actor(of: inner, in: helper, program) else {
        visits += asked(by: inner, at: number, in: helper, program, depth: depth + 1)
        continue
      }
      let effects = program.effects.effects(of: inner, in: helper)
      // What nobody looks at is no answer.
      visits.append(
        Visit(
          event: number, actor: actor, reads: inner.isDiscarded ? [] : effects.reads.map(\.place),
          writes: effects.writes))
    }
    return visits.compactMap { visit in
      guard let actor = translated(visit.actor, of: helper, arguments) else { return nil }
      func moved(_ place: Place) -> Place? {
        if actor == visit.actor, !place.root.hasPrefix(actor) { return place }
        return translated(place.root, of: helper, arguments).map { Place(root: $0, member: place.member) }
      }
      var inner = visit
      inner.event = event
      inner.actor = actor
      inner.reads = visit.reads.compactMap(moved)
      let looks = visits.contains { other in
        other.actor == visit.actor && other.event != visit.event
          && other.reads.contains { read in visit.writes.contains { $0.place.overlaps(read) } }
      }
      inner.writes =
        looks
        ? []
        : visit.writes.compactMap { write in
          var write = write
          guard let place = moved(write.place) else { return nil }
          write.place = place
          write.origins = Origins()
          return write
        }
      return inner.reads.isEmpty && inner.writes.isEmpty ? nil : inner
    }
  }

  /// The function that an own async call, or the wait for an `async let`, runs, and what it is given.
  private static func helper(
    of call: Call, in function: FunctionFacts, _ program: Program
  ) -> (target: Int, arguments: [Argument])? {
    let targets = program.targets(of: call).flatMap { program.unwrapped($0) }
    if targets.count == 1 { return (targets[0], call.arguments) }
    guard call.display.hasPrefix("swift_asyncLet_get") || call.display.hasPrefix("async let ") else { return nil }
    for member in call.arguments.flatMap(\.origins.members) where member >= 0 {
      guard let start = function.call(at: Int(member)), !start.suspends,
        let child = start.arguments.flatMap(\.closure).first, let target = program.function(named: child.function)
      else { continue }
      let count = program.functions[target].parameters.count - child.captures.count
      return (target, Array(repeating: Argument(), count: max(0, count)) + child.captures)
    }
    return nil
  }

  /// The actor's name in the caller: `self.store` of the helper may be `teller.store` here.
  private static func translated(_ actor: String, of helper: FunctionFacts, _ arguments: [Argument]) -> String? {
    let head = actor.prefix { $0 != "." }
    guard let index = helper.parameters.firstIndex(where: { $0.name == head }) else { return actor }
    guard index < arguments.count, let root = arguments[index].root else { return nil }
    return root + actor.dropFirst(head.count)
  }

  /// Which actor a call visits, or nil when it stays on the caller's own or on none.
  private static func actor(of call: Call, in function: FunctionFacts, _ program: Program) -> String? {
    let root = call.receiverRoot ?? "?"
    if CalleePattern.normalised(call.display).hasPrefix("MainActor.run(") {
      return function.isolation.isMain ? nil : "MainActor"
    }
    // An async callee goes to its own actor, wherever its caller stands.
    switch call.isAsync ? .own : call.executor {
    case .globalActor(let name): return name
    case .instance: return root == "?" ? nil : root
    case .generic: return nil
    case .own: break
    }
    let targets = program.targets(of: call).flatMap { program.unwrapped($0) }
    guard let target = targets.first else { return nil }
    switch program.functions[target].isolation {
    case .globalActor(let name): return function.isolation == .globalActor(name) ? nil : name
    case .selfActor:
      if root == "?" || function.isolation == .selfActor && root == "self" { return nil }
      return root
    case .parameter, .caller, .nonisolated, .unknown: return nil
    }
  }

  private static func finding(in index: Int, _ visits: [Visit], _ builder: FindingBuilder) -> Finding? {
    let program = builder.program
    let function = program.functions[index]
    let flow = ControlFlow(function)
    for act in visits where !act.writes.isEmpty {
      for check in visits
      where check.event != act.event && check.actor == act.actor && !isAnswer(act, of: check, function, program) {
        let written = act.writes.first { write in
          !write.isGuarded && check.reads.contains { $0.overlaps(write.place) }
            // A visit that takes what it looks at has decided by itself.
            && !check.writes.contains { $0.place.overlaps(write.place) }
        }
        guard let written, let decision = decision(from: check, on: act, written, function, flow, program) else {
          continue
        }
        let name = SILValueFlow.memberName(written.place.member)
        let location = function.events[act.event].location
        let first = function.events[check.event].location
        return builder.finding(
          about: index, at: location, subject: written.place.member,
          message: "\(name) may have changed since it was read: the check and the change are two visits to the actor",
          action: "move the check and the change into one synchronous function of the actor",
          path: [
            PathStep(location: first, text: "first visit: \(display(check, function)) reads \(name)"),
            PathStep(location: decision, text: "decided here"),
            PathStep(location: location, text: "second visit: \(display(act, function)) changes \(name)"),
          ], confidence: .high, jobs: program.jobs(resumingFrom: act.event, of: index))
      }
    }
    return nil
  }

  /// Whether the actor of a visit is what the earlier one gave back: `let (connection, isNew) = try await connect()`.
  private static func isAnswer(
    _ act: Visit, of check: Visit, _ function: FunctionFacts, _ program: Program
  ) -> Bool {
    guard let call = function.call(at: act.event), let receiver = call.receiver,
      call.arguments.indices.contains(receiver)
    else { return false }
    return program.effects.expanded(call.arguments[receiver].origins, in: function).contains(Int32(check.event))
  }

  private static func display(_ visit: Visit, _ function: FunctionFacts) -> String {
    CalleePattern.normalised(function.call(at: visit.event)?.display ?? "")
  }

  /// Where the first visit's result decides about the second: a branch, or an argument made from it.
  private static func decision(
    from check: Visit, on act: Visit, _ written: WriteEffect, _ function: FunctionFacts, _ flow: ControlFlow,
    _ program: Program
  ) -> SourceLocation? {
    for number in function.events.indices {
      guard let origins = function.branch(at: number),
        program.effects.expanded(origins, in: function).contains(Int32(check.event))
          || reads(check, origins, function, program), flow.controls(branch: number, event: act.event),
        !flow.isTrap(branch: number), !isAboutFailure(number, origins, flow)
      else { continue }
      return function.events[number].location
    }
    guard let call = function.call(at: act.event), !written.isPartial || written.literal == nil else { return nil }
    let passed = call.arguments.enumerated().contains { position, argument in
      position != call.receiver
        && program.effects.expanded(argument.origins, in: function).contains(Int32(check.event))
    }
    let usesParameter = program.effects.expanded(written.origins, in: function).contains(Int32(check.event))
    return passed && usesParameter && (!written.isPartial || written.isEntry)
      ? function.events[act.event].location : nil
  }

  /// `catch { if error is Cancelled { … } }`: what went wrong decides, and not what the failed call was given.
  private static func isAboutFailure(_ branch: Int, _ origins: Origins, _ flow: ControlFlow) -> Bool {
    origins.members.contains { $0 >= 0 && Int($0) < branch && flow.isOnErrorPath(branch, of: Int($0)) }
  }

  /// A property read on the other actor is two events: the read, and the visit that made it.
  private static func reads(_ check: Visit, _ origins: Origins, _ function: FunctionFacts, _ program: Program) -> Bool {
    guard let call = function.call(at: check.event), call.callee == .unknown, check.event > 0 else { return false }
    return program.effects.expanded(origins, in: function).contains(Int32(check.event - 1))
  }
}
