import Foundation
import MainstayTrace
import Testing

@Suite("A program that records itself", .timeLimit(.minutes(60)))
struct RecordingTests {
  private func run(
    _ arguments: String..., environment: [String: String?] = [:]
  ) async throws -> (outcome: Subprocess.Outcome, program: FixtureProgram) {
    let program = try await FixtureProgram.named("Within", .debug)
    return (try await program.run(arguments, environment: environment), program)
  }

  /// Runs until a stack of what was planted was seen: whoever looks may get no processor in time.
  private func runUntilSampled(
    _ arguments: String...
  ) async throws -> (outcome: Subprocess.Outcome, program: FixtureProgram) {
    let program = try await FixtureProgram.named("Within", .debug)
    var outcome = try await program.run(arguments)
    for _ in 0..<20 where !outcome.text.contains("samples of plant\n") { outcome = try await program.run(arguments) }
    return (outcome, program)
  }

  /// How many stalls each summary has: exactly, unless the machine made other jobs than those that were planted long, or
  /// those that were within the budget.
  private func expectStalls(_ expected: [Int], over budget: Double, _ outcome: Subprocess.Outcome) {
    let (found, rests) = (outcome.numbers("stalls").map { Int($0) }, outcome.numbers("rest"))
    let totals = zip(rests, outcome.numbers("planted")).map { ($0 + $1) / 1e6 }
    #expect(found.count == expected.count && totals.count == expected.count, "\(outcome.text)")
    if rests.allSatisfy({ $0 / 1e6 < min(budget, 5) }) { #expect(found == expected, "\(outcome.text)") }
  }

  /// The stalls of the planted kind, one a line.
  private func planted(_ outcome: Subprocess.Outcome, madeAt line: Int) -> Int {
    let made = "static Within.work(_:milliseconds:) Within.swift:\(line)"
    return outcome.text.split(separator: "\n").count {
      $0 == "stall closure 1 in static Within.work(_:milliseconds:) \(made)"
    }
  }

  @Test("says at exit what its main actor did, and exits as it would without")
  func atExit() async throws {
    let (outcome, program) = try await run("exit")
    #expect(outcome.end == .exited(3))
    #expect(outcome.text == "")
    #expect(outcome.errors.contains(#/^Main actor: \d+ of /#), "\(outcome.errors)")
    #expect(outcome.errors.contains("closure 1 in static Within.work(_:…) after await 1"))
    #expect(outcome.errors.contains("task made in static Within.work(_:milliseconds:)"))
    #expect(outcome.errors.contains("Within.swift:\(try program.line("the task"))"))
  }

  @Test("sees everything that a preloaded recorder sees: stalls with their stacks, and where their tasks were made")
  func sees() async throws {
    let (outcome, program) = try await runUntilSampled("stop")
    try #require(outcome.end == .exited(0), "\(outcome.errors)")
    let lines = outcome.text.split(separator: "\n").map(String.init)
    #expect(lines.first == "recorder linked")
    #expect(lines.filter { $0 == "complete true" }.count == 2)
    #expect(lines.contains("samples of plant"), "a busy machine may leave a stall without a sample, not all three")
    #expect(planted(outcome, madeAt: try program.line("the task")) == 3)
    // What was there after the first part, and after the second.
    expectStalls([1, 2], over: 30, outcome)
    #expect(outcome.numbers("created") == [1, 2])
    #expect(outcome.numbers("lost") == [0, 0])
    #expect(outcome.errors == "", "a recording that was stopped says nothing at exit")
  }

  @Test("sees the rest of the job that starts the recording")
  func ownJob() async throws {
    let (outcome, _) = try await runUntilSampled("own")
    try #require(outcome.end == .exited(0), "\(outcome.errors)")
    expectStalls([1], over: 16, outcome)
    #expect(outcome.text.contains("stall Within.main() nowhere\n"), "\(outcome.text)")
  }

  @Test("may stop and start again: each recording has its own jobs, and none of those between")
  func again() async throws {
    let (outcome, program) = try await run("again")
    try #require(outcome.end == .exited(0), "\(outcome.errors)")
    expectStalls([1, 1, 1], over: 16, outcome)
    #expect(planted(outcome, madeAt: try program.line("the task")) == 3, "none of those between")
    #expect(outcome.numbers("created") == [1, 1, 1])
    #expect(outcome.errors == "")
  }

  @Test("is told when it starts twice")
  func twice() async throws {
    let (outcome, _) = try await run("twice")
    #expect(outcome.end == .exited(0))
    #expect(outcome.text.hasPrefix("error this process is recorded already: call Recording.stop() first"))
    #expect(outcome.text.split(separator: "\n").count == 1)
  }

  @Test("under 'mainstay run' leaves the recording to it, with its options, and its summary says all there is")
  func meeting() async throws {
    let program = try await FixtureProgram.named("Within", .debug)
    let run = try await program.recorded(["stop"], options: ["--budget", "50ms"])
    try #require(run.outcome.end == .exited(0), "\(run.outcome.errors)")
    #expect(run.outcome.text.hasPrefix("recorder preloaded\n"))
    // The budget is the tool's: 40 ms are within it.
    expectStalls([1, 1], over: 50, run.outcome)
    #expect(run.summary.stalls.count == Int(run.outcome.numbers("stalls").last ?? 0), "both say the same")
    #expect(run.summary.selfCheck.complete)
    #expect(run.summary.processes.map(\.recorded) == [true], "one process, one recorder")
    let function = "closure 1 in static Within.work(_:milliseconds:)"
    let stall = try #require(run.summary.stalls.first { $0.function == function }, "\(run.outcome.errors)")
    #expect(stall.createdAt?.line == (try program.line("the task")))
    // The linked recorder stands between the runtime and the preloaded one, and must not be taken for either.
    #expect(run.summary.tasks.created == 3, "that of main, and two")
  }

  @Test("leaves a file that 'mainstay report' reads, also when it is killed, and otherwise nothing behind")
  func files() async throws {
    let folder = try TestFolder.make()
    let kept = "\(folder)/kept.rec"
    let (killed, _) = try await run("crash", kept, environment: ["TMPDIR": folder])
    #expect(killed.end == .killed(SIGKILL))
    let report = try await Tool.run(["report", kept])
    #expect(report.end == .exited(0))
    #expect(report.text.contains(#/^Main actor: \d+ of /#), "\(report.text)")
    #expect(report.text.contains("task made in static Within.work(_:milliseconds:)"))
    let (crashed, _) = try await run("crash", environment: ["TMPDIR": folder])
    #expect(crashed.end == .killed(SIGKILL))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["kept.rec"])
  }
}
