import Foundation
import MainstayTrace

/// `mainstay run`: runs a program as it is, records its jobs, and says what they cost.
struct RunCommand: Command {
  static let name = "run"
  static let summary = "record every job of a program: which overran the frame, and where"
  static let help = """
    USAGE: mainstay run [OPTIONS] -- PROGRAM [ARGUMENTS…]

    Runs PROGRAM unchanged, and afterwards says on stderr which main-actor jobs
    overran the frame budget, how many frames that dropped, and what every actor
    did. Its input, output, signals and exit status are its own.

      --hz N              the display's refresh rate (60)
      --budget DURATION   the longest job allowed, such as 16.7ms (one frame)
      --json FILE         write what was measured as JSON (mainstay.run/1)
      --recording FILE    keep the recording; children record to FILE.PID
      --only NAME         describe the process of the tree with this name
      --memory SIZE       memory for single records, such as 64M; totals stay
                          exact beyond it (64M)
      --fail-over-budget  exit with 2 when a job overran the budget, 4 when
                          nothing could be observed
      --quiet             no summary
    """

  let options: RunOptions

  init(arguments: [String]) throws { options = try RunOptions(arguments: arguments) }

  func run() throws -> ExitStatus {
    let mask = ChildProcess.prepare()
    let environment = ProcessInfo.processInfo.environment
    let workspace: RunWorkspace
    let program: Program
    let preload: Preload
    do {
      program = try Program(options.program, environment: environment)
      preload = try Preload(environment: environment)
      workspace = try RunWorkspace(options)
    } catch {
      Console.report("mainstay: cannot run \(options.programName): \(error)")
      return .notObserved
    }
    defer { workspace.remove() }
    workspace.clearDocument(options)
    if let obstacle = program.obstacle() {
      Console.report("mainstay: cannot record \(options.programName): \(obstacle)\n  Running it unrecorded.")
    }
    let child: ChildProcess
    do {
      child = try ChildProcess(
        path: program.path, name: options.program[0], arguments: program.arguments,
        environment: try preload.environment(environment, in: workspace, options: options),
        mask: mask)
    } catch {
      Console.report("mainstay: \(error)")
      return .notObserved
    }
    let began = ContinuousClock.now
    var line = StatusLine(options, processes: workspace.processes, pid: child.pid)
    let end = line == nil ? child.wait() : child.wait(tick: { line?.draw() }, pause: { line?.erase() })
    line?.erase()
    let ended = RecordingEnd.now()
    let report = RunReport(
      options: options, workspace: workspace, child: child, end: end, ended: ended,
      duration: ContinuousClock.now - began)
    return report.finish()
  }
}
