import Foundation
import Mainstay
import MainstayTrace
import Testing

@Suite("The length of a job", .timeLimit(.minutes(60)))
struct LengthTests {
  @Test(
    "is what CLOCK_MONOTONIC says inside the job, and drops the frames of the formula",
    arguments: FixtureProgram.Build.usual)
  func planted(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Planted", build).recorded()
    let truths = run.outcome.numbers("planted").map { Int64($0) }
    try #require(truths.count == 4)
    let rest = try run.restMilliseconds
    var stalls = run.summary.stalls.sorted { $0.startSeconds < $1.startSeconds }
    if try run.isUndisturbed {
      #expect(stalls.count == 4, "\(run.summary.stalls.map(\.function))")
      #expect(run.summary.mainActor.overBudget == 4)
    }
    for truth in truths {
      let length = Duration.nanoseconds(truth)
      // The job encloses what it measures, and is no longer than that and all that was not measured.
      let fits = 0..<rest + 0.1
      let place = stalls.firstIndex {
        run.stoodStill || fits.contains($0.lengthMilliseconds - Double(truth) / 1e6 + 0.05)
      }
      let stall = try #require(
        place.map { stalls[$0] }, "none of \(stalls.map(\.lengthMilliseconds)) is \(truth) ns and up to \(rest) ms more"
      )
      stalls.removeFirst((place ?? 0) + 1)
      let error = stall.lengthMilliseconds - Double(truth) / 1e6
      let frame = Duration.nanoseconds(16_666_667)
      let toBoundary = min(length.remainder(frame), frame - length.remainder(frame))
      if toBoundary > .milliseconds(1) && abs(error) < 1 {
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
    #expect(patient.summary.stalls.count == patient.summary.mainActor.overBudget)
    // Of the 20, 55, 80 and 210 ms that were planted none but the last is over it, unless the machine stood still for long.
    let rest = try patient.restMilliseconds
    if rest < 70 && !patient.stoodStill { #expect(patient.summary.mainActor.overBudget == 1) }
    if !patient.stoodStill {
      #expect(patient.summary.mainActor.overBudget >= 1)
      #expect(patient.summary.mainActor.droppedFrames >= 1 + 3 + 4 + 12, "frames are dropped whatever the budget")
    }
  }

  @Test("makes --fail-over-budget fail when it is over the budget, and only then")
  func failOverBudget() async throws {
    let program = try await FixtureProgram.named("Planted", .release)
    #expect(try await Tool.run(["run", "--fail-over-budget", "--quiet", "--", program.path]).end == .exited(2))
    let patient = try await Tool.run(["run", "--fail-over-budget", "--budget", "3600s", "--", program.path])
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
