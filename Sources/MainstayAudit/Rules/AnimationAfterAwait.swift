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
        let name = CalleePattern.normalised(call.display)
        guard animated.contains(where: { name.hasPrefix($0) }),
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
            about: index, at: event.location, subject: name,
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
}
