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
  static func receives(_ call: Call, in function: FunctionFacts, _ program: Program) -> Bool {
    guard let receiver = call.receiver, call.arguments.indices.contains(receiver) else { return false }
    return isMain(call.arguments[receiver], in: function, program)
  }

  /// Whether the main queue is among what a call is given: `queue: .main`.
  static func isGiven(to call: Call, in function: FunctionFacts, _ program: Program) -> Bool {
    call.arguments.contains { isMain($0, in: function, program) }
  }

  /// Whether a call's closure runs later on the main queue.
  static func runsClosure(of call: Call, in function: FunctionFacts, _ program: Program) -> Bool {
    let name = CalleePattern.normalised(call.display)
    if starters.contains(where: { name.hasPrefix($0) }) { return receives(call, in: function, program) }
    if name.hasPrefix("NotificationCenter.addObserver(forName:") { return isGiven(to: call, in: function, program) }
    // The main actor's own run loop.
    return name.hasPrefix("Timer.scheduledTimer(") && function.isolation.isMain
  }

  private static func isMain(_ argument: Argument, in function: FunctionFacts, _ program: Program) -> Bool {
    if argument.literal == ".main" { return true }
    return argument.origins.members.contains { member in
      guard member >= 0 else { return false }
      switch function.events[Int(member)].kind {
      case .call(let origin): return getters.contains { origin.display.hasSuffix($0) }
      case .read(let place): return isKept(place, in: function, program)
      default: return false
      }
    }
  }

  /// `private let queue = DispatchQueue.main`: a member or a global that is the main queue for good.
  private static func isKept(_ place: Place, in function: FunctionFacts, _ program: Program) -> Bool {
    guard let dot = place.member.lastIndex(of: ".") else {
      return program.declarations.sources.contains { source in
        source.module == function.module && source.members.contains { $0.name == place.member && isMain($0) }
      }
    }
    return program.declarations.type(String(place.member[..<dot]), in: function.module)?
      .stored(place.member[place.member.index(after: dot)...]).map { isMain($0) } ?? false
  }

  static func isMain(_ member: MemberDeclaration) -> Bool {
    member.kind == .stored && !member.isMutable && member.initial == ".main"
      && ["DispatchQueue", "OperationQueue", "RunLoop"].contains(member.type)
  }
}
