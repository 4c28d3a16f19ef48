/// MS205: a task that is started inside a unit of work runs after it, and stays when the unit is taken back.
import MainstayFindings

enum TaskInTransaction: Rule {
  static let documentation = RuleDocumentation(
    id: "task_in_transaction", code: "MS205", severity: .warning,
    claim: "A task is started inside a unit of work: it runs later, and is not rolled back with it.",
    exemptions: "Tasks that are started after the unit of work has succeeded.",
    fires: """
      try journal.perform(id: id, order) { undo in
        undo.set(self, \\.stock, stock - 1)
        Task { await mailer.confirm(order) }   // sent even when the next line throws
        try charge(order)
      }
      """,
    silent: """
      try journal.perform(id: id, order) { undo in
        undo.set(self, \\.stock, stock - 1)
        try charge(order)
      }
      Task { await mailer.confirm(order) }
      """,
    fix: "Start the task after the unit of work has returned.",
    references: ["Documentation/Guide/Journal.md", "Documentation/Articles.md, 4.6"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for (index, function) in program.functions.enumerated() where program.isOwn(function) {
      guard let start = program.units.start(around: index) else { continue }
      for event in function.events {
        guard case .call(let call) = event.kind, Spawn(call) != nil else { continue }
        let starter = program.functions[start.function]
        let name = CalleePattern.normalised(starter.call(at: start.event)?.display ?? "")
        findings.append(
          builder.finding(
            about: index, at: event.location, subject: "task in \(name)",
            message: "this task is started inside the unit of work of \(name): it is not rolled back with it",
            action: "start it after \(name) has returned",
            path: [
              PathStep(location: starter.events[start.event].location, text: "the unit of work begins: \(name)"),
              PathStep(location: event.location, text: "the task is started here and runs later"),
            ], confidence: .high))
      }
    }
    return SinkFindings.unique(findings)
  }
}
