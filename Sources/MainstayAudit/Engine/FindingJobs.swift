/// Which jobs run an event: from a place in source to the functions and suspensions that a measurement names.
import MainstayFindings

extension Program {
  /// The jobs that run an event of a function.
  ///
  /// A measured job has the name of the function that it begins in, and goes on into what that calls and into what it
  /// returns to, as long as the task is not suspended. So the event's own segment is followed back to everything that
  /// can begin it: callers of a synchronous function, callers that await the function without leaving the executor, and
  /// the last segments of what it awaited itself.
  ///
  /// - Parameter isMain: whether the jobs meant are the main actor's, or all but those. Code that runs wherever its
  ///   caller does is part of both.
  func jobs(running event: Int, of function: Int, onMain isMain: Bool) -> [JobKey] {
    var search = JobSearch(self)
    search.run(event, of: function)
    return search.result.compactMap { key in
      var key = key
      if key.executor.isEmpty, isMain { key.executor = "MainActor" }
      return (key.executor == "MainActor") == isMain ? key : nil
    }
  }

  /// The jobs that resume from one suspension.
  func jobs(resumingFrom event: Int, of function: Int) -> [JobKey] {
    var search = JobSearch(self)
    search.resume(from: event, of: function)
    return search.result
  }

  /// The jobs that run what a function does at a place.
  func jobs(at location: SourceLocation, of function: Int) -> [JobKey] {
    var search = JobSearch(self)
    let facts = functions[function]
    let events = facts.events.indices.filter { facts.events[$0].location == location }
    for event in events { search.run(event, of: function) }
    if events.isEmpty { search.start(of: function) }
    return search.result
  }
}

private struct JobSearch {
  private struct Place: Hashable {
    var function: Int
    var event: Int
  }

  private let program: Program
  private var keys: [JobKey] = []
  private var seen: Set<Place> = []
  private var work: [Place] = []
  private var expanded: Set<String> = []
  private var ordinals: [Int: [Int: Int]] = [:]
  /// More names than this say nothing about any one finding.
  private static let mostKeys = 64
  private static let mostPlaces = 4_000

  init(_ program: Program) { self.program = program }

  /// The nearest first, each once; the awaits of callers after the jobs themselves.
  var result: [JobKey] {
    var known: Set<JobKey> = []
    let own = keys.filter { !$0.isCaller && known.insert($0).inserted }
    let callers = keys.filter { key in
      var same = key
      same.isCaller = false
      return key.isCaller && !known.contains(same) && known.insert(key).inserted
    }
    return Array((own + callers).prefix(Self.mostKeys))
  }

  mutating func run(_ event: Int, of function: Int) {
    push(function, event)
    while let place = work.popLast(), seen.count < Self.mostPlaces { visit(place) }
  }

  mutating func start(of function: Int) {
    begin(function)
    while let place = work.popLast(), seen.count < Self.mostPlaces { visit(place) }
  }

  mutating func resume(from event: Int, of function: Int) { emit(function, from: event) }

  // MARK: One step back

  private mutating func push(_ function: Int, _ event: Int) {
    if seen.insert(Place(function: function, event: event)).inserted {
      work.insert(Place(function: function, event: event), at: 0)
    }
  }

  private mutating func visit(_ place: Place) {
    let facts = program.functions[place.function]
    guard facts.isAsync else {
      begin(place.function)
      return
    }
    for start in facts.suspensions(before: place.event) {
      guard let suspension = start else {
        begin(place.function)
        continue
      }
      emit(place.function, from: suspension)
      afterReturn(of: suspension, in: place.function)
    }
  }

  /// What begins a function: itself, when a task or another executor does; otherwise whoever calls it.
  private mutating func begin(_ function: Int) {
    let facts = program.functions[function]
    emit(function, from: nil)
    for edge in program.sinks.edges(into: function) { push(edge.caller, edge.event) }
    for (caller, event) in program.callers[function] ?? [] {
      guard let call = program.functions[caller].call(at: event) else { continue }
      if facts.isAsync {
        if stays(call, in: program.functions[caller], running: facts) { push(caller, event) }
      } else if call.executor != .own {
        // A synchronous function of another executor is run by its caller, in the middle of the await.
        emit(caller, from: event, on: facts)
      }
    }
    for (creator, event) in program.creators[function] ?? [] where !facts.isAsync && facts.isolation.isActor {
      guard program.functions[creator].call(at: event)?.suspends == true else { continue }
      emit(creator, from: event, on: facts)
    }
  }

  /// An await that did not leave the executor: the task may have been suspended in the callee, or not at all.
  private mutating func afterReturn(of suspension: Int, in function: Int) {
    let facts = program.functions[function]
    guard let call = facts.call(at: suspension) else { return }
    for target in program.targets(of: call).flatMap({ program.unwrapped($0) }) {
      let callee = program.functions[target]
      guard callee.isAsync, stays(call, in: facts, running: callee) else { continue }
      let starts = callee.lastSuspensions
      for start in Set(starts.compactMap(\.self)).sorted() { emit(target, from: start) }
      if starts.contains(nil) { push(function, suspension) }
    }
  }

  /// Whether an async callee begins and ends on its caller's executor.
  private func stays(_ call: Call, in caller: FunctionFacts, running callee: FunctionFacts) -> Bool {
    switch callee.isolation {
    case .caller: true
    case .globalActor: callee.isolation == caller.isolation
    case .selfActor: caller.isolation == .selfActor && call.receiverRoot == "self"
    case .nonisolated, .unknown: caller.isolation == .nonisolated || caller.isolation == .unknown
    case .parameter: false
    }
  }

  // MARK: Keys

  /// - Parameter executor: the function whose executor the job is on, when that is another's.
  private mutating func emit(_ function: Int, from suspension: Int?, on other: FunctionFacts? = nil) {
    let facts = program.functions[function]
    let isMeasured = facts.isAsync || facts.isClosure || facts.isolation.isActor
    if isMeasured, !facts.flags.contains(.isThunk) {
      add(function, from: suspension, executor: Self.executor(of: other ?? facts), isCaller: false)
    }
    if facts.isAsync { emitCallers(of: function, executor: Self.executor(of: other ?? facts)) }
  }

  /// With optimisation an async function may become a part of whoever awaits it: it then resumes there.
  private mutating func emitCallers(of function: Int, executor: String) {
    guard expanded.insert("\(function) \(executor)").inserted else { return }
    for (caller, event) in program.callers[function] ?? [] where program.functions[caller].isAsync {
      if !program.functions[caller].flags.contains(.isThunk) {
        add(caller, from: event, executor: executor, isCaller: true)
      }
      emitCallers(of: caller, executor: executor)
    }
  }

  private mutating func add(_ function: Int, from suspension: Int?, executor: String, isCaller: Bool) {
    guard keys.count < 4 * Self.mostKeys else { return }
    let facts = program.functions[function]
    let location = suspension.map { facts.events[$0].location } ?? facts.location
    keys.append(
      JobKey(
        function: facts.display, symbol: facts.name, location: location,
        ordinal: suspension.map { ordinal(of: $0, in: function) } ?? 0, executor: executor, isCaller: isCaller))
  }

  private mutating func ordinal(of event: Int, in function: Int) -> Int {
    if ordinals[function] == nil {
      var numbers: [Int: Int] = [:]
      for (number, event) in JobList.suspensions(of: program.functions[function]).enumerated() {
        numbers[event] = number + 1
      }
      ordinals[function] = numbers
    }
    return ordinals[function]?[event] ?? 0
  }

  private static func executor(of function: FunctionFacts) -> String {
    switch function.isolation {
    case .globalActor(let name): name
    case .selfActor: Program.enclosingType(function.display) ?? ""
    case .nonisolated: function.isAsync ? "pool" : ""
    case .parameter, .caller, .unknown: ""
    }
  }
}

extension FunctionFacts {
  /// The suspensions from which control can come to an event without another one; nil stands for the function's start.
  fileprivate func suspensions(before event: Int) -> [Int?] {
    suspensions(in: blocks.firstIndex { $0.events.contains(event) } ?? 0, before: event)
  }

  /// The suspensions from which control can leave the function without another one.
  fileprivate var lastSuspensions: [Int?] {
    blocks.indices.filter { blocks[$0].successors.isEmpty }
      .flatMap { suspensions(in: $0, before: blocks[$0].events.upperBound) }
  }

  private func suspensions(in block: Int, before event: Int) -> [Int?] {
    guard !blocks.isEmpty else { return [nil] }
    var predecessors: [[Int]] = Array(repeating: [], count: blocks.count)
    for (index, block) in blocks.enumerated() {
      for successor in block.successors { predecessors[successor].append(index) }
    }
    var found: Set<Int> = []
    var reachesStart = false
    var seen: Set<Int> = []
    var work: [(block: Int, upTo: Int)] = [(block, event)]
    while let next = work.popLast() {
      let first = blocks[next.block].events.lowerBound
      if let last = (first..<max(next.upTo, first)).last(where: { suspends($0) }) {
        found.insert(last)
        continue
      }
      if next.block == 0 { reachesStart = true }
      for block in predecessors[next.block] where seen.insert(block).inserted {
        work.append((block, blocks[block].events.upperBound))
      }
    }
    return (reachesStart ? [nil] : []) + found.sorted()
  }
}
