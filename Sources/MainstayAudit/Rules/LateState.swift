/// MS204: the busy flag is set inside the task instead of before it starts.
import MainstayFindings

enum LateState: Rule {
  static let documentation = RuleDocumentation(
    id: "late_state", code: "MS204", severity: .warning,
    claim:
      "A busy flag is set by the task that does the work, one hop after it was started, or cleared before the "
      + "work begins.",
    exemptions:
      "The flag is set before the task starts, or the task tests it itself in the job that sets it; a state that says "
      + "so from the beginning, a task that an initialiser starts, or a timer whose closure does not test the flag, an "
      + "object that the task has made, and a flag after which nothing is waited for.",
    fires: """
      @MainActor func tapped() {
        Task { isBusy = true; await submit(); isBusy = false }   // a second tap comes first
      }
      """,
    silent: """
      @MainActor func tapped() {
        guard !isBusy else { return }
        isBusy = true
        Task { defer { isBusy = false }; await submit() }
      }
      """,
    fix: "Set the flag in the function that starts the task, before it does.",
    references: ["Documentation/Articles.md, 1.1 and 1.4"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [String: Finding] = [:]
    for (index, function) in program.functions.enumerated() where program.isOwn(function) && function.isolation.isActor
    {
      for (number, event) in function.events.enumerated() {
        guard case .call(let call) = event.kind, let spawn = Spawn(call), let closure = spawn.closure,
          let body = program.function(named: closure.function)
        else { continue }
        if spawn.kind == .immediate { continue }
        for finding in late(starter: index, start: number, body: body, builder) {
          findings["\(finding.symbol) \(finding.subject)"] = finding
        }
        if let finding = early(starter: index, start: number, body: body, builder) {
          findings["\(finding.symbol) \(finding.subject)"] = finding
        }
      }
    }
    return findings.values.sorted { ($0.location, $0.subject) < ($1.location, $1.subject) }
  }

  // MARK: Set too late

  private struct FlagWrite {
    var effect: WriteEffect
    var function: Int
    var event: Int
  }

  private static func late(starter: Int, start: Int, body: Int, _ builder: FindingBuilder) -> [Finding] {
    let program = builder.program
    let function = program.functions[starter]
    let before = places(writtenBefore: start, in: function, program)
    let tested = testedPlaces(function, program)
    var findings: [Finding] = []
    for write in firstJob(of: body, at: function.isolation, program, depth: 0)
    where isBusyLiteral(write.effect) || write.effect.isPartial && isMark(write, in: body, tested, program) {
      let place = write.effect.place
      let member = place.member
      if before.contains(where: { $0.member == member }) || isErrand(member) { continue }
      let isTested = tested.contains { $0.member == member }
      let set = write.function == body ? write.event : nil
      guard isTested || isCleared(member, in: body, after: set, program, depth: 0) || BusyFlags.isOne(member) else {
        continue
      }
      // What the whole process has set, such as a signal's handler, is no work of this object under way.
      if !isTested, place.root == "global" { continue }
      guard isFollowedByWait(write, in: body, program) else { continue }
      // No person comes between a timer and what it starts.
      if !isTested, isOfTimer(starter, program) { continue }
      // Whoever made the object has it when its initialiser returns: the task comes before what a person does with it.
      if !isTested, function.flags.contains(.isInitializer) { continue }
      if !isTested, isInitial(write.effect, program) { continue }
      let name = SILValueFlow.memberName(member)
      let writer = program.functions[write.function]
      let location =
        write.effect.isDeferred || write.function != body ? write.effect.location : writer.events[write.event].location
      findings.append(
        builder.finding(
          about: write.function, at: location, subject: member,
          message:
            "\(name) is set in the task, one hop after it was started: until then the work seems not to have begun",
          action: "set \(name) before the Task starts",
          path: [
            PathStep(location: function.events[start].location, text: "the task starts here, with \(name) not yet set"),
            PathStep(location: location, text: "\(name) is set here"),
          ], roots: [function.display], confidence: isTested ? .high : .medium))
    }
    return findings
  }

  /// What a task's body writes in its first job on the starter's actor, its own async functions there included.
  private static func firstJob(of index: Int, at home: Isolation, _ program: Program, depth: Int) -> [FlagWrite] {
    let function = program.functions[index]
    let flow = ControlFlow(function)
    var writes: [FlagWrite] = []
    var tested: [Place] = []
    flow.walkFromEntry(state: 0) { event, _ in
      switch function.events[event].kind {
      case .branch(let origins):
        tested += program.effects.places(of: origins, in: function).map(\.place)
      case .write(let write):
        let effect = WriteEffect(
          place: write.place, origins: write.origins, literal: write.literal, isPartial: write.isPartial,
          isGuarded: false, location: function.events[event].location, isDeferred: false)
        if !tested.contains(where: { $0.overlaps(write.place) }) {
          writes.append(FlagWrite(effect: effect, function: index, event: event))
        }
      case .call(let call):
        if call.suspends {
          guard depth < 2 else { return .stop }
          if function.isolation != home {
            // Elsewhere, the first visit to the starter's actor is that job.
            if isVisit(call, to: home, program) {
              for effect in program.effects.effects(of: call, in: function).writes where !effect.isGuarded {
                writes.append(FlagWrite(effect: effect, function: index, event: event))
              }
              return .stop
            }
            if call.executor != .own || !call.isAsync { return .stop }
          }
          guard call.executor == .own else { return .stop }
          for target in program.targets(of: call).flatMap({ program.unwrapped($0) })
          where program.functions[target].isolation == home && program.functions[target].isAsync {
            for write in firstJob(of: target, at: home, program, depth: depth + 1)
            where !tested.contains(where: { $0.member == write.effect.place.member }) {
              writes.append(write)
            }
          }
          return .stop
        }
        // What is observed follows from another change.
        guard function.isolation == home, !isObserver(call), !isOnNewObject(call, in: function, program) else { break }
        for effect in program.effects.effects(of: call, in: function).writes
        where !effect.isGuarded && !tested.contains(where: { $0.overlaps(effect.place) }) {
          writes.append(FlagWrite(effect: effect, function: index, event: event))
        }
      default: break
      }
      return .goOn
    }
    return writes
  }

  /// Whether the task waits for anything once the flag is set: otherwise nothing is ever under way.
  private static func isFollowedByWait(_ write: FlagWrite, in body: Int, _ program: Program) -> Bool {
    let writer = program.functions[write.function]
    var waits = writer.isAsync && writer.suspends(write.event) && writer.isolation != program.functions[body].isolation
    ControlFlow(writer).walk(after: write.event, state: 0) { event, _ in
      if writer.suspends(event) { waits = true }
      return waits ? .stop : .goOn
    }
    if waits || write.function == body { return waits }
    let function = program.functions[body]
    return function.events.indices.filter { function.suspends($0) }.count > 1
  }

  /// `.loading` from the beginning: it seems to be under way before it is.
  private static func isInitial(_ effect: WriteEffect, _ program: Program) -> Bool {
    guard let literal = effect.literal, literal.hasPrefix(".") else { return false }
    let parts = effect.place.member.split(separator: ".").map(String.init)
    guard parts.count > 1 else { return false }
    let type = parts.dropLast().joined(separator: ".")
    return program.declarations.sources.contains { source in
      source.types.contains { declared in
        declared.name == type && declared.members.contains { $0.name == parts.last && $0.initial == literal }
      }
    }
  }

  /// Whether a function is nothing but a timer's closure.
  private static func isOfTimer(_ index: Int, _ program: Program) -> Bool {
    guard program.functions[index].isClosure, let creators = program.creators[index], !creators.isEmpty else {
      return false
    }
    return creators.allSatisfy { creator in
      guard let call = program.functions[creator.function].call(at: creator.event) else { return false }
      let name = CalleePattern.normalised(call.display)
      return name.hasPrefix("Timer.scheduledTimer(") || name.hasPrefix("Timer.init(")
    }
  }

  /// Whether a call is made on an object that the task itself has made: nobody else has it yet.
  private static func isOnNewObject(_ call: Call, in function: FunctionFacts, _ program: Program) -> Bool {
    guard let receiver = call.receiver, call.arguments.indices.contains(receiver) else { return false }
    let origins = call.arguments[receiver].origins.members
    return !origins.isEmpty
      && origins.allSatisfy { member in
        guard member >= 0, let made = function.call(at: Int(member)), !made.suspends else { return false }
        let name = CalleePattern.normalised(made.display).prefix { $0 != "(" }
        return name.hasSuffix(".init") || name.hasSuffix(".__allocating_init")
      }
  }

  private static func isObserver(_ call: Call) -> Bool {
    call.display.hasSuffix(".didset") || call.display.hasSuffix(".willset")
  }

  /// A synchronous function of that actor, or `MainActor.run`.
  private static func isVisit(_ call: Call, to home: Isolation, _ program: Program) -> Bool {
    if CalleePattern.normalised(call.display).hasPrefix("MainActor.run(") { return home.isMain }
    return !call.isAsync
      && program.targets(of: call).flatMap { program.unwrapped($0) }.contains {
        program.functions[$0].isolation == home
      }
  }

  private static func isBusyLiteral(_ effect: WriteEffect) -> Bool {
    guard let literal = effect.literal, !effect.isPartial else { return false }
    return literal == "true" || literal == "!" || literal.hasPrefix(".") && BusyFlags.isOne(literal)
  }

  /// `running.insert(id)`, where the starter asked whether it is there, and which the task takes out again.
  private static func isMark(_ write: FlagWrite, in body: Int, _ tested: [Place], _ program: Program) -> Bool {
    let member = write.effect.place.member
    let function = program.functions[body]
    guard write.function == body, let own = function.write(at: write.event),
      tested.contains(where: { $0.member == member }),
      own.origins.members.contains(where: { origin in
        guard origin >= 0, let call = function.call(at: Int(origin)) else { return false }
        return call.display == NewEntries.setter
          || CalleePattern.normalised(call.display).prefix { $0 != "(" }.hasSuffix(".insert")
      })
    else { return false }
    return isCleared(member, in: body, after: write.event, program, depth: 0)
  }

  /// `needsUpdate`, `isDirty`: a mark that something is to be done says nothing of work under way.
  private static func isErrand(_ member: String) -> Bool {
    let lower = (member.split(separator: ".").last ?? "").lowercased()
    return ["need", "dirty", "stale", "outdated"].contains { lower.contains($0) }
  }

  /// Whether the body clears the flag again: a flag that is only ever set is no busy flag.
  private static func isCleared(
    _ member: String, in index: Int, after start: Int? = nil, _ program: Program, depth: Int
  ) -> Bool {
    let function = program.functions[index]
    var later: Set<Int>?
    if let start {
      var found: Set<Int> = []
      ControlFlow(function).walk(after: start, state: 0) { event, _ in
        found.insert(event)
        return .goOn
      }
      later = found
    }
    for (number, event) in function.events.enumerated() where later?.contains(number) != false {
      switch event.kind {
      case .write(let write) where write.place.member == member && write.literal != "true": return true
      case .call(let call):
        let effects = program.effects.effects(of: call, in: function)
        if effects.writes.contains(where: { $0.place.member == member && $0.literal != "true" }) { return true }
        if call.suspends, depth < 2 {
          for target in program.targets(of: call).flatMap({ program.unwrapped($0) })
          where isCleared(member, in: target, program, depth: depth + 1) {
            return true
          }
        }
      default: break
      }
    }
    return false
  }

  private static func places(writtenBefore event: Int, in function: FunctionFacts, _ program: Program) -> [Place] {
    var places: [Place] = []
    for number in function.events.indices where number < event {
      if let write = function.write(at: number) { places.append(write.place) }
      if let call = function.call(at: number), !call.isAsync {
        places += program.effects.effects(of: call, in: function).writes.map(\.place)
      }
    }
    return places
  }

  private static func testedPlaces(_ function: FunctionFacts, _ program: Program) -> [Place] {
    function.events.indices.flatMap { number in
      function.branch(at: number).map { program.effects.places(of: $0, in: function).map(\.place) } ?? []
    }
  }

  // MARK: Cleared too early

  /// The starter sets the flag, starts the task, and clears the flag before the task has begun.
  private static func early(starter: Int, start: Int, body: Int, _ builder: FindingBuilder) -> Finding? {
    let program = builder.program
    let function = program.functions[starter]
    guard program.functions[body].events.indices.contains(where: { program.functions[body].suspends($0) }) else {
      return nil
    }
    var set: [Place: Int] = [:]
    for number in function.events.indices where number < start {
      if let write = function.write(at: number), write.literal == "true" { set[write.place] = number }
    }
    guard !set.isEmpty else { return nil }
    let flow = ControlFlow(function)
    var found: (WriteEffect, Int)?
    flow.walk(after: start, state: 0) { event, _ in
      if found != nil || function.suspends(event) { return .stop }
      var effects: [WriteEffect] = []
      if let write = function.write(at: event) {
        effects.append(
          WriteEffect(
            place: write.place, origins: write.origins, literal: write.literal, isPartial: write.isPartial,
            isGuarded: false, location: function.events[event].location, isDeferred: false))
      } else if let call = function.call(at: event) {
        effects = program.effects.effects(of: call, in: function).writes
      }
      if let effect = effects.first(where: { $0.literal == "false" && set[$0.place] != nil }) {
        found = (effect, event)
        return .stop
      }
      return .goOn
    }
    guard let (effect, event) = found else { return nil }
    let name = SILValueFlow.memberName(effect.place.member)
    let location = effect.isDeferred ? effect.location : function.events[event].location
    return builder.finding(
      about: starter, at: location, subject: effect.place.member,
      message: "\(name) is cleared before the task that does the work has begun",
      action: "clear \(name) at the end of the task",
      path: [
        PathStep(location: function.events[start].location, text: "the task is started here, and runs later"),
        PathStep(location: location, text: "\(name) is cleared here, in the job that started it"),
      ], confidence: .high)
  }
}
