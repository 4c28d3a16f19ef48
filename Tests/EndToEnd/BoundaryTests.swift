import Foundation
import MainstayTrace
import Testing

@Suite("The library's boundaries in a recorded program", .timeLimit(.minutes(60)))
struct BoundaryTests {
  private func run(_ way: String, survey: Bool = true) async throws -> Tool.Run {
    try await FixtureProgram.named("Callbacks", .debug)
      .recorded([way], environment: ["MAINSTAY_BOUNDARIES": survey ? "survey" : nil])
  }

  private func boundary(_ name: String, _ run: Tool.Run) throws -> RunSummary.Boundary {
    try #require(run.summary.boundaries.first { $0.name == name }, "\(run.summary.boundaries) \(run.outcome.errors)")
  }

  @Test("are in the document with contract and counts, those that nothing reached too", arguments: [false, true])
  func kept(survey: Bool) async throws {
    let run = try await run("kept", survey: survey)
    #expect(run.outcome.end == .exited(0))
    let program = try await FixtureProgram.named("Callbacks", .debug)
    let states = try boundary("feed states", run)
    #expect(states.contract == "the feed calls back on the main thread" && states.kind == .asserted)
    let line = try program.line("states")
    #expect(states.file == "Callbacks/Callbacks.swift" && states.line == line)
    #expect((states.callbacks, states.onMain, states.offMain) == (10, 10, 0))
    #expect(states.exercised && states.queues.isEmpty && states.p50Milliseconds == nil)
    let texts = try boundary("feed texts", run)
    #expect(texts.kind == .hopping && texts.callbacks == 100 && texts.inversions == 0)
    #expect(texts.p50Milliseconds != nil && texts.p99Milliseconds != nil)
    #expect(try !boundary("never", run).exercised)
    #expect(run.outcome.errors.contains("Not exercised 'never'"), "\(run.outcome.errors)")
    #expect(!run.outcome.errors.contains("'feed states'"))
  }

  @Test("in a survey show how often and from which queue a promise was broken")
  func foreign() async throws {
    let run = try await run("foreign")
    #expect(run.outcome.end == .exited(0))
    let states = try boundary("feed states", run)
    #expect((states.callbacks, states.onMain, states.offMain, states.cannotTell) == (8, 3, 5, 0))
    #expect(states.queues == ["queue 'org.example.radio'"])
    let words = run.outcome.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("was entered off the main actor 5 of 8 times, from queue 'org.example.radio'"), "\(words)")
  }

  @Test("called from a custom executor without a check cannot tell, and call nobody wrong")
  func custom() async throws {
    let run = try await run("custom")
    #expect(run.outcome.end == .exited(0))
    let states = try boundary("feed states", run)
    #expect((states.callbacks, states.onMain, states.offMain, states.cannotTell) == (4, 0, 0, 4))
    #expect(states.queues == ["queue 'org.example.custom'"])
    #expect(run.outcome.errors.contains("Cannot tell"))
    #expect(!run.outcome.errors.contains("was entered off the main actor"))
  }

  @Test("are written down before what they saw ends the program")
  func trap() async throws {
    let enforced = try await run("trap-elsewhere", survey: false)
    #expect(enforced.outcome.end != .exited(0))
    let refused = try boundary("feed states", enforced)
    #expect((refused.callbacks, refused.offMain) == (1, 1))
    #expect(refused.queues == ["queue 'org.example.radio'"])
    // In a survey another closure may trap, or the process be killed: what came before is there.
    let killed = try await run("trap-elsewhere")
    #expect(killed.outcome.end == .exited(128 + SIGKILL))
    #expect(try boundary("feed states", killed).offMain == 1)
  }

  @Test("tell a recorder that is linked as well as one that is preloaded")
  func within() async throws {
    let outcome = try await FixtureProgram.named("Callbacks", .debug).run(["within"])
    #expect(outcome.end == .exited(0))
    #expect(outcome.text == "feed states 10 10\nfeed texts 100 0\nnever 0 0\n", "\(outcome.errors)")
  }
}
