/// Closures that a subscription runs somewhere else than the code that gives them away, whatever their type says.
import MainstayFindings

enum Elsewhere {
  /// Whether a closure, or one around it, is called off the executor of the function that made it.
  static func runs(_ index: Int, in program: Program) -> Bool {
    var work = [index]
    var seen: Set<Int> = [index]
    while let next = work.popLast(), seen.count < 16 {
      guard program.functions[next].isClosure else { continue }
      for creator in program.creators[next] ?? [] {
        let maker = program.functions[creator.function]
        // A task brings its closure home.
        guard let call = maker.call(at: creator.event), Spawn(call) == nil else { continue }
        if isSubscription(call, in: maker, program) { return true }
        if seen.insert(creator.function).inserted { work.append(creator.function) }
      }
    }
    return false
  }

  private static func isSubscription(_ call: Call, in maker: FunctionFacts, _ program: Program) -> Bool {
    let name = CalleePattern.normalised(call.display)
    let word = name.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? ""
    return (word == "sink" || word == "handleEvents") && isReceivedElsewhere(call, in: maker, program)
  }

  /// Whether a subscription stands behind `receive(on:)` a queue that is not the main one, or behind a task's answer.
  private static func isReceivedElsewhere(_ call: Call, in maker: FunctionFacts, _ program: Program) -> Bool {
    var receiver = call.receiver
    var current = call
    for _ in 0..<24 {
      guard let position = receiver, current.arguments.indices.contains(position),
        let member = current.arguments[position].origins.members.first(where: { $0 >= 0 }),
        let before = maker.call(at: Int(member))
      else { return false }
      let word = before.display.prefix { $0 != "(" }.split(separator: ".").last ?? ""
      if word == "receive" {
        return !MainQueue.isGiven(to: before, in: maker, program) && namesOther(before, in: maker)
      }
      if word == "asyncMap" { return true }
      current = before
      receiver = before.receiver
    }
    return false
  }

  /// `DispatchQueue.global()`, `OperationQueue()`, a queue of one's own: what is known to be none of the main thread's.
  private static func namesOther(_ call: Call, in maker: FunctionFacts) -> Bool {
    call.arguments.enumerated().contains { position, argument in
      position != call.receiver
        && argument.origins.members.contains { member in
          guard member >= 0, let made = maker.call(at: Int(member)) else { return false }
          let name = CalleePattern.normalised(made.display)
          return name.contains("DispatchQueue.global") || name.contains("Queue.init")
        }
    }
  }
}
