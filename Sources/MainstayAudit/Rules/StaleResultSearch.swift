/// The search of MS203 in one function: which awaited answer reaches which state, and whether anything is asked in between.
import MainstayFindings

struct StaleResultSearch {
  let index: Int
  private let builder: FindingBuilder
  let program: Program
  let function: FunctionFacts
  let flow: ControlFlow
  private let tasks: TaskBodies

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
      return program.effects.effects(of: call, in: function).writes.filter { !$0.isGuarded }
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
            isRestartable($0) && (isToggle(awaited, write, sources) || beginsWithScreen($0)) && !fillsOnce($0)
          })
      else { continue }
      // That a request failed is said whatever was asked for since.
      if flow.isOnErrorPath(event, of: awaited),
        key == nil
          || !starts.contains(where: \.isSuperseding) && !showsAnswer(write.place)
            && !isCleared(write.place, before: awaited)
      {
        continue
      }
      let throwsAway = last == awaited && throwsOn(awaited) && !flow.isReached(event, afterThrowOf: awaited)
      if !starts.isEmpty || isKeyedTask, starts.allSatisfy(\.isSuperseding), throwsAway { continue }
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

  /// Whether a member that says what failed also holds what did not fail: the one would be lost to the other.
  private func showsAnswer(_ place: Place) -> Bool {
    function.events.indices.contains { event in
      writes(at: event).contains { write in
        write.place.overlaps(place)
          && program.effects.expanded(write.origins, in: function).contains { source in
            source >= 0 && isValueSource(Int(source)) && !flow.isOnErrorPath(event, of: Int(source))
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
      return program.effects.places(of: origins, in: function).contains {
        flow.suspension(from: $0.event, to: candidate) == nil
      }
    default: return false
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
    function.blocks[flow.block(of: event)].successors.count > 1
  }
}
