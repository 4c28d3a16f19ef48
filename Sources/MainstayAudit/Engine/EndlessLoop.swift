/// Loops that nothing in them ends: elements of a sequence that goes on, or rounds until somebody cancels.
import MainstayFindings

struct EndlessLoop {
  var blocks: Set<Int>
  /// The first event of the loop, in the order of the text.
  var start: Int
  /// It waits for the elements of a sequence.
  var isSequence: Bool

  /// The first endless loop of a function, or nil.
  init?(in function: FunctionFacts, _ program: Program) {
    guard function.isAsync else { return nil }
    let flow = ControlFlow(function)
    var seen: Set<Int> = []
    for block in flow.loopBlocks.sorted() where !seen.contains(block) {
      let blocks = flow.loop(around: block)
      seen.formUnion(blocks)
      let events = blocks.sorted().flatMap { Array(function.blocks[$0].events) }.sorted()
      guard let first = events.first, events.contains(where: { function.suspends($0) }) else { continue }
      var isSequence = false
      var isEndless = true
      for inner in blocks {
        for (position, successor) in function.blocks[inner].successors.enumerated() where !blocks.contains(successor) {
          switch EndlessLoop.exit(from: inner, position, function, program) {
          case .sequenceEnds: isSequence = true
          case .cancellation, .failure: break
          case .condition: isEndless = false
          }
        }
      }
      guard isEndless else { continue }
      self.blocks = blocks
      start = first
      self.isSequence = isSequence
      return
    }
    return nil
  }

  private enum Exit { case sequenceEnds, cancellation, failure, condition }

  private static func exit(
    from block: Int, _ position: Int, _ function: FunctionFacts, _ program: Program
  ) -> Exit {
    let events = function.blocks[block].events
    guard let last = events.last else { return .condition }
    if let call = function.call(at: last) {
      // An awaited call that throws ends its block; the second way out is the error's.
      return call.isThrowing && position == 1 ? .failure : .condition
    }
    guard let origins = function.branch(at: last) else { return .condition }
    if position == 1, origins.members.count == 1, let member = origins.members.first, member >= 0,
      Int(member) == last - 1, let call = function.call(at: Int(member)), call.isThrowing
    {
      return .failure
    }
    var isSequence = false
    for member in program.effects.expanded(origins, in: function) where member >= 0 {
      guard let call = function.call(at: Int(member)) else { continue }
      if Cancellation.isCheck(call) { return .cancellation }
      if isNext(call) {
        if isFinite(call, function, program) { return .condition }
        isSequence = true
      }
    }
    // `for await` asks for an element and for nothing else.
    guard isSequence, origins.members.allSatisfy({ isNextOnly($0, function) }) else { return .condition }
    return .sequenceEnds
  }

  private static func isNextOnly(_ member: Int32, _ function: FunctionFacts) -> Bool {
    guard member >= 0, let call = function.call(at: Int(member)) else { return true }
    return isNext(call) || call.display.hasSuffix("makeAsyncIterator()")
  }

  private static func isNext(_ call: Call) -> Bool {
    let name = CalleePattern.normalised(call.display).prefix { $0 != "(" && $0 != ":" }
    return call.suspends && (name == "next" || name.hasSuffix(".next"))
  }

  /// Sequences that end by themselves: lines and bytes of a file or an answer, results of a group, lists.
  private static let finite = [
    "TaskGroup", "AsyncLineSequence", "AsyncBytes", "AsyncCharacterSequence", "AsyncUnicodeScalarSequence",
    ".lines.getter", ".bytes.getter", ".resourceBytes.getter", ".characters.getter", "AsyncSyncSequence",
    ".async.getter",
    "AsyncPrefix", "prefix(",
  ]

  private static func isFinite(_ call: Call, _ function: FunctionFacts, _ program: Program) -> Bool {
    if finite.contains(where: { call.display.contains($0) }) { return true }
    var origins = Origins()
    for argument in call.arguments { origins.formUnion(argument.origins) }
    for member in program.effects.expanded(origins, in: function) {
      if member < 0 {
        let name = function.parameters[safe: Int(-member) - 1]?.name ?? ""
        if name == "group" || name == "taskGroup" { return true }
      } else if let inner = function.call(at: Int(member)), finite.contains(where: { inner.display.contains($0) }) {
        return true
      }
    }
    return call.arguments.contains { $0.root == "group" || $0.root?.hasSuffix(".lines") == true }
  }
}

extension Program {
  /// The endless loop that a task's body runs: its own, or that of a function which it awaits for the rest of its life.
  func endlessLoop(of body: Int, depth: Int = 0) -> (function: Int, loop: EndlessLoop, call: Int?)? {
    let function = functions[body]
    if let loop = EndlessLoop(in: function, self) { return (body, loop, nil) }
    guard depth < 3 else { return nil }
    for (number, event) in function.events.enumerated() {
      guard case .call(let call) = event.kind, call.isAsync else { continue }
      let targets = targets(of: call).flatMap { unwrapped($0) }
      guard targets.count == 1, targets[0] != body else { continue }
      if let found = endlessLoop(of: targets[0], depth: depth + 1) { return (found.function, found.loop, number) }
    }
    return nil
  }
}
