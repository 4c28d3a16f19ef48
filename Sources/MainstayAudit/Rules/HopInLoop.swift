/// MS104: a loop that changes executor twice a turn for a small synchronous call.
import MainstayFindings

enum HopInLoop: Rule {
  static let documentation = RuleDocumentation(
    id: "hop_in_loop", code: "MS104", severity: .warning,
    claim: "A loop hops to another actor and back in every turn for a small synchronous call.",
    exemptions:
      "Loops over an AsyncSequence or that await other work, receivers that differ each turn, callees that take a batch, "
      + "the actor's own loops, tests.",
    fires: """
      @MainActor func total() async -> Int {
        var sum = 0
        for index in 0..<10_000 { sum += await store.value(at: index) }   // 20,000 switches of executor
        return sum
      }
      """,
    silent: """
      extension Store { func total() -> Int { values.reduce(0, +) } }
      @MainActor func total() async -> Int { await store.total() }
      """,
    fix: "Move the loop to the other side: one call that takes or returns the whole batch.",
    references: ["Documentation/Articles.md, 0.17"])

  /// What one round trip between the main actor and another costs, in microseconds: the articles' figure. The benchmark
  /// `loop` (Benchmarks/Sources/LibraryBenchmarks/HopsInLoop.swift) measures it, and fails when it is far from this.
  static let roundTripMicroseconds = 6

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated()
    where function.isAsync && program.isOwn(function) && function.events.contains(where: mayHop) {
      let flow = ControlFlow(function)
      let loops = flow.loopBlocks
      if loops.isEmpty { continue }
      for number in function.events.indices where loops.contains(flow.block(of: number)) {
        guard let outer = function.call(at: number) else { continue }
        let step = step(outer, of: function, program)
        let call = step ?? outer
        guard !(isRun(call) && function.isolation.isMain), isSmallHop(call, in: program) else { continue }
        let loop = flow.loop(around: flow.block(of: number))
        if isPaced(loop, function, program) || varies(outer, function, flow, loop) { continue }
        if program.sinks.reachesSink(index), loopReachesSink(loop, function, program) { continue }
        let name = CalleePattern.normalised(call.display)
        let location = function.events[number].location
        findings.append(
          builder.finding(
            about: index, at: location, subject: name,
            message:
              "each turn of this loop hops to \(actor(call)) and back for \(name): about "
              + "\(roundTripMicroseconds) µs a turn, \(roundTripMicroseconds * 10) ms in 10,000",
            action: "move the loop to \(actor(call)): one call that takes or returns the whole batch",
            path: [PathStep(location: location, text: "hops to \(actor(call)) for \(name) in every turn")],
            confidence: .high))
      }
    }
    return SinkFindings.unique(findings)
  }

  private static func mayHop(_ event: Event) -> Bool {
    if case .call(let call) = event.kind { return call.suspends || isRun(call) }
    return false
  }

  /// The hop of an async function that does nothing slower: `func step(_ index: Int) async { sum += await store.value(index) }`,
  /// on the executor of the loop.
  private static func step(_ call: Call, of function: FunctionFacts, _ program: Program) -> Call? {
    let targets = program.targets(of: call)
    guard call.isAsync, call.executor == .own, targets.count == 1, program.isOwn(program.functions[targets[0]]) else {
      return nil
    }
    let callee = program.functions[targets[0]]
    guard callee.isAsync, !callee.isClosure, callee.isolation.isActor, callee.isolation == function.isolation,
      ControlFlow(callee).loopBlocks.isEmpty, !program.sinks.reachesSink(targets[0])
    else { return nil }
    var hop: Call?
    for event in callee.events.indices where callee.suspends(event) {
      guard let inner = callee.call(at: event), !inner.isAsync, isSmallHop(inner, in: program),
        inner.receiverRoot.map({ $0.hasPrefix("self.") || $0.first?.isUppercase == true }) ?? true
      else { return nil }
      hop = hop ?? inner
    }
    return hop
  }

  /// `MainActor.run` is a hop for a synchronous closure.
  private static func isRun(_ call: Call) -> Bool { CalleePattern.normalised(call.display).hasPrefix("MainActor.run(") }

  private static func isSmallHop(_ call: Call, in program: Program) -> Bool {
    if isRun(call) {
      let closures = call.arguments.flatMap(\.closure).compactMap { program.function(named: $0.function) }
      return !closures.contains { program.sinks.reachesSink($0) }
    }
    switch call.executor {
    case .own, .generic: return false
    case .globalActor, .instance: break
    }
    if call.isAsync || call.display.hasSuffix(".shared.getter") { return false }
    // Where each turn does something slow over there, the hop is not what it costs.
    if program.targets(of: call).flatMap({ program.unwrapped($0) }).contains(where: { program.sinks.reachesSink($0) }) {
      return false
    }
    // It takes a batch already: as many elements in a turn as the caller gives it.
    if program.targets(of: call).flatMap({ program.unwrapped($0) }).contains(where: { walksParameter($0, program) }) {
      return false
    }
    // The values that a call is made with are fetched on the other side too: they belong to the same hop.
    if call.display.isEmpty || InnerFunction(call.display) == .defaultArgument { return false }
    if case .function(let name) = call.callee, program.targets(of: call).isEmpty {
      for prefix in SILDialect.foreignPrefixes where name.hasPrefix(prefix) { return false }
    }
    return true
  }

  /// Whether a function goes through the elements of what it is given. The letters of a text are no batch.
  private static func walksParameter(_ index: Int, _ program: Program) -> Bool {
    let function = program.functions[index]
    guard !ControlFlow(function).loopBlocks.isEmpty else { return false }
    return function.events.contains { event in
      guard case .call(let call) = event.kind else { return false }
      let name = CalleePattern.normalised(call.display)
      guard name.contains("makeIterator("), !name.contains("String"), !name.contains("Character") else { return false }
      return call.arguments.contains { $0.origins.members.contains { $0 < 0 } && $0.root?.hasPrefix("self") != true }
    }
  }

  /// Something else sets the loop's pace: elements that arrive, a sleep, a request.
  private static func isPaced(_ loop: Set<Int>, _ function: FunctionFacts, _ program: Program) -> Bool {
    for block in loop {
      for event in function.blocks[block].events {
        if let call = function.call(at: event), call.isAsync, !isRun(call), step(call, of: function, program) == nil {
          return true
        }
      }
    }
    return false
  }

  /// A receiver that the loop itself produces is another actor each turn: nothing can be batched.
  private static func varies(_ call: Call, _ function: FunctionFacts, _ flow: ControlFlow, _ loop: Set<Int>) -> Bool {
    guard let receiver = call.receiver, call.arguments.indices.contains(receiver) else { return false }
    return call.arguments[receiver].origins.members.contains { member in
      guard member >= 0, loop.contains(flow.block(of: Int(member))) else { return false }
      if case .read = function.events[Int(member)].kind { return false }
      return true
    }
  }

  private static func loopReachesSink(_ loop: Set<Int>, _ function: FunctionFacts, _ program: Program) -> Bool {
    let catalogue = program.sinks.sites
    for block in loop {
      for event in function.blocks[block].events {
        guard let call = function.call(at: event), call.executor == .own else { continue }
        if catalogue.contains(where: { program.functions[$0.function].name == function.name && $0.event == event }) {
          return true
        }
        if program.targets(of: call).contains(where: { program.sinks.reachesSink($0) }) { return true }
      }
    }
    return false
  }

  private static func actor(_ call: Call) -> String {
    if isRun(call) { return "MainActor" }
    return switch call.executor {
    case .globalActor(let name): name
    case .instance(let root):
      Program.enclosingType(CalleePattern.normalised(call.display)) ?? root
    case .own, .generic: "another executor"
    }
  }
}
