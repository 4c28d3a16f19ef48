/// Which accesses happen while a lock is held: inside its closure, or between lock and unlock.
import MainstayFindings

final class CriticalSections {
  private let program: Program
  private var heldThroughout: [Int: Bool] = [:]

  init(_ program: Program) { self.program = program }

  /// Whether a lock is held when an event of a function runs.
  func isHeld(_ function: Int, at event: Int) -> Bool {
    isHeldThroughout(function, depth: 0) || isHeldBetween(function, event)
  }

  struct Access {
    var function: Int
    var location: SourceLocation
    var isWrite: Bool
  }

  /// The accesses to a stored member outside initialisers that no lock surely covers, and whether there are any at all.
  func unguarded(
    _ member: MemberDeclaration, of type: DeclarationIndex.Entry
  ) -> (first: Access?, isTouched: Bool) {
    guard let name = type.primary?.name else { return (nil, false) }
    let key = name + "." + member.name
    var isTouched = false
    for index in program.accessors(ofMember: key, in: type.module) {
      let function = program.functions[index]
      guard program.isOwn(function), program.declarations.type(name, in: function.module)?.module == type.module,
        !function.flags.contains(.isInitializer), !function.flags.contains(.isDeinitializer),
        !function.flags.contains(.isImplicit), function.location != member.location,
        !program.isPartOfInitializer(index), !isInlined(index)
      else { continue }
      for (number, event) in function.events.enumerated() {
        let isWrite: Bool
        switch event.kind {
        case .read(let place) where place.member == key || place.member.hasPrefix(key + "."): isWrite = false
        case .write(let write) where write.place.member == key || write.place.member.hasPrefix(key + "."):
          isWrite = true
        default: continue
        }
        isTouched = true
        if program.isMadeHere(event, in: function, type: name) { continue }
        if !isHeld(index, at: number) {
          return (Access(function: index, location: event.location, isWrite: isWrite), true)
        }
      }
    }
    return (nil, isTouched)
  }

  /// Whether one of the functions that touch a stored member asserts the queue, the loop or the actor that keeps it.
  func isAssertedSomewhere(_ member: MemberDeclaration, of type: DeclarationIndex.Entry) -> Bool {
    guard let name = type.primary?.name else { return false }
    return program.accessors(ofMember: name + "." + member.name, in: type.module).contains { index in
      let function = program.functions[index]
      return program.declarations.type(name, in: function.module)?.module == type.module
        && function.events.contains { event in
          if case .call(let call) = event.kind { return asserts(call) }
          return false
        }
    }
  }

  /// An autoclosure that the compiler has put into its function, where its accesses are seen in their place:
  /// `precondition(owner != current)`.
  private func isInlined(_ index: Int) -> Bool {
    InnerFunction(program.functions[index].display) == .autoclosure && program.creators[index] == nil
      && program.callers[index] == nil
  }

  /// Whether the function itself has taken a lock before an event, and not let it go.
  private func isHeldBetween(_ function: Int, _ event: Int) -> Bool {
    let facts = program.functions[function]
    let calls = facts.events.compactMap { event -> Call? in
      if case .call(let call) = event.kind { call } else { nil }
    }
    // Whoever only lets go of a lock was given it by its caller.
    let isGiven = !calls.contains { takes($0) } && calls.contains { CriticalSections.releases($0) }
    guard isGiven || calls.contains(where: { takes($0) || asserts($0) }) else { return false }
    var isAlwaysHeld = true
    ControlFlow(facts).walkFromEntry(state: isGiven) { number, held in
      if number == event {
        if !held { isAlwaysHeld = false }
        return .stop
      }
      if case .call(let call) = facts.events[number].kind {
        if takes(call) || asserts(call) { held = true } else if releases(call) { held = false }
      }
      return .goOn
    }
    return isAlwaysHeld
  }

  /// Whether a function only ever runs under a lock: a closure given to one, or a helper of such closures.
  private func isHeldThroughout(_ function: Int, depth: Int) -> Bool {
    if let known = heldThroughout[function] { return known }
    guard depth < 6 else { return false }
    heldThroughout[function] = false
    let creators = program.creators[function] ?? []
    // Who makes a closure says under what it runs.
    let callers = creators.isEmpty ? (program.callers[function] ?? []).filter { $0.function != function } : []
    var result = !(creators.isEmpty && callers.isEmpty)
    for creator in creators where result {
      guard let call = program.functions[creator.function].call(at: creator.event) else { continue }
      result = runsLocked(call) || isHeldFrom(creator.function, creator.event, depth)
    }
    for caller in callers where result { result = isHeldFrom(caller.function, caller.event, depth) }
    heldThroughout[function] = result
    return result
  }

  private func isHeldFrom(_ function: Int, _ event: Int, _ depth: Int) -> Bool {
    isHeldThroughout(function, depth: depth + 1) || isHeldBetween(function, event)
  }

  /// A call that runs its closure while it holds something.
  private func runsLocked(_ call: Call) -> Bool {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    let name = base.split(separator: ".").last.map(String.init) ?? ""
    if [
      "withLock", "withLockUnchecked", "withLockIfAvailable", "withCriticalRegion", "withLockVoid", "locked",
      "synchronized",
    ]
    .contains(name) {
      return true
    }
    if isOnQueue(base) || program.ownTargets(of: call).contains(where: { handsToQueue($0) }) { return true }
    return program.targets(of: call).flatMap { program.unwrapped($0) }.contains { target in
      var holds = false
      var runs = false
      for event in program.functions[target].events {
        guard case .call(let inner) = event.kind else { continue }
        if takes(inner) || runsLockedByName(inner) { holds = true }
        if case .parameter = inner.callee { runs = true }
      }
      return holds
        && (runs
          || program.functions[target].events.contains { event in
            if case .call(let inner) = event.kind { return runsLockedByName(inner) }
            return false
          })
    }
  }

  private func isOnQueue(_ base: Substring) -> Bool {
    ["Queue.sync", "Queue.async", "Queue.asyncAndWait", "dispatch_queue.sync", "dispatch_queue.async"].contains {
      base.hasSuffix($0)
    }
  }

  /// Whether a function gives what it was given to a queue: `func dispatch(_ work: …) { queue.async(execute: work) }`.
  private func handsToQueue(_ target: Int) -> Bool {
    let function = program.functions[target]
    return function.events.contains { event in
      guard case .call(let call) = event.kind,
        isOnQueue(CalleePattern.normalised(call.display).prefix { $0 != "(" })
      else { return false }
      return call.arguments.enumerated().contains { position, argument in
        position != call.receiver
          && program.effects.expanded(argument.origins, in: function).contains { member in
            function.parameter(of: member).map { $0.name != "self" } ?? false
          }
      }
    }
  }

  private func runsLockedByName(_ call: Call) -> Bool {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    return base.hasSuffix(".withLock") || base.hasSuffix("Queue.sync") || base.hasSuffix("dispatch_queue.sync")
  }

  private static let locking = [
    "pthread_mutex_lock", "pthread_rwlock_wrlock", "pthread_rwlock_rdlock", "os_unfair_lock_lock", "OSSpinLockLock",
    "AcquireSRWLockExclusive", "AcquireSRWLockShared", "EnterCriticalSection",
  ]
  private static let unlocking = [
    "pthread_mutex_unlock", "pthread_rwlock_unlock", "os_unfair_lock_unlock", "OSSpinLockUnlock",
    "ReleaseSRWLockExclusive", "ReleaseSRWLockShared", "LeaveCriticalSection",
  ]

  private static let assertions: Set<String> = [
    "assertInEventLoop", "preconditionInEventLoop", "dispatchPrecondition", "_dispatchPreconditionTest",
    "assertIsolated", "preconditionIsolated",
  ]

  /// A call that stops the program anywhere but on the queue, the loop or the actor that keeps the state.
  private func asserts(_ call: Call) -> Bool {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    return base.split(separator: ".").last.map { CriticalSections.assertions.contains(String($0)) } ?? false
  }

  /// A call that takes a lock: the lock's own, or a function's that does nothing but keep it.
  private func takes(_ call: Call) -> Bool {
    CriticalSections.takes(call) || SemaphoreLock.isOne(call, named: "wait")
      || keeps(call, CriticalSections.takes, without: CriticalSections.releases)
  }

  private func releases(_ call: Call) -> Bool {
    CriticalSections.releases(call) || SemaphoreLock.isOne(call, named: "signal")
      || keeps(call, CriticalSections.releases, without: CriticalSections.takes)
  }

  private func keeps(_ call: Call, _ wanted: (Call) -> Bool, without other: (Call) -> Bool) -> Bool {
    program.ownTargets(of: call).contains { target in
      let calls = program.functions[target].events.compactMap { event -> Call? in
        if case .call(let call) = event.kind { call } else { nil }
      }
      return calls.contains(where: wanted) && !calls.contains(where: other)
    }
  }

  static func takes(_ call: Call) -> Bool {
    if let name = call.cName, locking.contains(name) { return true }
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    if locking.contains(bare(base)) { return true }
    // Whoever tries and fails goes another way.
    return base.hasSuffix(".lock") || base.hasSuffix(".try") || base.hasSuffix(".lockBeforeDate")
      || base.hasSuffix(".lockRead")
      || base.hasSuffix(".lockWrite") || base.hasSuffix(".writeLock") || base.hasSuffix(".readLock") || base == "lock"
      || base == "objc_sync_enter"
  }

  static func releases(_ call: Call) -> Bool {
    if let name = call.cName, unlocking.contains(name) { return true }
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    return base.hasSuffix(".unlock") || base == "unlock" || base == "objc_sync_exit" || unlocking.contains(bare(base))
  }

  /// The source alone takes what begins with a capital letter for a type.
  private static func bare(_ base: Substring) -> String {
    String(base.hasSuffix(".init") ? base.dropLast(5) : base)
  }
}

extension Program {
  /// Whether an event touches an object of a type that its own function has made, as a static function does that gives
  /// back a pair of them: nobody else knows it yet.
  func isMadeHere(_ event: Event, in function: FunctionFacts, type: String) -> Bool {
    let root: Substring
    switch event.kind {
    case .read(let place): root = place.root.prefix { $0 != "." }
    case .write(let write): root = write.place.root.prefix { $0 != "." }
    default: return false
    }
    if ["self", "global", "?"].contains(root) || function.parameters.contains(where: { $0.name == root }) {
      return false
    }
    let maker = type + ".init("
    return !function.isClosure && Program.enclosingType(function.display) == type
      && function.events.contains { event in
        guard case .call(let call) = event.kind else { return false }
        return CalleePattern.normalised(call.display).hasPrefix(maker)
      }
  }

  /// Whether a synchronous method is called by its type's initialisers alone: nobody else knows the object yet.
  func isPartOfInitializer(_ index: Int) -> Bool {
    let function = functions[index]
    guard !function.isClosure, !function.isAsync, let type = Program.enclosingType(function.display),
      let callers = callers[index], !callers.isEmpty, creators[index] == nil
    else { return false }
    return callers.allSatisfy { caller in
      let caller = functions[caller.function]
      return caller.flags.contains(.isInitializer) && !caller.isClosure
        && Program.enclosingType(caller.display) == type
    }
  }
}
