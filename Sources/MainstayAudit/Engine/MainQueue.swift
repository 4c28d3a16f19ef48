/// The main queue and what stands for it: whose callbacks run on the main actor.
import MainstayFindings

enum MainQueue {
  private static let getters = [
    "DispatchQueue.main.getter", "OS_dispatch_queue.main.getter", "OperationQueue.main.getter", "RunLoop.main.getter",
  ]

  /// Functions whose closure runs on the queue or loop that they are called on.
  private static let starters = [
    "DispatchQueue.async", "OS_dispatch_queue.async", "OperationQueue.addOperation", "RunLoop.perform",
  ]

  /// Whether a call is made on the main queue, from where its receiver comes.
  static func receives(_ call: Call, in function: FunctionFacts) -> Bool {
    guard let receiver = call.receiver, call.arguments.indices.contains(receiver) else { return false }
    return isMain(call.arguments[receiver], in: function)
  }

  /// Whether the main queue is among what a call is given: `queue: .main`.
  static func isGiven(to call: Call, in function: FunctionFacts) -> Bool {
    call.arguments.contains { isMain($0, in: function) }
  }

  /// Whether a call's closure runs later on the main queue.
  static func runsClosure(of call: Call, in function: FunctionFacts) -> Bool {
    let name = CalleePattern.normalised(call.display)
    if starters.contains(where: { name.hasPrefix($0) }) { return receives(call, in: function) }
    if name.hasPrefix("NotificationCenter.addObserver(forName:") { return isGiven(to: call, in: function) }
    return false
  }

  private static func isMain(_ argument: Argument, in function: FunctionFacts) -> Bool {
    if argument.literal == ".main" { return true }
    return argument.origins.members.contains { member in
      guard member >= 0, let origin = function.call(at: Int(member)) else { return false }
      return getters.contains { origin.display.hasSuffix($0) }
    }
  }
}
