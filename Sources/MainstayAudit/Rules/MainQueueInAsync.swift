/// MS305: a block is sent to the main queue from code that has better ways to get there.
import MainstayFindings

enum MainQueueInAsync: Rule {
  static let documentation = RuleDocumentation(
    id: "main_queue_in_async", code: "MS305", severity: .warning,
    claim:
      "DispatchQueue.main.async in async or isolated code: no cancellation, no priority, no result, no order with tasks.",
    exemptions:
      "At the boundary to a Dispatch source or an animation, where blocks are the interface, where a view is laid out or "
      + "one of another toolkit is updated, which must not change state before it has ended, and in handlers that are "
      + "called elsewhere, whatever their type says.",
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
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated()
    where program.isOwn(function) && (function.isAsync || function.isolation.isActor) {
      for event in function.events {
        guard case .call(let call) = event.kind, isMainQueueBlock(call, in: function), !isBoundary(index, program),
          function.isAsync || !program.layout.isLayout(index) && !Elsewhere.runs(index, in: program),
          !animates(call, program), !sendsItselfAgain(index, call, program)
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

  private static func isMainQueueBlock(_ call: Call, in function: FunctionFacts) -> Bool {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    guard base.hasSuffix("DispatchQueue.async") || base.hasSuffix("OS_dispatch_queue.async") else { return false }
    return MainQueue.receives(call, in: function) || call.receiverRoot == "DispatchQueue.main"
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

  /// Inside a closure that a Dispatch source or an animation runs, or that sets one up.
  private static func isBoundary(_ index: Int, _ program: Program) -> Bool {
    if updates.contains(where: { program.functions[index].display.contains($0) }) { return true }
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
