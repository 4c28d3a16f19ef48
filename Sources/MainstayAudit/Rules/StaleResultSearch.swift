/// The search of MS203 in one function: which awaited answer reaches which state, and whether anything is asked in between.
import MainstayFindings

struct StaleResultSearch {
  let index: Int
  private let builder: FindingBuilder
  let program: Program
  let function: FunctionFacts
  let flow: ControlFlow
  let tasks: TaskBodies

  init(_ index: Int, _ builder: FindingBuilder, _ tasks: TaskBodies) {
    self.index = index
    self.builder = builder
    self.tasks = tasks
    program = builder.program
    function = program.functions[index]
    flow = ControlFlow(function)
  }

  func findings() -> [Finding] {
    guard !program.locks.isSerialised(index), !isOnceAnObject(tasks.starts(of: index)) else { return [] }
    var byMember: [String: Finding] = [:]
    for number in function.events.indices {
      for write in writes(at: number) where !write.isPartial && isState(write.place) {
        guard byMember[write.place.member] == nil, let finding = finding(write, at: number) else { continue }
        byMember[write.place.member] = finding
      }
    }
    // What one call sets has one cause.
    return byMember.sorted { ($0.value.location, $0.key) < ($1.value.location, $1.key) }.map(\.value)
      .reduce(into: []) { kept, finding in
        if kept.last?.location != finding.location { kept.append(finding) }
      }
  }

  private func writes(at event: Int) -> [WriteEffect] {
    switch function.events[event].kind {
    case .write(let write) where function.isolation.isMain:
      return [
        WriteEffect(
          place: write.place, origins: write.origins, literal: write.literal, isPartial: write.isPartial,
          isGuarded: false, location: function.events[event].location, isDeferred: false)
      ]
    case .call(let call) where isOnMain(call):
      // What is set is the property, and not what a wrapper keeps it in.
      if event + 1 < function.events.count, let write = function.write(at: event + 1),
        SILValueFlow.accessorMember(call.display) == write.place.member
      {
        return []
      }
      return program.effects.effects(of: call, in: function).writes.filter { !$0.isGuarded && !$0.isWanted }
    default: return []
    }
  }

  /// Synchronous code that runs on the main actor: here, after a hop to it, or in `MainActor.run`.
  private func isOnMain(_ call: Call) -> Bool {
    if CalleePattern.normalised(call.display).hasPrefix("MainActor.run(") { return true }
    if call.isAsync { return false }
    return call.executor == .own && function.isolation.isMain || call.executor == .globalActor("MainActor")
  }

  func isState(_ place: Place) -> Bool {
    place.root == "self" || place.root.hasPrefix("self.") || place.root == "global" || place.root.contains(".shared")
  }

  private func finding(_ write: WriteEffect, at event: Int) -> Finding? {
    let sources = program.effects.expanded(write.origins, in: function).sorted().filter {
      $0 >= 0 && isValueSource(Int($0))
    }
    if accumulates(write, at: event) { return nil }
    for source in sources {
      let awaited = Int(source)
      guard let last = uncheckedAwait(from: awaited, to: event), !isBusyGuarded(awaited, event) else { continue }
      let starts = tasks.starts(of: index)
      let key = key(of: awaited) ?? (isKeyedTask ? "the task's id" : nil)
      guard
        key != nil
          || starts.contains(where: {
            isRestartable($0)
              && (isToggle(awaited, write, sources) || beginsWithScreen($0) && !isOneQuestion(awaited, write.place))
              && !fillsOnce($0)
          })
      else { continue }
      if isLocked(write.place, during: awaited) { continue }
      // That a request failed is said whatever was asked for since.
      if saysWhatFailed(event, after: awaited),
        key == nil
          || !starts.contains(where: \.isSuperseding) && !showsAnswer(write.place)
            && !isCleared(write.place, before: awaited)
      {
        continue
      }
      let throwsAway = last == awaited && throwsOn(awaited) && !flow.isReached(event, afterThrowOf: awaited)
      if !starts.isEmpty || isKeyedTask, starts.allSatisfy(\.isSuperseding), throwsAway { continue }
      if throwsAway, isCancelledByNextQuestion { continue }
      let name = SILValueFlow.memberName(write.place.member)
      let call = CalleePattern.normalised(function.call(at: awaited)?.display ?? "")
      let location = write.isDeferred ? write.location : function.events[event].location
      return builder.finding(
        about: index, at: location, subject: write.place.member,
        message:
          "\(name) is set from an awaited result without asking whether it is still wanted: an older one may win",
        action: "compare a generation, or check Task.isCancelled, between the await and this write",
        path: [
          PathStep(
            location: function.events[awaited].location,
            text: "awaits \(call)" + (key.map { ", which depends on \($0)" } ?? "")),
          PathStep(location: location, text: "\(name) is set here"),
        ], confidence: key == nil ? .low : .high)
    }
    return nil
  }

  /// Whether an event comes only after something has failed since the await: what was asked for there, or what was done
  /// with the answer. That a task was cancelled is no failure to tell of.
  private func saysWhatFailed(_ event: Int, after awaited: Int) -> Bool {
    if flow.isOnErrorPath(event, of: awaited) { return true }
    let failing = function.events.indices.filter {
      function.call(at: $0)?.isThrowing == true && throwsOn($0) && flow.isReached(event, afterThrowOf: $0)
    }
    return !failing.isEmpty
      && !failing.contains { function.call(at: $0)?.display.contains("checkCancellation(") == true }
      && !flow.isReached(event, from: awaited, avoidingThrowsOf: failing)
  }

  /// Whether a member that says what failed also holds what did not fail: the one would be lost to the other.
  private func showsAnswer(_ place: Place) -> Bool {
    function.events.indices.contains { event in
      writes(at: event).contains { write in
        write.place.overlaps(place)
          && program.effects.expanded(write.origins, in: function).contains { source in
            source >= 0 && isValueSource(Int(source)) && !saysWhatFailed(event, after: Int(source))
          }
      }
    }
  }

  /// `problem = nil` before the request: what it says is about the newest one.
  private func isCleared(_ place: Place, before awaited: Int) -> Bool {
    function.events.indices.prefix(awaited).contains { event in
      function.write(at: event).map { $0.place.overlaps(place) } ?? false
    }
  }

  /// `total += value`: what was there is kept, whoever wrote it.
  private func accumulates(_ write: WriteEffect, at event: Int) -> Bool {
    program.effects.places(of: write.origins, in: function).contains { place, read in
      place == write.place && read != event && flow.suspension(from: read, to: event) == nil
    }
  }

  /// An await whose value matters: not a sleep, and not a hop for a plain getter of the same state.
  private func isValueSource(_ event: Int) -> Bool {
    guard event < function.events.count, let call = function.call(at: event), call.suspends else { return false }
    // The main actor's own synchronous functions answer in the order in which they were asked.
    if !call.isAsync, call.executor == .globalActor("MainActor") { return false }
    // Elements of a sequence arrive in order.
    let name = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    return name != "Task.sleep" && !name.hasSuffix(".next")
  }

  private struct PathState: Hashable {
    var last: Int
    var isChecked = false
  }

  /// The last await on a way to the write that meets no check after it.
  private func uncheckedAwait(from awaited: Int, to event: Int) -> Int? {
    var found: Int?
    flow.walk(after: awaited, state: PathState(last: awaited)) { candidate, state in
      if candidate == event {
        if !state.isChecked, found == nil { found = state.last }
        return .stop
      }
      if candidate == awaited || found != nil { return .stop }
      if function.suspends(candidate) {
        state.last = candidate
        state.isChecked = false
      } else if isCheck(candidate, of: event, after: state.last) {
        state.isChecked = true
      }
      return .goOn
    }
    return found
  }

  private func isCheck(_ candidate: Int, of event: Int, after last: Int) -> Bool {
    switch function.events[candidate].kind {
    case .call(let call):
      if call.display.contains("checkCancellation(") { return true }
      return !call.isAsync && program.effects.effects(of: call, in: function).checksCancellation
        && !call.display.contains("isCancelled")
    case .branch(let origins):
      guard flow.controls(branch: candidate, event: event) else { return false }
      for member in program.effects.expanded(origins, in: function) where member >= 0 {
        if let call = function.call(at: Int(member)), Cancellation.isCheck(call) { return true }
        if let call = function.call(at: Int(member)), !call.suspends,
          program.effects.effects(of: call, in: function).checksCancellation
        {
          return true
        }
      }
      let places = program.effects.places(of: origins, in: function)
      return !isItself(places, origins, at: candidate)
        && places.contains { flow.suspension(from: $0.event, to: candidate) == nil }
    default: return false
    }
  }

  /// Whether state is only compared with itself as it is then: a token that was copied after the await says nothing.
  private func isItself(_ places: [(place: Place, event: Int)], _ origins: Origins, at branch: Int) -> Bool {
    Set(places.map(\.event)).count > 1 && Set(places.map(\.place)).count == 1
      && places.allSatisfy { flow.suspension(from: $0.event, to: branch) == nil }
      && program.effects.expanded(origins, in: function).allSatisfy { member in
        if member < 0 { return function.parameter(of: member)?.name == "self" }
        if case .read = function.events[Int(member)].kind { return true }
        return function.call(at: Int(member)).map { SILValueFlow.accessorMember($0.display) != nil } ?? false
      }
  }

  /// A flag tested and set before the await keeps a second run out, here or where the task is started.
  private func isBusyGuarded(_ awaited: Int, _ event: Int) -> Bool {
    if program.latches(function, flow, before: awaited) { return true }
    let starts = tasks.starts(of: index)
    return !starts.isEmpty
      && starts.allSatisfy { start in
        let starter = program.functions[start.function]
        return program.latches(starter, ControlFlow(starter), before: start.event)
      }
  }

  private func throwsOn(_ event: Int) -> Bool {
    function.call(at: event)?.isThrowing == true && function.blocks[flow.block(of: event)].successors.count > 1
  }
}
