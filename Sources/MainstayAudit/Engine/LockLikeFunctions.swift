/// Functions that run a closure alone, and the code that only ever runs inside one.
import MainstayFindings

final class LockLikeFunctions {
  private let program: Program
  /// Functions that hold something for as long as their closure runs.
  private var lockLike: Set<Int> = []
  /// Functions and closures that run under such a lock whenever they run.
  private var serialised: Set<Int> = []

  init(_ program: Program) {
    self.program = program
    for index in program.functions.indices where holds(index) { lockLike.insert(index) }
    for (index, creators) in program.creators where !creators.isEmpty {
      let all = creators.allSatisfy { creator in
        guard let call = program.functions[creator.function].call(at: creator.event) else { return false }
        return isLock(call)
      }
      if all { serialised.insert(index) }
    }
    var changed = true
    while changed {
      changed = false
      for (index, callers) in program.callers where !serialised.contains(index) {
        guard program.functions[index].isolation.isActor, !callers.isEmpty, program.creators[index] == nil else {
          continue
        }
        let all = callers.allSatisfy { caller in
          serialised.contains(caller.function)
            || program.functions[caller.function].flags.contains(.isThunk)
              && program.callers[caller.function]?.isEmpty ?? true
        }
        if all, callers.contains(where: { serialised.contains($0.function) }) {
          serialised.insert(index)
          changed = true
        }
      }
    }
  }

  func isSerialised(_ index: Int) -> Bool { serialised.contains(index) }

  private func isLock(_ call: Call) -> Bool {
    if program.configuration.isSerialised(call) { return true }
    let targets = program.targets(of: call).flatMap { program.unwrapped($0) }
    if targets.isEmpty {
      let name = call.display.prefix { $0 != "(" && $0 != "<" }
      return call.isAsync && (name.hasSuffix(".withLock") || name == "withLock")
    }
    return targets.contains { lockLike.contains($0) }
  }

  /// The shape of a lock: it calls its closure, and sets one flag before and clears it after.
  private func holds(_ index: Int) -> Bool {
    let function = program.functions[index]
    guard function.isAsync else { return false }
    let callsParameter = function.events.contains { event in
      if case .call(let call) = event.kind, case .parameter = call.callee { return true }
      return false
    }
    guard callsParameter else { return false }
    var literals: [Place: Set<String>] = [:]
    for write in program.effects.of(index).writes {
      if let literal = write.literal { literals[write.place, default: []].insert(literal) }
    }
    for event in function.events {
      if case .call(let call) = event.kind {
        for write in program.effects.effects(of: call, in: function).writes {
          if let literal = write.literal { literals[write.place, default: []].insert(literal) }
        }
      }
    }
    return literals.values.contains { $0.isSuperset(of: ["true", "false"]) }
  }
}
