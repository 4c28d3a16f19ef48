import MainstayTrace
import Testing

@Suite("Tasks of every kind", .timeLimit(.minutes(60)))
struct TaskTests {
  @Test(
    "groups, async let, detached, throwing and cancelled tasks are counted exactly",
    arguments: FixtureProgram.Build.usual)
  func counts(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Tasks", build).recorded()
    #expect(run.outcome.end == .exited(0))
    #expect(
      run.outcome.text == """
        continuations 210
        groups 435
        throwing refused
        pairs 450
        detached 105
        cancelled 12
        created 81, cancelled 12

        """)
    #expect(run.summary.tasks.created == 81)
    // All but the main function's, which ends the process.
    #expect(run.summary.tasks.completed == 80)
    // 12 by hand; the group that threw cancels what is left of its three.
    #expect((12...15).contains(run.summary.tasks.cancelled))
    #expect(run.summary.selfCheck.complete)
    #expect(run.summary.lost.records == 0)
  }

  @Test(
    "what a continuation resumes is named by the program's function, not by the library's around it",
    arguments: FixtureProgram.Build.usual)
  func continuations(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("Continuations", build)
    let run = try await program.recorded()
    #expect(run.outcome.end == .exited(0))
    let stall = try #require(run.summary.stalls.first { $0.function == "Device.read()" }, "\(run.outcome.errors)")
    #expect(stall.file == "Continuations.swift")
    #expect(stall.lengthMilliseconds >= 119.9 || run.stoodStill)
    let pending = try #require(run.summary.tasks.pendingContinuations.first)
    #expect(run.summary.tasks.pendingContinuations.count == 1)
    #expect(pending.function == "forgotten(_:)")
    #expect(pending.line == (try program.line("never resumed")))
    #expect(pending.createdAt?.line == (try program.line("waits forever")))
    #expect(run.outcome.errors.contains("1 continuation was never resumed"))
  }

  @Test("an immediate task inside a job does not cut the job short", arguments: FixtureProgram.Build.usual)
  func immediate(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Immediate", build).recorded()
    #expect(run.outcome.end == .exited(0))
    let truth = try #require(run.outcome.number("outer"))
    #expect(truth >= 65)
    #expect(run.summary.mainActor.worstMilliseconds >= truth - 0.1 || run.stoodStill)
    let long = run.summary.stalls.filter { $0.lengthMilliseconds >= truth - 0.1 || run.stoodStill }
    // On a busy machine another job may be held up for longer than the budget.
    if try run.isUndisturbed { #expect(long.count == 1, "\(run.summary.stalls.map(\.lengthMilliseconds))") }
    let stall = try #require(long.first)
    #expect(stall.droppedFrames >= Int(truth / 16.667) || run.stoodStill)
    #expect(stall.file == "Immediate.swift")
  }

  @Test(
    "an immediate task that is long inside a job is one stall with it: its frames are dropped once, and its stack is shown",
    arguments: FixtureProgram.Build.usual)
  func longImmediate(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Immediate", build).recorded(["150"]) { run in
      run.summary.stalls.first?.samples.contains { $0.frames.contains { $0.function == "work(milliseconds:)" } }
        ?? false
    }
    let truth = try #require(run.outcome.number("outer"))
    let long = run.summary.stalls.filter { $0.lengthMilliseconds >= truth - 0.1 || run.stoodStill }
    if try run.isUndisturbed { #expect(long.count == 1, "\(run.outcome.errors)") }
    let stall = try #require(long.first, "\(run.outcome.errors)")
    // On a busy machine another job may be held up for longer than the budget, and counts by itself.
    #expect(run.summary.mainActor.droppedFrames == run.summary.stalls.map(\.droppedFrames).reduce(0, +))
    #expect(run.summary.mainActor.overBudget == run.summary.stalls.count)
    #expect(stall.samples.contains { $0.frames.contains { $0.function == "work(milliseconds:)" } }, "\(stall.samples)")
  }
}
