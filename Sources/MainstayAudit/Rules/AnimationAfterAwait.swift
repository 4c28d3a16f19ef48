/// MS207: an animated change that comes after an await starts whenever the answer does.
import MainstayFindings

enum AnimationAfterAwait: Rule {
  static let documentation = RuleDocumentation(
    id: "animation_after_await", code: "MS207", severity: .note,
    claim: "State that an animation hangs on is changed after an await: the animation starts when the answer comes.",
    exemptions: "Animated changes before the first await, in the job that the user's action began.",
    fires: """
      func tapped() async {
        let palette = await extract()
        withAnimation { isPulsing = false; colours = palette }   // late, and apart from the tap
      }
      """,
    silent: """
      func tapped() {
        withAnimation { isPulsing = true }     // in the tap's own job
        Task { colours = await extract() }
      }
      """,
    fix: "Change what is animated synchronously, before the await, and only fill in the result after it.",
    references: ["Documentation/Articles.md, 1.4"])

  private static let animated = [
    "withAnimation(", "UIView.animate(", "NSAnimationContext.runAnimationGroup(", "UIViewPropertyAnimator.init(",
  ]

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where function.isAsync && program.isOwn(function) {
      let suspensions = function.events.indices.filter { function.suspends($0) }
      guard !suspensions.isEmpty else { continue }
      let flow = ControlFlow(function)
      for (number, event) in function.events.enumerated() {
        guard case .call(let call) = event.kind else { continue }
        guard let (name, inner) = animation(of: call, program, depth: 0),
          let suspension = suspensions.first(where: { candidate in
            var reached = false
            flow.walk(after: candidate, state: 0) { next, _ in
              if next == number { reached = true }
              return reached ? .stop : .goOn
            }
            return reached
          })
        else { continue }
        findings.append(
          builder.finding(
            about: index, at: isDeferred(call) ? inner ?? event.location : event.location, subject: name,
            message: "this animated change follows an await: it starts when the answer comes, not with the action",
            action: "change what is animated before the await, and fill in the result after it",
            path: [
              PathStep(location: function.events[suspension].location, text: "suspended here"),
              PathStep(location: event.location, text: "the animated change"),
            ], confidence: .medium))
      }
    }
    return SinkFindings.unique(findings)
  }

  /// The animated change that a call is, or that a synchronous function makes which it calls, with its place there.
  private static func animation(
    of call: Call, _ program: Program, depth: Int
  ) -> (name: String, inner: SourceLocation?)? {
    let name = CalleePattern.normalised(call.display)
    if animated.contains(where: { name.hasPrefix($0) }) { return (name, nil) }
    guard depth < 2, !call.suspends else { return nil }
    for target in program.ownTargets(of: call) where !program.functions[target].isAsync {
      for event in program.functions[target].events {
        guard case .call(let next) = event.kind, let found = animation(of: next, program, depth: depth + 1) else {
          continue
        }
        return (found.name, event.location)
      }
    }
    return nil
  }

  /// Whether a call is the body of a `defer`, whose text stands in the caller.
  private static func isDeferred(_ call: Call) -> Bool { InnerFunction(call.display) == .deferred }
}
