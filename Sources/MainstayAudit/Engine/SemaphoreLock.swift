/// Semaphores that are used as locks: a function takes one, does its own synchronous work, and gives it back.
import MainstayFindings

enum SemaphoreLock {
  /// Whether a wait is for a semaphore that the same function gives back before it ends: as short as its work.
  static func isTaken(by call: Call, at event: Int, in function: FunctionFacts, _ program: Program) -> Bool {
    guard isOne(call, named: "wait"), !function.isAsync, let name = member(call) else { return false }
    return function.events.indices.contains { later in
      guard later > event, let other = function.call(at: later) else { return false }
      if isOne(other, named: "signal") { return member(other) == name }
      // `defer { lock.signal() }` is a function of its own.
      return program.targets(of: other).contains { target in
        let ending = program.functions[target]
        return ending.display.hasPrefix("$defer")
          && ending.events.contains { event in
            guard case .call(let inner) = event.kind else { return false }
            return isOne(inner, named: "signal") && member(inner) == name
          }
      }
    }
  }

  static func isOne(_ call: Call, named name: String) -> Bool {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    return base == "DispatchSemaphore." + name || base == "OS_dispatch_semaphore." + name
  }

  /// The semaphore's own name, whoever it is reached through.
  private static func member(_ call: Call) -> Substring? { call.receiverRoot?.split(separator: ".").last }
}
