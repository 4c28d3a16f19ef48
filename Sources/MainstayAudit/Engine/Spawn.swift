/// A call that starts an unstructured task.
import MainstayFindings

struct Spawn {
  enum Kind { case inheriting, detached, immediate }

  var kind: Kind
  /// The closure that the task runs.
  var closure: ClosureValue?

  /// Whether a callee is one of `Task`, by its spelling.
  static func isTask(_ display: String) -> Bool {
    let name = display.hasPrefix("static ") ? display.dropFirst("static ".count) : display[...]
    return name.hasPrefix("Task.") || name.hasPrefix("Task<")
  }

  /// Nil when the call starts no task.
  init?(_ call: Call) {
    let name = CalleePattern.normalised(call.display)
    if name.hasPrefix("Task.init(") {
      kind = .inheriting
    } else if name.hasPrefix("Task.detached(") {
      kind = .detached
    } else if name.hasPrefix("Task.immediate(") || name.hasPrefix("Task.startSynchronously(") {
      kind = .immediate
    } else if name.hasPrefix("Task.immediateDetached(") {
      kind = .detached
    } else {
      return nil
    }
    closure = call.arguments.lazy.flatMap(\.closure).first { $0.escapes }
  }

  /// Whether the task was given background or utility priority.
  static func isLowPriority(_ call: Call, in function: FunctionFacts) -> Bool {
    for argument in call.arguments where argument.closure.isEmpty {
      for member in argument.origins.members where member >= 0 {
        if let inner = function.call(at: Int(member)),
          inner.display.contains("TaskPriority.background.getter")
            || inner.display.contains("TaskPriority.utility.getter")
            || inner.display.contains("TaskPriority.low.getter")
        {
          return true
        }
      }
      if argument.literal == ".background" || argument.literal == ".utility" { return true }
    }
    return false
  }
}
