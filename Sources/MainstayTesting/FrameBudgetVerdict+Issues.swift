import Mainstay
import MainstayTrace
import Testing

/// What a test is told of its verdict.
extension FrameBudgetVerdict {
  struct Reported: Sendable {
    var severity: Issue.Severity
    var comment: Comment
  }

  var issues: [Reported] {
    var issues: [Reported] = []
    if case .heartbeat(let reason, let worst) = judge {
      issues.append(Reported(severity: .warning, comment: Comment(rawValue: notJudged(reason, worst))))
    }
    if isOverBudget { issues.append(Reported(severity: .error, comment: Comment(rawValue: overrun))) }
    if unfinished > 0 {
      let what = unfinished == 1 ? "1 task that this test began has" : "\(unfinished) tasks that this test began have"
      issues.append(
        Reported(
          severity: .warning,
          comment: Comment(
            rawValue: "\(what) not ended: main-actor jobs that follow are not judged. "
              + "Await what the test begins, or cancel it")))
    }
    return issues
  }

  private func notJudged(_ reason: String, _ worst: Duration) -> String {
    let seen =
      worst > budget.interval
      ? "a heartbeat on the main actor was up to \(Self.text(worst)) late, which this test or another one caused"
      : "a heartbeat on the main actor was never late by more than \(Self.text(max(worst, .zero)))"
    return "the frame budget was not judged: \(reason). Meanwhile \(seen)"
  }

  private var overrun: String {
    let frames = droppedFrames == 1 ? "1 frame" : "\(DurationText.count(droppedFrames)) frames"
    let what = jobs == 1 ? "the only main-actor job" : "\(over) of \(DurationText.count(jobs)) main-actor jobs"
    let allowance = allowed == 0 ? "" : " (\(allowed) allowed)"
    var lines = [
      "\(what) of this test overran the budget of \(Self.text(budget.interval))\(allowance): \(frames) dropped"
    ]
    guard let culprit else { return lines[0] }
    let kind = culprit.isBlock ? " (main queue)" : ""
    let length = Self.text(culprit.length)
    guard let job = culprit.description else {
      return lines[0] + "\n\(length)  in a function that could not be named: \(culprit.problem ?? "unknown")"
    }
    let position = job.position.isEmpty ? "" : " \(job.position)"
    lines.append("\(length)  \(job.function.function)\(position)\(kind)\(Self.place(job.function))")
    if let stack = job.stack {
      let called = stack.called.map { "\($0) ← " } ?? ""
      lines.append("  \(stack.state.rawValue) in \(called)\(stack.function.function)\(Self.place(stack.function))")
    }
    if let made = job.createdAt, made != job.function, !made.file.isEmpty {
      lines.append("  task made in \(made.function)\(Self.place(made))")
    }
    let action =
      job.stack?.state == .blocked
      ? "await the result instead of blocking the main actor, or wait on another thread"
      : "move the work off the main actor (call it from a @concurrent function), or split it (FrameSlicer)"
    return (lines + [action]).joined(separator: "\n")
  }

  private static func place(_ place: RunSummary.Place) -> String {
    place.file.isEmpty ? "" : place.line > 0 ? ", \(place.file):\(place.line)" : ", \(place.file)"
  }

  private static func text(_ duration: Duration) -> String { DurationText.seconds(duration / .seconds(1)) }
}
