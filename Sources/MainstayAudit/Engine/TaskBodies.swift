/// Which code runs as an unstructured task, who started it, and whether its successor cancels it.
import MainstayFindings

struct TaskStart {
  var function: Int
  var event: Int
  var kind: Spawn.Kind
  /// The starter keeps the task and cancels the one before it.
  var isSuperseding: Bool
}

struct TaskBodies {
  private var starts: [Int: [TaskStart]] = [:]

  init(_ program: Program) {
    for (index, function) in program.functions.enumerated() {
      for (number, event) in function.events.enumerated() {
        guard case .call(let call) = event.kind, let spawn = Spawn(call), let closure = spawn.closure,
          let body = program.function(named: closure.function)
        else { continue }
        starts[body, default: []].append(
          TaskStart(
            function: index, event: number, kind: spawn.kind,
            isSuperseding: TaskBodies.isSuperseding(function, number, program)))
      }
    }
    // What a task's closure awaits on its own actor is part of the task.
    var work = Array(starts.keys.sorted())
    while let body = work.popLast() {
      let function = program.functions[body]
      for event in function.events {
        guard case .call(let call) = event.kind, call.isAsync else { continue }
        for target in program.targets(of: call).flatMap({ program.unwrapped($0) })
        where program.functions[target].isolation == function.isolation && starts[target] == nil && target != body {
          // Only when nobody else calls it: otherwise it is a function of its own.
          let callers = program.callers[target] ?? []
          guard callers.allSatisfy({ $0.function == body || starts[$0.function] != nil }) else { continue }
          starts[target] = starts[body]
          work.append(target)
        }
      }
    }
  }

  func starts(of body: Int) -> [TaskStart] { starts[body] ?? [] }

  /// The starter calls `cancel` on a member and stores the new task in it.
  private static func isSuperseding(_ function: FunctionFacts, _ event: Int, _ program: Program) -> Bool {
    var cancels = false
    for candidate in function.events {
      guard case .call(let call) = candidate.kind else { continue }
      let name = CalleePattern.normalised(call.display)
      if name == "Task.cancel()" { cancels = true }
      for target in program.targets(of: call) where !program.functions[target].isAsync {
        for inner in program.functions[target].events {
          if case .call(let call) = inner.kind, CalleePattern.normalised(call.display) == "Task.cancel()" {
            cancels = true
          }
        }
      }
    }
    guard cancels else { return false }
    return function.events.contains { candidate in
      guard case .write(let write) = candidate.kind else { return false }
      return program.effects.expanded(write.origins, in: function).contains(Int32(event))
    }
  }
}
