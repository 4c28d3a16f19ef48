import Foundation
import MainstayTrace
import Testing

@Suite("However a program ends, its recording is complete", .timeLimit(.minutes(60)))
struct EndingTests {
  static let usual = FixtureProgram.Build.usual

  @Test("by returning and by exit(): the last job is closed", arguments: usual)
  func orderly(build: FixtureProgram.Build) async throws {
    for (how, status) in [("return", Int32(0)), ("exit", 3)] {
      let run = try await FixtureProgram.named("Endings", build).recorded([how])
      #expect(run.outcome.end == .exited(status))
      #expect(run.outcome.text == "ending by \(how)\n")
      #expect(run.summary.process.exitStatus == Int(status))
      #expect(run.summary.process.signal == nil)
      let long = run.summary.stalls.count { $0.lengthMilliseconds >= 119.9 }
      #expect(long >= 1 || run.stoodStill)
      // For two there must have been the time.
      if run.summary.process.durationSeconds < 0.239 { #expect(long <= 1) }
      try check(run)
    }
  }

  @Test("by _exit() inside a job of the main actor: that job is an open stall", arguments: usual)
  func abrupt(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Endings", build).recorded(["_exit"])
    #expect(run.outcome.end == .exited(5))
    #expect(run.summary.process.exitStatus == 5)
    #expect(run.summary.stalls.first?.open == true)
    #expect(run.outcome.errors.contains("still running when the program ended"))
    try check(run)
  }

  @Test(
    "by a check of isolation: whose code was called off its actor, which actor's, and what to do", arguments: usual)
  func failedCheck(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("Checked", build)
    let expected = [
      "closure": ("closure 1 in Importer.start()", "trapping closure"),
      "assume": ("closure 1 in static Checked.assume()", "trapping assumption"),
    ]
    for (how, (function, marker)) in expected {
      let run = try await program.recorded([how], environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(run.summary.process.signal == Int(SIGABRT), "\(run.outcome.errors)")
      let check = try #require(run.summary.process.failedCheck, "\(run.outcome.errors)")
      #expect(check.executor == "ImportActor")
      #expect(check.function == function)
      #expect(check.file == "Checked.swift")
      #expect(check.line == (try program.line(marker)))
      let text = run.outcome.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(
        text.contains("\(function), Checked.swift:\(check.line), belongs to ImportActor and was called elsewhere"),
        "\(text)")
    }
    // One that asks and is right, and ends by something else, has no such check to blame.
    let well = try await program.recorded(["well"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(well.summary.process.signal == Int(SIGABRT) && well.summary.process.failedCheck == nil)
  }

  @Test("by abort() and by a trap: the status is 128 + the signal, the open job is an open stall", arguments: usual)
  func crash(build: FixtureProgram.Build) async throws {
    for (how, signal) in [("abort", SIGABRT), ("trap", build == .debug ? SIGTRAP : SIGTRAP)] {
      let program = try await FixtureProgram.named("Endings", build)
      let run = try await program.recorded([how], environment: ["SWIFT_BACKTRACE": "enable=no"])
      let plain = try await program.run([how], environment: ["SWIFT_BACKTRACE": "enable=no"])
      guard case .killed(let killed) = plain.end else {
        Issue.record("\(how) did not kill the program: \(plain.end)")
        continue
      }
      #expect(killed == signal || killed == SIGILL)
      #expect(run.outcome.end == .exited(128 + killed))
      #expect(run.summary.process.signal == Int(killed))
      #expect(run.summary.process.exitStatus == nil)
      #expect(run.summary.stalls.first?.open == true)
      try check(run)
    }
  }

  @Test(
    "by a signal: the status is 128 + its number", arguments: [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGSEGV])
  func signals(signal: Int32) async throws {
    let program = try await FixtureProgram.named("Endings", .release)
    let run = try await program.recorded([String(signal)], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.outcome.end == .exited(128 + signal))
    #expect(run.summary.process.signal == Int(signal))
    #expect(run.outcome.text == "ending by \(signal)\n")
    #expect(run.summary.stalls.first?.open == true)
    try check(run)
  }

  @Test("the runtime's own backtrace of a crash is as whole as without recording")
  func backtrace() async throws {
    let shown = ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no,symbolicate=off,timeout=none"]
    let program = try await FixtureProgram.named("Endings", .debug)
    let plain = try await program.run(["trap"], environment: shown)
    let run = try await program.recorded(["trap"], environment: shown)
    #expect(plain.errors.contains("Program crashed"), "\(plain.errors)")
    #expect(run.outcome.errors.contains("Program crashed"), "\(run.outcome.errors)")
    #expect(!run.outcome.errors.contains("failed to suspend"), "\(run.outcome.errors)")
  }

  /// One stall of 120 ms or more, in the function that made it.
  private func check(_ run: Tool.Run) throws {
    let stall = try #require(run.summary.stalls.first, "\(run.outcome.errors)")
    #expect(stall.kind == .job)
    if !run.stoodStill {
      #expect(stall.lengthMilliseconds >= 119.9)
      #expect(stall.droppedFrames >= 7)
      #expect(run.summary.mainActor.worstMilliseconds >= 119.9)
      #expect(run.summary.mainActor.droppedFrames >= 7)
    }
    // The job began in main, after its only await.
    #expect(stall.function.contains("main"), "\(stall.function)")
    #expect(stall.file == "Endings.swift")
    #expect(stall.line > 0)
  }
}
