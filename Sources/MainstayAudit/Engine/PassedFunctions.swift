/// Which functions a call of a parameter may run: what callers pass, through other functions and into closures.
import MainstayFindings

/// What does not escape runs where it is passed, and needs no more than the call. What may escape is followed here.
struct PassedFunctions {
  /// One function that runs another, which somebody passed, on its own executor.
  struct Run: Hashable {
    var caller: Int
    var event: Int
    var callee: Int
  }

  private(set) var runs: [Run] = []

  private struct Slot: Hashable {
    var function: Int
    var parameter: Int
  }

  /// A place that passes something for a parameter: a call, or the making of a closure that captures it.
  private struct Passing {
    var function: Int
    var event: Int
    var argument: Argument
    /// Whether what is passed to runs as a part of the passing function's own job.
    var isPart: Bool
  }

  private let program: Program
  private var passings: [Slot: [Passing]] = [:]
  private var calls: [Slot: [Int]] = [:]
  /// Parameters that their function gives to others, who may run them later or never.
  private var leaving: Set<Slot> = []

  init(_ program: Program) {
    self.program = program
    for index in program.functions.indices { read(index) }
    leaveClosures()
    for slot in calls.keys.sorted(by: { ($0.function, $0.parameter) < ($1.function, $1.parameter) }) {
      for event in calls[slot] ?? [] { follow(slot, ranBy: slot.function, at: event) }
    }
    var seen: Set<Run> = []
    runs = runs.filter { seen.insert($0).inserted }
  }

  private mutating func read(_ index: Int) {
    let function = program.functions[index]
    for kept in function.keptClosures {
      if case .parameter(let parameter) = kept.origin {
        leaving.insert(Slot(function: index, parameter: parameter))
      }
    }
    for (number, event) in function.events.enumerated() {
      guard case .call(let call) = event.kind else { continue }
      if case .parameter(let parameter) = call.callee, call.executor == .own {
        calls[Slot(function: index, parameter: parameter), default: []].append(number)
      }
      let targets = program.targets(of: call)
      for (position, argument) in call.arguments.enumerated() where position != call.receiver {
        for target in targets {
          passings[Slot(function: target, parameter: position), default: []].append(
            Passing(function: index, event: number, argument: argument, isPart: call.executor == .own))
        }
        // What makes a value of it keeps it.
        if targets.isEmpty || targets.contains(where: { program.functions[$0].flags.contains(.isInitializer) }),
          let parameter = argument.origins.soleParameter
        {
          leaving.insert(Slot(function: index, parameter: parameter))
        }
        for closure in argument.closure { readCaptures(of: closure, in: index, number) }
      }
    }
  }

  private mutating func readCaptures(of closure: ClosureValue, in index: Int, _ number: Int) {
    guard let body = program.function(named: closure.function) else { return }
    let first = program.functions[body].parameters.count - closure.captures.count
    for (position, capture) in closure.captures.enumerated() where first >= 0 {
      passings[Slot(function: body, parameter: first + position), default: []].append(
        Passing(function: index, event: number, argument: capture, isPart: !closure.escapes))
      if closure.escapes, let parameter = capture.origins.soleParameter {
        leaving.insert(Slot(function: index, parameter: parameter))
      }
    }
  }

  /// What leaves a closure leaves the function around it: `lock.withLock { waiting.append(Work(body)) }`.
  private mutating func leaveClosures() {
    var work = leaving.filter { program.functions[$0.function].isClosure }
    while let slot = work.popFirst() {
      for passing in passings[slot] ?? [] {
        guard let parameter = passing.argument.origins.soleParameter else { continue }
        let outer = Slot(function: passing.function, parameter: parameter)
        if leaving.insert(outer).inserted, program.functions[outer.function].isClosure { work.insert(outer) }
      }
    }
  }

  /// From a call of a parameter up to those who pass it.
  private mutating func follow(_ slot: Slot, ranBy runner: Int, at event: Int) {
    var work = [(slot: slot, runner: runner, event: event)]
    var seen: Set<Slot> = [slot]
    while let next = work.popLast(), seen.count < 64 {
      let isOwnJob = runsItself(next.runner)
      // Where it is also given away, the call may be for the case in which there is nothing to do.
      if !isOwnJob, leaving.contains(next.slot) { continue }
      for passing in passings[next.slot] ?? [] {
        // Who passes it to a part of its own job runs it; to a job of its own, that job does.
        let stays = isOwnJob || !passing.isPart
        let (runner, event) = stays ? (next.runner, next.event) : (passing.function, passing.event)
        for closure in passing.argument.closure where closure.escapes {
          guard let callee = program.function(named: closure.function), canRun(callee, on: runner) else { continue }
          runs.append(Run(caller: runner, event: event, callee: callee))
        }
        guard let parameter = passing.argument.origins.soleParameter else { continue }
        let outer = Slot(function: passing.function, parameter: parameter)
        if seen.insert(outer).inserted { work.append((outer, runner, event)) }
      }
    }
  }

  /// Whether a function's job is its own, whoever calls it: an async one, a closure that was sent off.
  private func runsItself(_ index: Int) -> Bool {
    let function = program.functions[index]
    if function.isAsync { return function.isolation != .caller }
    return function.isClosure
      && (program.creators[index] ?? []).contains { creator in
        program.functions[creator.function].call(at: creator.event)?.arguments.contains { argument in
          argument.closure.contains { $0.function == function.name && $0.escapes }
        } == true
      }
  }

  private func canRun(_ callee: Int, on runner: Int) -> Bool {
    let body = program.functions[callee]
    if body.isAsync { return body.isolation == .caller }
    return !body.isolation.isActor || body.isolation == program.functions[runner].isolation
  }
}
