import Foundation
import Mainstay
import MainstayTrace
import Testing

@Suite("The length of a job", .timeLimit(.minutes(15)))
struct LengthTests {
  @Test(
    "is what CLOCK_MONOTONIC says inside the job, and drops the frames of the formula",
    arguments: FixtureProgram.Build.usual)
  func planted(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Planted", build).recorded()
    let truths = run.outcome.numbers("planted").map { Int64($0) }
    try #require(truths.count == 4)
    let stalls = run.summary.stalls.sorted { $0.startSeconds < $1.startSeconds }
    try #require(stalls.count == 4, "\(run.summary.stalls.map(\.function))")
    #expect(run.summary.mainActor.overBudget == 4)
    for (truth, stall) in zip(truths, stalls) {
      let length = Duration.nanoseconds(truth)
      let error = stall.lengthMilliseconds - Double(truth) / 1e6
      // The job encloses what it measures. Whoever else uses the processor may lengthen it, but not by this much.
      #expect(error > -0.05 && error < 10, "\(stall.lengthMilliseconds) ms for \(Double(truth) / 1e6) ms")
      let frame = Duration.nanoseconds(16_666_667)
      let toBoundary = min(length.remainder(frame), frame - length.remainder(frame))
      if toBoundary > .milliseconds(1) && error < 1 {
        #expect(stall.droppedFrames == FrameBudget.hz60.droppedFrames(for: length))
      }
      #expect(stall.droppedFrames == Int((stall.lengthMilliseconds / (1000.0 / 60)).rounded(.up)) - 1)
      #expect(stall.file == "Planted.swift")
      #expect(stall.open == false)
    }
    #expect(run.summary.mainActor.droppedFrames == run.summary.stalls.map(\.droppedFrames).reduce(0, +))
    #expect(run.outcome.errors.contains("overran the 16.7 ms budget"))
  }

  @Test("is judged by the refresh rate and the budget that were asked for")
  func options() async throws {
    let program = try await FixtureProgram.named("Planted", .release)
    let fast = try await program.recorded(options: ["--hz", "120"])
    #expect(fast.summary.refreshRateHz == 120)
    #expect(fast.summary.budgetMilliseconds > 8.33 && fast.summary.budgetMilliseconds < 8.34)
    for stall in fast.summary.stalls {
      #expect(stall.droppedFrames == Int((stall.lengthMilliseconds / (1000.0 / 120)).rounded(.up)) - 1)
    }
    let patient = try await program.recorded(options: ["--budget", "150ms"])
    #expect(patient.summary.budgetMilliseconds == 150)
    #expect(patient.summary.mainActor.overBudget == 1)
    #expect(patient.summary.stalls.count == 1)
    #expect(patient.summary.mainActor.droppedFrames >= 1 + 3 + 4 + 12, "frames are dropped whatever the budget")
  }

  @Test("makes --fail-over-budget fail when it is over the budget, and only then")
  func failOverBudget() async throws {
    let program = try await FixtureProgram.named("Planted", .release)
    #expect(try await Tool.run(["run", "--fail-over-budget", "--quiet", "--", program.path]).end == .exited(2))
    let patient = try await Tool.run(["run", "--fail-over-budget", "--budget", "60s", "--", program.path])
    #expect(patient.end == .exited(0))
    // The program's own failure comes first.
    let failing = try await FixtureProgram.named("Endings", .release)
    #expect(try await Tool.run(["run", "--fail-over-budget", "--", failing.path, "exit"]).end == .exited(3))
    #expect(try await Tool.run(["run", "--fail-over-budget", "--", "/bin/echo", "hello"]).end == .exited(4))
  }
}

extension Duration {
  fileprivate func remainder(_ divisor: Duration) -> Duration {
    let whole = (self / divisor).rounded(.down)
    return self - divisor * whole
  }
}
