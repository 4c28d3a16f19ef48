/// Which functions synchronously reach which sinks: the call graph read upwards from every sink.
import MainstayFindings

final class SinkReach {
  struct Site {
    var function: Int
    var event: Int
    var sink: Sink
    var display: String
    var location: SourceLocation
    /// Counts for jobs off the main actor alone: on it, what the closure does is the finding.
    var isOffMainOnly = false
    /// The only functions through which it counts: those that keep the lock which is taken here.
    var holders: Set<Int>?
    /// Whether it waits for nothing when its caller has asked before what is there.
    var canBeAnnounced = false
  }

  /// How one function runs another without leaving its executor.
  struct Edge: Hashable {
    var caller: Int
    var event: Int
    /// How many functions the call may run: more than one when a protocol or subclass decides.
    var choices: Int
    var isClosure: Bool
  }

  /// A way up from a sink: the functions that reach it, nearest first, each with the edge that leads one step down.
  struct Way {
    var order: [Int] = []
    var down: [Int: (edge: Edge, callee: Int)] = [:]
  }

  private let program: Program
  private let readiness: Readiness
  private(set) var sites: [Site] = []
  private var incoming: [Int: [Edge]] = [:]
  /// Functions that reach a sink of each category.
  private var reaching: [Sink.Category: Set<Int>] = [:]

  init(_ program: Program) {
    self.program = program
    readiness = Readiness(program)
    for index in program.functions.indices { readEdges(index) }
    let catalogue = SinkCatalogue(program.configuration)
    var queues: [(Int, Int, Sink)] = []
    let locks = HeldLocks(program)
    for (index, function) in program.functions.enumerated() {
      for (number, event) in function.events.enumerated() {
        guard case .call(let call) = event.kind,
          let sink = catalogue.sink(for: call, hasBody: !program.targets(of: call).isEmpty)
        else { continue }
        if sink.condition == .heldLock {
          if locks.holders.contains(index) {
            add(index, number, sink, call, isOffMainOnly: true, holders: locks.holders)
          }
        } else if sink.condition == .queueSync, !MainQueue.receives(call, in: function) {
          queues.append((index, number, sink))
        } else if counts(sink, call, at: number, in: function),
          !Readiness.canBeAnnounced(call) || !readiness.isAnnounced(number, in: function)
        {
          add(index, number, sink, call)
        }
      }
    }
    for category in [Sink.Category.blocking, .heavy] { reaching[category] = reach(of: category) }
    addQueues(queues)
  }

  /// Whether a function reaches a sink of any kind without leaving its executor.
  func reachesSink(_ function: Int) -> Bool { reaching.values.contains { $0.contains(function) } }

  /// How a function is run by others that stay on their executor.
  func edges(into function: Int) -> [Edge] { incoming[function] ?? [] }

  /// The functions that reach a site, nearest first.
  func way(to site: Site) -> Way {
    var way = Way()
    way.order.append(site.function)
    var seen: Set<Int> = [site.function]
    var next = 0
    while next < way.order.count, way.order.count < 4_000 {
      let callee = way.order[next]
      next += 1
      for edge in incoming[callee] ?? [] {
        if let holders = site.holders, !holders.contains(edge.caller) { continue }
        if site.canBeAnnounced, readiness.isAnnounced(edge.event, in: program.functions[edge.caller]) { continue }
        if !seen.insert(edge.caller).inserted { continue }
        way.order.append(edge.caller)
        way.down[edge.caller] = (edge, callee)
      }
    }
    return way
  }

  /// The sites that a function reaches, the sink's own function included.
  func sites(reachedBy function: Int) -> [Site] {
    sites.filter { way(to: $0).order.contains(function) }
  }

  // MARK: Edges

  private func readEdges(_ index: Int) {
    let function = program.functions[index]
    for (number, event) in function.events.enumerated() {
      guard case .call(let call) = event.kind, call.executor == .own else { continue }
      let targets = program.targets(of: call)
      for target in targets {
        let callee = program.functions[target]
        if callee.isAsync, callee.isolation != .caller, !callee.flags.contains(.isThunk) { continue }
        if callee.isAsync, callee.flags.contains(.isThunk), callee.isolation != .caller,
          !program.unwrapped(target).contains(where: { program.functions[$0].isolation == .caller })
        {
          continue
        }
        if !callee.isAsync, call.isAsync { continue }
        incoming[target, default: []].append(
          Edge(caller: index, event: number, choices: targets.count, isClosure: false))
      }
      for argument in call.arguments {
        for closure in argument.closure where !closure.escapes {
          guard let target = program.function(named: closure.function) else { continue }
          let body = program.functions[target]
          if body.isAsync ? body.isolation != .caller : body.isolation.isActor && body.isolation != function.isolation {
            continue
          }
          incoming[target, default: []].append(Edge(caller: index, event: number, choices: 1, isClosure: true))
        }
      }
    }
  }

  // MARK: Sinks

  private func add(
    _ index: Int, _ number: Int, _ sink: Sink, _ call: Call, isOffMainOnly: Bool = false, holders: Set<Int>? = nil
  ) {
    let function = program.functions[index]
    sites.append(
      Site(
        function: index, event: number, sink: sink, display: CalleePattern.normalised(call.display),
        location: function.events[number].location, isOffMainOnly: isOffMainOnly, holders: holders,
        canBeAnnounced: Readiness.canBeAnnounced(call)))
  }

  private func counts(_ sink: Sink, _ call: Call, at event: Int, in function: FunctionFacts) -> Bool {
    switch sink.condition {
    case .always:
      !OneFile.isMeant(by: call, in: function, program) && !isEmptyFile(call)
        && !isCleanup(call, at: event, in: function) && !isAsked(call, in: function)
        && !SemaphoreLock.isTaken(by: call, at: event, in: function, program)
    case .eachTime: !isMadeOnce(function)
    case .queueSync, .heldLock: true
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

  /// The initial value of a static member or of a global.
  private func isMadeOnce(_ function: FunctionFacts) -> Bool {
    if function.flags.contains(.isGlobalInitializer) { return true }
    var display = function.display[...]
    while display.hasPrefix("closure #"), let inner = display.firstRange(of: " in ") {
      display = display[inner.upperBound...]
    }
    return display.hasPrefix("static variable initialization expression of ")
      || display.hasPrefix("variable initialization expression of ") && !display.contains(".")
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

  private func reach(of category: Sink.Category) -> Set<Int> {
    var result: Set<Int> = []
    for site in sites where site.sink.category == category { result.formUnion(way(to: site).order) }
    return result
  }

  /// `queue.sync` around a closure that is heavy but not blocking: whoever calls it waits for that.
  private func addQueues(_ queues: [(Int, Int, Sink)]) {
    for (index, number, sink) in queues {
      guard let call = program.functions[index].call(at: number) else { continue }
      let closures = call.arguments.flatMap(\.closure).compactMap { program.function(named: $0.function) }
      let heavy = closures.contains { reaching[.heavy]?.contains($0) == true }
      let blocking = closures.contains { reaching[.blocking]?.contains($0) == true }
      if heavy, !blocking { add(index, number, sink, call, isOffMainOnly: true) }
    }
    for site in sites where site.isOffMainOnly { reaching[.blocking]?.formUnion(way(to: site).order) }
  }
}
