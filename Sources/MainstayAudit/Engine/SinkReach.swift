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
    /// Whether what is run was passed by somebody else, who may know why.
    var isPassed = false
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
    for run in PassedFunctions(program).runs {
      incoming[run.callee, default: []].append(
        Edge(caller: run.caller, event: run.event, choices: 1, isClosure: true, isPassed: true))
    }
    let catalogue = SinkCatalogue(program.configuration)
    var queues: [(Int, Int, Sink)] = []
    let conditions = SinkConditions(program)
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
        } else if sink.condition == .queueSync, !MainQueue.receives(call, in: function, program) {
          queues.append((index, number, sink))
        } else if conditions.count(sink, call, at: number, in: function),
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

  /// Whether a function reaches a site by what it calls itself, and not by what it was passed to run.
  func isOwnWay(from function: Int, to site: Site) -> Bool {
    let way = way(to: site)
    var current = function
    var steps = 0
    while let (edge, callee) = way.down[current], steps < 40 {
      if edge.isPassed { return false }
      current = callee
      steps += 1
    }
    return true
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
