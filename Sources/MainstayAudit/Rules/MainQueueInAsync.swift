/// MS305: a block is sent to the main queue from code that has better ways to get there.
import MainstayFindings

enum MainQueueInAsync: Rule {
  static let documentation = RuleDocumentation(
    id: "main_queue_in_async", code: "MS305", severity: .warning,
    claim:
      "DispatchQueue.main.async in async or isolated code: no cancellation, no priority, no result, no order with tasks.",
    exemptions:
      "At the boundary to a Dispatch source or an animation, where blocks are the interface; where a view is laid out, or "
      + "one of another toolkit is made or updated, which must not change state before it has ended; where the comment "
      + "next to it says why it has to be a later turn; and in handlers that are called elsewhere, whatever their type "
      + "says.",
    fires: """
      func load() async {
        let rows = await service.rows()
        DispatchQueue.main.async { self.rows = rows }
      }
      """,
    silent: """
      @MainActor func show(_ rows: [Row]) { self.rows = rows }
      func load() async { await show(service.rows()) }
      """,
    fix:
      "Call a @MainActor function with await. There is no automatic fix: a Task in its place may run in another order.",
    references: ["Documentation/Guide/OntoTheMainActor.md", "Documentation/Articles.md, 0.11"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let explained = explained(program)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated()
    where program.isOwn(function) && (function.isAsync || function.isolation.isActor) {
      for event in function.events {
        guard case .call(let call) = event.kind, isMainQueueBlock(call, in: function, program),
          !isBoundary(index, program),
          function.isAsync || !program.layout.isLayout(index) && !Elsewhere.runs(index, in: program),
          !animates(call, program), !sendsItselfAgain(index, call, program),
          !explained.contains(Line(event.location)), !isCalledElsewhere(index, program)
        else { continue }
        findings.append(
          builder.finding(
            about: index, at: event.location, subject: "DispatchQueue.main.async",
            message:
              "a block is sent to the main queue from \(function.isAsync ? "async" : "isolated") code: it has no "
              + "cancellation, no result, and no order with tasks",
            action: "call a @MainActor function, with await where needed; a Task instead may change the order",
            path: [PathStep(location: event.location, text: "the block leaves the task here")], confidence: .high))
      }
    }
    return SinkFindings.unique(findings)
  }

  private static func isMainQueueBlock(_ call: Call, in function: FunctionFacts, _ program: Program) -> Bool {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    guard base.hasSuffix("DispatchQueue.async") || base.hasSuffix("OS_dispatch_queue.async") else { return false }
    return MainQueue.receives(call, in: function, program) || call.receiverRoot == "DispatchQueue.main"
  }

  private struct Line: Hashable {
    var file: String
    var number: Int

    init(_ location: SourceLocation) {
      file = location.file
      number = location.line
    }
  }

  /// Words that speak of a turn to come, and not of the thread.
  private static let turns = [
    "next frame", "next run", "next turn", "next event", "next update", "next pass", "run loop", "runloop", "render",
    "layout", "after the ", "once the ", "at the same time", "later",
    "delay", "defer", "cycle", "until ", "during ", "in the middle of", "while the ", "while updating",
  ]

  /// The lines whose block has a comment that says why it has to run in a later turn.
  private static func explained(_ program: Program) -> Set<Line> {
    var lines: Set<Line> = []
    for source in program.declarations.sources {
      for block in source.mainQueueBlocks {
        let comment = block.comment.lowercased()
        guard StatedInvariant.isOne(block.comment), turns.contains(where: { comment.contains($0) }) else { continue }
        lines.insert(Line(block.location))
      }
    }
    return lines
  }

  /// Whether a closure is kept, and whoever calls it is on no actor: it cannot count on the one that it was made on.
  private static func isCalledElsewhere(_ index: Int, _ program: Program) -> Bool {
    guard program.functions[index].isClosure, let callers = program.callers[index], !callers.isEmpty else {
      return false
    }
    return callers.allSatisfy { caller in
      let function = program.functions[caller.function]
      return [.nonisolated, .unknown].contains(function.isolation) && !function.flags.contains(.isThunk)
    }
  }

  private static let boundaries = [
    "setEventHandler", "setCancelHandler", "setRegistrationHandler", "UIView.animate", "runAnimationGroup",
    "setCompletionBlock", "addCompletion", "addAnimations", "UIViewPropertyAnimator", "CATransaction", "withAnimation",
    "makeReadSource", "makeTimerSource",
  ]

  /// `UIViewRepresentable` and its kin: state that is set in these would be set in the midst of an update.
  private static let updates = [
    ".updateUIView(", ".updateNSView(", ".updateUIViewController(", ".updateNSViewController(", ".makeUIView(",
    ".makeNSView(", ".makeUIViewController(", ".makeNSViewController(",
  ]

  /// Whether it is one of those, or a closure that nothing but one of them calls.
  private static func isUpdate(_ index: Int, _ program: Program) -> Bool {
    func isOne(_ index: Int) -> Bool { updates.contains { program.functions[index].display.contains($0) } }
    if isOne(index) { return true }
    guard program.functions[index].isClosure, let callers = program.callers[index], !callers.isEmpty else {
      return false
    }
    return callers.allSatisfy { isOne($0.function) }
  }

  /// Inside a closure that a Dispatch source or an animation runs, or that sets one up.
  private static func isBoundary(_ index: Int, _ program: Program) -> Bool {
    if isUpdate(index, program) { return true }
    var work = [index]
    var seen: Set<Int> = [index]
    while let next = work.popLast(), seen.count < 16 {
      for event in program.functions[next].events where next == index {
        if case .call(let call) = event.kind, call.display.contains("DispatchSource") { return true }
      }
      for creator in program.creators[next] ?? [] {
        guard let call = program.functions[creator.function].call(at: creator.event) else { continue }
        if boundaries.contains(where: { call.display.contains($0) }) { return true }
        if seen.insert(creator.function).inserted { work.append(creator.function) }
      }
    }
    return false
  }

  /// `func tick() { …; DispatchQueue.main.async { self.tick() } }`: each turn lets the run loop have its own.
  private static func sendsItselfAgain(_ index: Int, _ call: Call, _ program: Program) -> Bool {
    call.arguments.flatMap(\.closure).contains { closure in
      guard let body = program.function(named: closure.function) else { return false }
      return program.functions[body].events.contains { event in
        guard case .call(let inner) = event.kind else { return false }
        return program.ownTargets(of: inner).contains(index)
      }
    }
  }

  /// The block itself only starts an animation: it waits for the layout before it.
  private static func animates(_ call: Call, _ program: Program) -> Bool {
    call.arguments.flatMap(\.closure).contains { closure in
      guard let body = program.function(named: closure.function) else { return false }
      return program.functions[body].events.contains { event in
        guard case .call(let inner) = event.kind else { return false }
        return ["withAnimation", "UIView.animate", "runAnimationGroup", "startAnimation"].contains {
          inner.display.contains($0)
        }
      }
    }
  }
}
