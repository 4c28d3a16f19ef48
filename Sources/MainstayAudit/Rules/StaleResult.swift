/// MS203: a result that arrives late overwrites the state of newer work.
import MainstayFindings

enum StaleResult: Rule {
  static let documentation = RuleDocumentation(
    id: "stale_result", code: "MS203", severity: .warning,
    claim:
      "Main-actor state is set from an awaited value without asking whether the work is still wanted; an older "
      + "answer may win.",
    exemptions:
      "A cancellation check or a comparison with fresh state after the last await, a busy flag that keeps a "
      + "second run out, a throwing await in a task that its successor cancels (kept, or a view's), writes under "
      + "a key, a tap that asks for the same thing each time, a screen that asks until it has something, and the task "
      + "of an initialiser.",
    fires: """
      @MainActor func load(_ query: String) async {
        results = await service.search(query)     // an older search may finish last
      }
      """,
    silent: """
      @MainActor func load(_ query: String) async {
        generation += 1
        let mine = generation
        let found = await service.search(query)
        guard mine == generation else { return }
        results = found
      }
      """,
    fix: "Compare a generation, or check cancellation, between the last await and the write.",
    references: ["Documentation/Articles.md, 0.6 and 0.7"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let tasks = TaskBodies(program)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated()
    where function.isAsync && program.isOwn(function) && !function.flags.contains(.isInitializer)
      && (function.isolation.isMain || function.events.contains { reachesMain($0) })
    {
      findings += StaleResultSearch(index, builder, tasks).findings()
    }
    return findings
  }

  /// Code elsewhere that goes to the main actor with what it has.
  private static func reachesMain(_ event: Event) -> Bool {
    guard case .call(let call) = event.kind else { return false }
    return call.executor == .globalActor("MainActor")
      || CalleePattern.normalised(call.display).hasPrefix("MainActor.run(")
  }
}

private struct StaleResultSearch {
  private let index: Int
  private let builder: FindingBuilder
  private let program: Program
  private let function: FunctionFacts
  private let flow: ControlFlow
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
    guard !program.locks.isSerialised(index) else { return [] }
    if isOnceAnObject { return [] }
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

  /// Whether this is a task that an object's initialiser starts: there is none before it whose answer could be older.
  private var isOnceAnObject: Bool {
    let starts = tasks.starts(of: index)
    return !starts.isEmpty
      && starts.allSatisfy { start in
        let starter = program.functions[start.function]
        // A closure of an initialiser, such as a subscription's, runs as often as it is called.
        guard starter.flags.contains(.isInitializer), !starter.isClosure,
          let type = Program.enclosingType(starter.display)
        else { return false }
        // A view is made again for each update, with the state that it had.
        return type == Program.enclosingType(function.display) && !program.layout.isView(type, in: function.module)
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

  private func isState(_ place: Place) -> Bool {
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

  /// What the request depends on that may differ next time: a parameter, or state that changes.
  private func key(of awaited: Int) -> String? {
    guard let call = function.call(at: awaited) else { return nil }
    for (position, argument) in call.arguments.enumerated() where position != call.receiver {
      if let name = key(of: argument.origins) { return name }
      for closure in argument.closure {
        for capture in closure.captures {
          if let name = key(of: capture.origins) { return name }
        }
      }
    }
    // A task that was made from the key, and is awaited here.
    for member in call.receiver.map({ call.arguments[$0].origins.members }) ?? [] where member >= 0 {
      guard let inner = function.call(at: Int(member)), Spawn(inner) != nil else { continue }
      for closure in inner.arguments.flatMap(\.closure) {
        for capture in closure.captures {
          if let name = key(of: capture.origins) { return name }
        }
      }
    }
    return nil
  }

  private func key(of origins: Origins, after seen: Set<Int32> = []) -> String? {
    for member in program.effects.expanded(origins, in: function).sorted() where !seen.contains(member) {
      if member < 0 {
        let parameter = function.parameters[safe: Int(-member) - 1]
        if isFlag(Int(-member) - 1) { continue }
        if let name = parameter?.name, !name.isEmpty, name != "self", name != "isolation" { return name }
      } else if case .read(let place) = function.events[Int(member)].kind, isState(place),
        program.isChangeable(place.member, in: function.module)
      {
        return String(SILValueFlow.memberName(place.member))
      } else if let call = function.call(at: Int(member)), call.suspends, Int(member) < function.events.count {
        // The request follows from an earlier answer.
        for argument in call.arguments.enumerated() where argument.offset != call.receiver {
          if let name = key(of: argument.element.origins, after: seen.union([member])) { return name }
        }
      }
    }
    return nil
  }

  /// A parameter that says how to ask, and not for what.
  private func isFlag(_ parameter: Int) -> Bool {
    program.member(of: function)?.parameters[safe: parameter]?.type == "Bool"
  }

  /// A task that can be started again while it runs: not one that an initialiser starts once.
  private func isRestartable(_ start: TaskStart) -> Bool {
    let starter = program.functions[start.function]
    return !starter.flags.contains(.isInitializer) && !starter.display.contains(".init(")
  }

  /// Whether the request says one thing or its opposite: it depends on a flag, there are two of it, or its answer was
  /// shown before it came.
  private func isToggle(_ awaited: Int, _ write: WriteEffect, _ sources: [Int32]) -> Bool {
    if sources.count > 1 { return true }
    let before = function.events.indices.prefix(awaited)
    if before.contains(where: { function.write(at: $0)?.place.member == write.place.member }) { return true }
    guard let call = function.call(at: awaited) else { return false }
    return call.arguments.enumerated().contains { position, argument in
      guard position != call.receiver else { return false }
      let sources = program.effects.expanded(argument.origins, in: function)
      return sources.contains { $0 < 0 && isFlag(Int(-$0) - 1) } || sources.contains { $0 >= 0 && isOneOfTwo(Int($0)) }
    }
  }

  /// `isOn ? Paths.mark(id) : Paths.unmark(id)`: a flag decides which of them is asked for.
  private func isOneOfTwo(_ event: Int) -> Bool {
    function.events.indices.prefix(event).contains { branch in
      guard let origins = function.branch(at: branch), flow.controls(branch: branch, event: event) else { return false }
      return program.effects.expanded(origins, in: function).contains { $0 < 0 && isFlag(Int(-$0) - 1) }
    }
  }

  /// Whether the screen asks only as long as there is nothing yet: `if !isLoaded { load() }`, of a member that the answer
  /// sets. Until then it asks for the same thing.
  private func fillsOnce(_ start: TaskStart) -> Bool {
    let own = Set(function.events.indices.compactMap { function.write(at: $0)?.place.member })
    var work = [(function: start.function, event: start.event)]
    var seen: Set<Int> = [start.function]
    while let next = work.popLast(), seen.count < 16 {
      let starter = program.functions[next.function]
      let flow = ControlFlow(starter)
      let asks = starter.events.indices.contains { branch in
        guard let origins = starter.branch(at: branch), flow.controls(branch: branch, event: next.event) else {
          return false
        }
        return program.effects.places(of: origins, in: starter).contains { own.contains($0.place.member) }
      }
      if asks { return true }
      for caller in program.callers[next.function] ?? [] where !program.functions[caller.function].isAsync {
        if seen.insert(caller.function).inserted { work.append(caller) }
      }
    }
    return false
  }

  private static let screenWords = [
    "onAppear", "onChange", "onReceive", "viewDidLoad", "viewWillAppear", "viewDidAppear", "awakeFromNib",
  ]

  /// Whether the screen's own coming and going starts a task, which nothing cancels when it goes. Whoever taps a button
  /// twice asks for the same thing twice.
  private func beginsWithScreen(_ start: TaskStart) -> Bool {
    var work = [start.function]
    var seen: Set<Int> = [start.function]
    while let next = work.popLast(), seen.count < 16 {
      let starter = program.functions[next]
      if StaleResultSearch.screenWords.contains(where: { starter.display.contains("." + $0) }) { return true }
      for creator in program.creators[next] ?? [] {
        guard let call = program.functions[creator.function].call(at: creator.event) else { continue }
        let name = CalleePattern.normalised(call.display).prefix { $0 != "(" }
        if StaleResultSearch.screenWords.contains(where: { name.hasSuffix($0) }) { return true }
      }
      for caller in program.callers[next] ?? [] where !program.functions[caller.function].isAsync {
        if seen.insert(caller.function).inserted { work.append(caller.function) }
      }
    }
    return false
  }

  /// A view's `.task(id:)` is started anew whenever its id changes.
  private var isKeyedTask: Bool {
    (program.creators[index] ?? []).contains { creator in
      guard let call = program.functions[creator.function].call(at: creator.event) else { return false }
      let name = CalleePattern.normalised(call.display)
      return name.contains(".task(id:")
    }
  }

  private func throwsOn(_ event: Int) -> Bool {
    function.blocks[flow.block(of: event)].successors.count > 1
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
