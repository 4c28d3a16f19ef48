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
          case .sequenceEnds:
            isSequence = true
            // Whoever does something after the last element counts on one.
            if EndlessLoop.goesOn(from: successor, blocks, function) { isEndless = false }
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

  /// Whether anything but a line of a log follows a loop.
  private static func goesOn(from block: Int, _ loop: Set<Int>, _ function: FunctionFacts) -> Bool {
    var work = [block]
    var seen = loop.union([block])
    while let next = work.popLast() {
      for event in function.blocks[next].events {
        if function.write(at: event) != nil { return true }
        if let call = function.call(at: event), !isQuiet(call) { return true }
      }
      for successor in function.blocks[next].successors where seen.insert(successor).inserted { work.append(successor) }
    }
    return false
  }

  /// Whether anything but a line of a log follows an event when nothing fails.
  static func goesOn(after event: Int, _ function: FunctionFacts) -> Bool {
    let flow = ControlFlow(function)
    var found = false
    flow.walk(after: event, state: 0) { next, _ in
      if found || flow.isOnErrorPath(next, of: event) { return .stop }
      if function.write(at: next) != nil { found = true }
      if let call = function.call(at: next), !isQuiet(call) { found = true }
      return .goOn
    }
    return found
  }

  private static let quiet: Set<String> = [
    "print", "log", "debug", "info", "notice", "warning", "error", "trace", "NSLog", "isCancelled",
  ]

  private static func isQuiet(_ call: Call) -> Bool {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    if ["String", "Array", "DefaultStringInterpolation", "_allocate", "_finalize"].contains(where: {
      base.hasPrefix($0)
    }) {
      return true
    }
    let words = base.split(separator: ".").filter { $0 != "getter" }
    return words.last.map { quiet.contains(String($0)) } ?? false
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
    // Where the error's way is a branch of its own, it stands in the call's block; behind it the result decides.
    if position == 1, origins.members.count == 1, let member = origins.members.first, member >= 0,
      Int(member) == last - 1, events.contains(Int(member)), let call = function.call(at: Int(member)), call.isThrowing,
      !isNext(call)
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
    let sources = program.effects.expanded(origins, in: function)
    if sources.contains(where: { isAnswer($0, to: call, function, program) }) { return true }
    for member in sources {
      if member < 0 {
        let name = function.parameter(of: member)?.name ?? ""
        if name == "group" || name == "taskGroup" { return true }
      } else if let inner = function.call(at: Int(member)), finite.contains(where: { inner.display.contains($0) }) {
        return true
      }
    }
    return call.arguments.contains { $0.root == "group" || $0.root?.hasSuffix(".lines") == true }
  }

  /// Whether a sequence was asked for in this function and ends with its answer: one that may fail and was asked for
  /// with something, or one whose maker finishes it.
  private static func isAnswer(_ member: Int32, to next: Call, _ function: FunctionFacts, _ program: Program) -> Bool {
    guard member >= 0, let made = function.call(at: Int(member)), !isNext(made),
      !made.display.hasSuffix(".getter"), !made.display.hasSuffix("makeAsyncIterator()")
    else { return false }
    let isAsked = made.arguments.indices.contains { $0 != made.receiver && made.arguments[$0].closure.isEmpty }
    if isAsked, next.isThrowing { return true }
    return program.ownTargets(of: made).contains { finishes($0, program, depth: 0) }
  }

  /// Whether a function, a closure in it, or a function that makes the stream for it, finishes a stream.
  private static func finishes(_ index: Int, _ program: Program, depth: Int) -> Bool {
    guard depth < 9 else { return false }
    for event in program.functions[index].events {
      guard case .call(let call) = event.kind else { continue }
      let name = CalleePattern.normalised(call.display)
      // The one that a member keeps is the stream before.
      if name.contains(".finish(") || name == "finish(throwing:)" || name == "finish()",
        call.receiverRoot?.hasPrefix("self") != true
      {
        return true
      }
      let makers = program.ownTargets(of: call).filter { target in
        let result = program.member(of: program.functions[target])?.type ?? ""
        return target != index && (result.contains("Stream") || result.contains("Sequence"))
      }
      if makers.contains(where: { finishes($0, program, depth: depth + 1) }) { return true }
    }
    return program.closures(in: index).contains { finishes($0, program, depth: depth + 1) }
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
      if let found = endlessChild(of: call, depth: depth), !EndlessLoop.goesOn(after: number, function) {
        return (found.function, found.loop, number)
      }
      let targets = targets(of: call).flatMap { unwrapped($0) }
      guard targets.count == 1, targets[0] != body else { continue }
      if let found = endlessLoop(of: targets[0], depth: depth + 1) {
        // Whoever does something after the call counts on its end.
        if EndlessLoop.goesOn(after: number, function) { return nil }
        return (found.function, found.loop, number)
      }
    }
    return nil
  }

  /// The endless loop of a group's child: a group waits for all of its children.
  private func endlessChild(of call: Call, depth: Int) -> (function: Int, loop: EndlessLoop, call: Int?)? {
    guard CalleePattern.normalised(call.display).prefix(while: { $0 != "(" }).hasSuffix("TaskGroup"),
      let body = call.arguments.lazy.flatMap(\.closure).compactMap({ self.function(named: $0.function) }).first
    else { return nil }
    // Whoever ends the group ends its children.
    let isEnded = functions[body].events.contains { event in
      guard case .call(let inner) = event.kind else { return false }
      return inner.display.contains("cancelAll(") || inner.suspends
    }
    if isEnded { return nil }
    for event in functions[body].events {
      guard case .call(let inner) = event.kind,
        CalleePattern.normalised(inner.display).prefix(while: { $0 != "(" }).hasSuffix("addTask")
      else { continue }
      for child in inner.arguments.flatMap(\.closure) {
        if let child = function(named: child.function), let found = endlessLoop(of: child, depth: depth + 1) {
          return found
        }
      }
    }
    return nil
  }
}
