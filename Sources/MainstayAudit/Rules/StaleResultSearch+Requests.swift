/// What an awaited request of MS203 asks for, and who may ask for something else meanwhile.
import MainstayFindings

extension StaleResultSearch {
  /// What the request depends on that may differ next time: a parameter, or state that changes.
  func key(of awaited: Int) -> String? {
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

  func key(of origins: Origins, after seen: Set<Int32> = []) -> String? {
    for member in program.effects.expanded(origins, in: function).sorted() where !seen.contains(member) {
      if member < 0 {
        if isFlag(member) { continue }
        if let name = function.parameter(of: member)?.name, !name.isEmpty, name != "self", name != "isolation" {
          return name
        }
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
  func isFlag(_ member: Int32) -> Bool {
    guard let parameter = Origins.parameter(of: member), let declared = program.member(of: function)?.parameters else {
      return false
    }
    return declared.indices.contains(parameter) && ["Bool", "Bool?"].contains(declared[parameter].type)
  }

  /// A task that can be started again while it runs: not one that an initialiser starts once.
  func isRestartable(_ start: TaskStart) -> Bool {
    let starter = program.functions[start.function]
    return !starter.flags.contains(.isInitializer) && !starter.display.contains(".init(")
  }

  /// Whether this is a task that an object's initialiser starts: there is none before it whose answer could be older.
  func isOnceAnObject(_ starts: [TaskStart]) -> Bool {
    !starts.isEmpty
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

  /// Whether the screen asks only as long as there is nothing yet: `if !isLoaded { load() }`, of a member that the answer
  /// sets. Until then it asks for the same thing.
  func fillsOnce(_ start: TaskStart) -> Bool {
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

  /// Whether the request says one thing or its opposite: it depends on a flag, there are two of it, or its answer was
  /// shown before it came.
  func isToggle(_ awaited: Int, _ write: WriteEffect, _ sources: [Int32]) -> Bool {
    if sources.count > 1 { return true }
    let before = function.events.indices.prefix(awaited)
    if before.contains(where: { function.write(at: $0)?.place.member == write.place.member }) { return true }
    guard let call = function.call(at: awaited) else { return false }
    return call.arguments.enumerated().contains { position, argument in
      guard position != call.receiver else { return false }
      let sources = program.effects.expanded(argument.origins, in: function)
      return sources.contains(where: isFlag) || sources.contains { $0 >= 0 && isOneOfTwo(Int($0)) }
    }
  }

  /// `isOn ? Paths.mark(id) : Paths.unmark(id)`: a flag decides which of them is asked for.
  private func isOneOfTwo(_ event: Int) -> Bool {
    function.events.indices.prefix(event).contains { branch in
      guard let origins = function.branch(at: branch), flow.controls(branch: branch, event: event) else { return false }
      return program.effects.expanded(origins, in: function).contains(where: isFlag)
    }
  }

  private static let screenWords = [
    "onAppear", "onChange", "onReceive", "viewDidLoad", "viewWillAppear", "viewDidAppear", "awakeFromNib",
  ]

  /// Whether the screen's own coming and going starts a task, which nothing cancels when it goes. Whoever taps a button
  /// twice asks for the same thing twice.
  func beginsWithScreen(_ start: TaskStart) -> Bool { begins(start, with: StaleResultSearch.screenWords) }

  /// Whether a call, or a function, of one of these names is what starts a task.
  func begins(_ start: TaskStart, with words: [String]) -> Bool {
    var work = [start.function]
    var seen: Set<Int> = [start.function]
    while let next = work.popLast(), seen.count < 16 {
      let starter = program.functions[next]
      if words.contains(where: { starter.display.contains("." + $0) }) { return true }
      for creator in program.creators[next] ?? [] {
        guard let call = program.functions[creator.function].call(at: creator.event) else { continue }
        let name = CalleePattern.normalised(call.display).prefix { $0 != "(" }
        if words.contains(where: { name.hasSuffix($0) }) { return true }
      }
      for caller in program.callers[next] ?? [] where !program.functions[caller.function].isAsync {
        if seen.insert(caller.function).inserted { work.append(caller.function) }
      }
    }
    return false
  }

  /// A view's `.task(id:)` is started anew whenever its id changes: its closure, or the function that it is.
  var isKeyedTask: Bool { isKeyed(index, depth: 0) }

  private func isKeyed(_ index: Int, depth: Int) -> Bool {
    let isClosure = (program.creators[index] ?? []).contains { creator in
      guard let call = program.functions[creator.function].call(at: creator.event) else { return false }
      let name = CalleePattern.normalised(call.display)
      return name.contains(".task(id:") || name.hasPrefix("task(id:")
    }
    if isClosure { return true }
    guard depth < 3, !program.functions[index].isClosure, !program.isWitness(index) else { return false }
    let callers = program.callers[index] ?? []
    return !callers.isEmpty && callers.allSatisfy { isKeyed($0.function, depth: depth + 1) }
  }
}
