/// When a call of a sink counts: one that is bounded, made once, or only asks, costs nobody a frame.

final class SinkConditions {
  private let program: Program

  init(_ program: Program) { self.program = program }

  /// Whether this call of a sink counts as one. `queueSync` and `heldLock` need more than the call and its function:
  /// who reaches sinks and who keeps locks, which `SinkReach` looks up.
  func count(_ sink: Sink, _ call: Call, at event: Int, in function: FunctionFacts) -> Bool {
    switch sink.condition {
    case .always:
      !OneFile.isMeant(by: call, in: function, program) && !isEmptyFile(call)
        && !isCleanup(call, at: event, in: function) && !isAsked(call, in: function)
        && !SemaphoreLock.isTaken(by: call, at: event, in: function, program)
    case .eachTime: !function.isMadeOnce
    case .queueSync, .heldLock: true
    case .toldToWait: call.arguments.contains { $0.literal == "true" }
    case .fileLock: !isLettingGo(call, in: function)
    case .openFile: !isStandardStream(call, in: function)
    case .inputGrows: !isBounded(call, in: function)
    case .refusedInAsync: !function.isAsync && !isLockItself(function)
    case .descriptor: !nonblockingModules.contains(function.module) && !isGlance(call)
    }
  }

  /// `createFile(atPath: path, contents: nil)` writes nothing.
  private func isEmptyFile(_ call: Call) -> Bool {
    call.display.contains("FileManager.createFile(")
      && call.arguments.contains { $0.literal == "nil" || $0.literal == "Optional.none" }
  }

  /// What is removed because something else has failed is removed once in a while, and is seldom large.
  private func isCleanup(_ call: Call, at event: Int, in function: FunctionFacts) -> Bool {
    guard call.display.contains("FileManager.removeItem") else { return false }
    let flow = ControlFlow(function)
    return function.events.indices.prefix(event).contains { earlier in
      guard let other = function.call(at: earlier), other.isThrowing else { return false }
      return flow.isOnErrorPath(event, of: earlier)
    } || isFile(call, in: function)
  }

  /// Whether what is removed is also read or written as one file here, so that it is no tree of them.
  private func isFile(_ call: Call, in function: FunctionFacts) -> Bool {
    guard let removed = call.arguments.indices.first(where: { $0 != call.receiver }).map({ call.arguments[$0] }) else {
      return false
    }
    return function.events.contains { event in
      guard case .call(let other) = event.kind,
        ["Data.init(contentsOf", "String.init(contentsOf", "Data.write(to", ".write(to:", ".write(toFile:"].contains(
          where: { other.display.contains($0) })
      else { return false }
      return other.arguments.enumerated().contains { position, argument in
        position != other.receiver
          && (argument.root != nil && argument.root == removed.root
            || !argument.origins.isEmpty && argument.origins == removed.origins)
      }
    }
  }

  /// `semaphore.wait(timeout: .now())` asks, and goes on whatever the answer is.
  private func isAsked(_ call: Call, in function: FunctionFacts) -> Bool {
    guard call.display.contains(".wait(timeout:") || call.display.contains(".wait(wallTimeout:") else { return false }
    return call.arguments.enumerated().contains { position, argument in
      guard position != call.receiver else { return false }
      if argument.literal == ".now()" { return true }
      guard argument.origins.members.count == 1, let member = argument.origins.members.first, member >= 0 else {
        return false
      }
      return function.source == .compiler && function.call(at: Int(member))?.display.hasSuffix("Time.now()") == true
    }
  }

  /// `lock()` of a type that has `unlock()`, too: what a lock waits for is short.
  private func isLockItself(_ function: FunctionFacts) -> Bool {
    guard Program.memberName(function.display).prefix(while: { $0 != "(" }) == "lock",
      let type = Program.enclosingType(function.display)
    else { return false }
    return program.functions(ofType: type, in: function.module).contains {
      program.functions[$0].display == type + ".unlock()"
    }
  }

  private func isStandardStream(_ call: Call, in function: FunctionFacts) -> Bool {
    func isOne(_ name: String) -> Bool {
      name.contains("FileHandle.standardOutput") || name.contains("FileHandle.standardError")
    }
    if let root = call.receiverRoot, isOne(root) { return true }
    guard let receiver = call.receiver, call.arguments.indices.contains(receiver) else { return false }
    return program.effects.expanded(call.arguments[receiver].origins, in: function).contains { member in
      member >= 0 && function.call(at: Int(member)).map { isOne($0.display) } ?? false
    }
  }

  /// `poll` with a timeout of nothing looks and does not wait.
  private func isGlance(_ call: Call) -> Bool {
    ["poll", "epoll_wait"].contains(call.cName) && call.arguments.last?.literal == "0"
  }

  /// `LOCK_UN` lets go, and `LOCK_NB` does not wait.
  private func isLettingGo(_ call: Call, in function: FunctionFacts) -> Bool {
    guard let operation = call.arguments.last else { return false }
    if let literal = operation.literal.flatMap({ Int($0) }) { return literal & 12 != 0 }
    if let name = operation.literal, name == "LOCK_UN" || name == "LOCK_NB" { return true }
    return program.effects.expanded(operation.origins, in: function).contains { member in
      guard member >= 0, let inner = function.call(at: Int(member)) else { return false }
      return inner.display.contains("LOCK_UN") || inner.display.contains("LOCK_NB")
    }
  }

  /// Modules that set flags of descriptors: their sockets are likely to answer at once.
  private lazy var nonblockingModules: Set<String> = {
    var modules: Set<String> = []
    for function in program.functions where !modules.contains(function.module) {
      for event in function.events {
        if case .call(let call) = event.kind,
          ["fcntl", "ioctl"].contains(call.cName ?? String(call.display.prefix { $0 != "(" }))
        {
          modules.insert(function.module)
        }
      }
    }
    return modules
  }()

  /// Everything passed is made of literals: its size is known to whoever wrote it.
  private func isBounded(_ call: Call, in function: FunctionFacts) -> Bool {
    // `decode(Bool.self, from: data)`.
    for argument in call.arguments {
      guard let literal = argument.literal, literal.hasSuffix(".self") else { continue }
      if program.isSmall(String(literal.dropLast(5)), in: function.module) { return true }
    }
    for (index, argument) in call.arguments.enumerated() where index != call.receiver {
      for member in program.effects.expanded(argument.origins, in: function) {
        guard member >= 0, let inner = function.call(at: Int(member)), !inner.suspends else { return false }
        let name = CalleePattern.normalised(inner.display)
        let isPlain =
          name.hasPrefix("Data.init") && !name.contains("contentsOf") || name.hasPrefix("String.")
          || name.hasPrefix("StringProtocol.data") || name.hasPrefix("default argument") || name.hasPrefix("Array.")
          || name.hasPrefix("_allocateUninitializedArray") || name.hasPrefix("_finalizeUninitializedArray")
          || name.hasPrefix("Optional.")
        if !isPlain || name.contains("contentsOf") { return false }
      }
    }
    return call.arguments.contains { !$0.origins.isEmpty || $0.literal != nil }
  }
}
