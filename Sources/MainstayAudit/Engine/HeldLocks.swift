/// Functions that take a lock and end, or may be suspended, without letting it go.
import MainstayFindings

struct HeldLocks {
  /// Synchronous functions that leave a lock taken, and async ones that keep it for longer than one job.
  private(set) var holders: Set<Int> = []
  /// Functions that only let go.
  private var releasing: Set<Int> = []
  private let program: Program

  private static let takes = [
    "NSLock.lock", "NSRecursiveLock.lock", "NSCondition.lock",
  ]
  private static let cTakes: Set<String> = [
    "pthread_mutex_lock", "pthread_rwlock_wrlock", "pthread_rwlock_rdlock", "os_unfair_lock_lock",
  ]
  private static let cReleases: Set<String> = [
    "pthread_mutex_unlock", "pthread_rwlock_unlock", "os_unfair_lock_unlock",
  ]

  init(_ program: Program) {
    self.program = program
    // Upwards from the locks, a few calls deep: wrappers of wrappers are rare.
    var work = program.functions.indices.filter { touchesLock($0) }
    var rounds = 0
    while !work.isEmpty, rounds < 6 {
      rounds += 1
      var next: Set<Int> = []
      for index in work where update(index) {
        for caller in (program.callers[index] ?? []) + (program.creators[index] ?? []) { next.insert(caller.function) }
      }
      work = next.sorted()
    }
  }

  private func touchesLock(_ index: Int) -> Bool {
    program.functions[index].events.contains { event in
      if case .call(let call) = event.kind { return takes(call) || lets(call) }
      return false
    }
  }

  /// Decides anew about one function; returns whether that changed anything.
  private mutating func update(_ index: Int) -> Bool {
    let function = program.functions[index]
    var taking: [Int] = []
    var letting: Set<Int> = []
    for (number, event) in function.events.enumerated() {
      guard case .call(let call) = event.kind, call.executor == .own else { continue }
      let callees = callees(of: call)
      if takes(call) || callees.contains(where: { holders.contains($0) && !program.functions[$0].isAsync }) {
        taking.append(number)
      }
      if lets(call) || callees.contains(where: { releasing.contains($0) }) { letting.insert(number) }
    }
    let isHolder: Bool
    if function.isAsync {
      let flow = ControlFlow(function)
      isHolder = taking.contains { isKept(after: $0, letting, function, flow) }
    } else {
      isHolder = !taking.isEmpty && letting.isEmpty
    }
    let isReleasing = taking.isEmpty && !letting.isEmpty
    if isHolder == holders.contains(index), isReleasing == releasing.contains(index) { return false }
    if isHolder { holders.insert(index) } else { holders.remove(index) }
    if isReleasing { releasing.insert(index) } else { releasing.remove(index) }
    return true
  }

  /// Whether a lock taken at an event is still held when the function is suspended.
  private func isKept(after event: Int, _ letting: Set<Int>, _ function: FunctionFacts, _ flow: ControlFlow) -> Bool {
    var isKept = false
    flow.walk(after: event, state: 0) { next, _ in
      if letting.contains(next) || isKept { return .stop }
      if function.suspends(next) { isKept = true }
      return .goOn
    }
    return isKept || letting.isEmpty
  }

  /// What runs within a call: its targets, and closures that do not outlive it.
  private func callees(of call: Call) -> [Int] {
    program.targets(of: call).flatMap { program.unwrapped($0) }
      + call.arguments.flatMap(\.closure).filter { !$0.escapes }.compactMap { program.function(named: $0.function) }
  }

  private func takes(_ call: Call) -> Bool {
    if let name = call.cName { return HeldLocks.cTakes.contains(name) }
    return HeldLocks.takes.contains(base(call))
  }

  private func lets(_ call: Call) -> Bool {
    if let name = call.cName { return HeldLocks.cReleases.contains(name) }
    return base(call).hasSuffix(".unlock")
  }

  private func base(_ call: Call) -> String { String(CalleePattern.normalised(call.display).prefix { $0 != "(" }) }
}
