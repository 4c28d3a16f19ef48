/// Questions about one function's control flow: what can follow what, and which branch decides whether an event runs.
struct ControlFlow {
  let function: FunctionFacts
  private var blockOfEvent: [Int]

  init(_ function: FunctionFacts) {
    self.function = function
    blockOfEvent = Array(repeating: 0, count: function.events.count)
    for (index, block) in function.blocks.enumerated() {
      for event in block.events where event < blockOfEvent.count { blockOfEvent[event] = index }
    }
  }

  func block(of event: Int) -> Int { blockOfEvent[event] }

  /// What a walk does after it has seen an event.
  enum Step {
    case goOn
    /// This path ends here; others go on.
    case stop
  }

  /// Walks every event that can follow `start`, each block once for each state that reaches it.
  ///
  /// - Parameter visit: sees an event with the path's state, changes the state, and says whether to go on.
  func walk<State: Hashable>(after start: Int, state: State, visit: (Int, inout State) -> Step) {
    let block = blockOfEvent[start]
    walk(block: block, from: start + 1, state: state, visit: visit)
  }

  /// Walks every event from the function's entry.
  func walkFromEntry<State: Hashable>(state: State, visit: (Int, inout State) -> Step) {
    guard !function.blocks.isEmpty else { return }
    walk(block: 0, from: function.blocks[0].events.lowerBound, state: state, visit: visit)
  }

  private struct Visit<State: Hashable>: Hashable {
    var block: Int
    var state: State
  }

  private func walk<State: Hashable>(
    block: Int, from start: Int, state: State, visit: (Int, inout State) -> Step
  ) {
    var seen: Set<Visit<State>> = []
    var work: [(block: Int, from: Int, state: State)] = [(block, start, state)]
    var steps = 0
    while let next = work.popLast() {
      var state = next.state
      var event = next.from
      var isStopped = false
      while event < function.blocks[next.block].events.upperBound {
        steps += 1
        if visit(event, &state) == .stop {
          isStopped = true
          break
        }
        event += 1
      }
      if isStopped || steps > 200_000 { continue }
      for successor in function.blocks[next.block].successors
      where seen.insert(Visit(block: successor, state: state)).inserted {
        work.append((successor, function.blocks[successor].events.lowerBound, state))
      }
    }
  }

  /// The blocks that can be reached from a block without passing through `barrier`.
  private func reachable(from start: Int, avoiding barrier: Int) -> Set<Int> {
    guard start != barrier else { return [] }
    var seen: Set<Int> = [start]
    var work = [start]
    while let block = work.popLast() {
      for successor in function.blocks[block].successors where successor != barrier && seen.insert(successor).inserted {
        work.append(successor)
      }
    }
    return seen
  }

  /// Whether the branch at `branch` decides if `event` runs: it runs after one way out and not after another.
  func controls(branch: Int, event: Int) -> Bool {
    let source = blockOfEvent[branch]
    let target = blockOfEvent[event]
    guard source != target else { return false }
    var reaches = false
    var avoids = false
    for successor in function.blocks[source].successors {
      if reachable(from: successor, avoiding: source).contains(target) { reaches = true } else { avoids = true }
    }
    return reaches && avoids
  }

  /// Whether one side of a branch only stops the program: a check that the language makes, no decision.
  func isTrap(branch: Int) -> Bool {
    function.blocks[blockOfEvent[branch]].successors.contains { successor in
      let block = function.blocks[successor]
      return block.successors.isEmpty
        && block.events.contains { function.call(at: $0)?.display.hasPrefix("_assertionFailure") == true }
    }
  }

  /// Whether an event runs only after a throwing call threw.
  func isOnErrorPath(_ event: Int, of call: Int) -> Bool {
    let successors = function.blocks[blockOfEvent[call]].successors
    guard successors.count == 2 else { return false }
    let target = blockOfEvent[event]
    return !reachable(from: successors[0], avoiding: successors[1]).contains(target)
      && reachable(from: successors[1], avoiding: successors[0]).contains(target)
  }

  /// Whether an event also runs, or only, after a throwing call threw: `try?` goes on as if nothing had happened.
  func isReached(_ event: Int, afterThrowOf call: Int) -> Bool {
    let block = blockOfEvent[call]
    let successors = function.blocks[block].successors
    return successors.count == 2 && reachable(from: successors[1], avoiding: block).contains(blockOfEvent[event])
  }

  /// Whether an event is reached from another one when none of the calls given throws.
  func isReached(_ event: Int, from start: Int, avoidingThrowsOf calls: [Int]) -> Bool {
    let throwing = Set(calls.map { blockOfEvent[$0] })
    if blockOfEvent[event] == blockOfEvent[start], event > start { return true }
    var seen: Set<Int> = []
    var work = [blockOfEvent[start]]
    while let block = work.popLast() {
      let successors = function.blocks[block].successors
      for successor in throwing.contains(block) ? successors.prefix(1) : successors[...]
      where seen.insert(successor).inserted {
        if successor == blockOfEvent[event] { return true }
        work.append(successor)
      }
    }
    return false
  }

  /// The blocks that can run again after they ran: the bodies of loops.
  var loopBlocks: Set<Int> {
    let components = components()
    var sizes: [Int: Int] = [:]
    for component in components { sizes[component, default: 0] += 1 }
    return Set(
      function.blocks.indices.filter { block in
        (sizes[components[block]] ?? 0) > 1 || function.blocks[block].successors.contains(block)
      })
  }

  /// The blocks of the loops that a block is in: all that it reaches and that reach it again.
  func loop(around block: Int) -> Set<Int> {
    let components = components()
    return Set(function.blocks.indices.filter { components[$0] == components[block] })
  }

  /// For each block a number that it shares with those that it reaches and that reach it: Tarjan's algorithm, with a
  /// list in place of recursion.
  private func components() -> [Int] {
    let count = function.blocks.count
    var component = Array(repeating: -1, count: count)
    var number = Array(repeating: -1, count: count)
    var low = Array(repeating: 0, count: count)
    var stack: [Int] = []
    var isOnStack = Array(repeating: false, count: count)
    var next = 0
    for start in 0..<count where number[start] < 0 {
      var work: [(block: Int, child: Int)] = [(start, 0)]
      while let (block, child) = work.last {
        if child == 0 {
          number[block] = next
          low[block] = next
          next += 1
          stack.append(block)
          isOnStack[block] = true
        }
        let successors = function.blocks[block].successors
        if child < successors.count {
          work[work.count - 1].child = child + 1
          let successor = successors[child]
          if number[successor] < 0 {
            work.append((successor, 0))
          } else if isOnStack[successor] {
            low[block] = min(low[block], number[successor])
          }
        } else {
          work.removeLast()
          if let parent = work.last?.block { low[parent] = min(low[parent], low[block]) }
          guard low[block] == number[block] else { continue }
          while let member = stack.popLast() {
            isOnStack[member] = false
            component[member] = block
            if member == block { break }
          }
        }
      }
    }
    return component
  }

  /// A suspension on some way from one event to another that does not run the first again.
  func suspension(from start: Int, to end: Int) -> Int? {
    var found: Int?
    walk(after: start, state: -1) { event, crossed in
      if event == end {
        if crossed >= 0, found == nil { found = crossed }
        return .stop
      }
      if event == start || found != nil { return .stop }
      if crossed < 0, function.suspends(event) { crossed = event }
      return .goOn
    }
    return found
  }
}

extension FunctionFacts {
  /// Whether the function may be suspended at an event.
  func suspends(_ event: Int) -> Bool {
    if case .call(let call) = events[event].kind { return call.suspends }
    return false
  }

  func call(at event: Int) -> Call? {
    if case .call(let call) = events[event].kind { return call }
    return nil
  }

  func write(at event: Int) -> Write? {
    if case .write(let write) = events[event].kind { return write }
    return nil
  }

  func branch(at event: Int) -> Origins? {
    if case .branch(let origins) = events[event].kind { return origins }
    return nil
  }
}
