import Foundation
import MainstayAudit
import MainstayTrace

/// What follows when the program has ended: the recording is completed, summarised, written and shown.
struct RunReport {
  let options: RunOptions
  let workspace: RunWorkspace
  let child: ChildProcess
  let end: ChildProcess.End
  let ended: RecordingEnd
  let duration: Duration

  func finish() -> ExitStatus {
    let tree = ProcessTree(list: workspace.processes)
    for member in tree.members {
      if let recording = member.recording { ended.complete(recording) }
    }
    let subjects = tree.subjects(pid: Int(child.pid), only: options.only)
    do {
      let recordings = try subjects.compactMap(\.recording).map { try Recording(path: $0) }
      // Of several, such as the two runners of `swift test`, one of which often has nothing to run: the busiest.
      let busiest = recordings.count > 1 ? recordings.max { $0.stretches < $1.stretches } : recordings.first
      guard let recording = busiest else { return status(unobserved(subjects.last), summary: nil) }
      guard options.needsSummary else { return status(nil, summary: nil) }
      var summary = RunSummary(recording)
      describe(&summary, tree)
      if let json = options.json { try write(summary, to: json) }
      if !options.quiet { Console.error(SummaryText(summary, width: Console.width).text) }
      return status(nil, summary: summary)
    } catch let error as RecordingError {
      return status("\(error)", summary: nil)
    } catch {
      return status("\(error)", summary: nil)
    }
  }

  /// What only we know: how it was started, how it ended, and who else ran.
  private func describe(_ summary: inout RunSummary, _ tree: ProcessTree) {
    if summary.process.pid == Int(child.pid) {
      summary.process.arguments = Array(options.program.dropFirst())
      summary.process.durationSeconds = duration / .seconds(1)
      switch end {
      case .exited(let code): summary.process.exitStatus = Int(code)
      case .killed(let signal): summary.process.signal = Int(signal)
      }
    }
    summary.process.executable = URL(fileURLWithPath: summary.process.executable).lastPathComponent
    summary.processes = tree.members.map {
      RunSummary.TreeProcess(pid: $0.pid, executable: $0.name, recorded: $0.recording != nil, reason: $0.reason)
    }
  }

  private func write(_ summary: RunSummary, to path: String) throws {
    let data = try summary.document() + Data("\n".utf8)
    do {
      try data.write(to: URL(fileURLWithPath: RunWorkspace.absolute(path)))
    } catch {
      Console.report("mainstay: \(path) could not be written: \(error.localizedDescription)")
    }
  }

  /// Why there is nothing to show, and what to do.
  private func unobserved(_ subject: ProcessTree.Member?) -> String {
    if let only = options.only, subject == nil {
      let names = Set(ProcessTree(list: workspace.processes).members.map { PlainText.of($0.name) }).sorted()
      return "no process named \(PlainText.of(only)) took part in this run. "
        + (names.isEmpty
          ? "None announced itself." : "Name one of these with --only: \(names.joined(separator: ", ")).")
    }
    guard let subject else {
      return "\(options.programName) was not recorded: the recorder was not loaded into it. "
        + "It is linked statically, or changes who it runs as, or is not a program of this machine."
    }
    return "\(PlainText.of(subject.name)) was not recorded: it \(subject.reason ?? "left no recording"). "
      + "'mainstay doctor \(ShellWord.of(options.program[0]))' says what can be done."
  }

  private func status(_ problem: String?, summary: RunSummary?) -> ExitStatus {
    if let problem { Console.report("mainstay: \(problem)") }
    if end != .exited(0) { return .program(end.status) }
    guard options.failOverBudget else { return .success }
    guard let summary else { return .notObserved }
    return summary.mainActor.overBudget > 0 ? .findings : .success
  }
}
