import MainstayTrace
import Testing

@Suite("A program is recorded whatever runs its main actor", .timeLimit(.minutes(60)))
struct MainLoopTests {
  @Test("an async main function", arguments: FixtureProgram.Build.usual)
  func asyncMain(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("RoundTrips", build).recorded(["50"])
    #expect(run.outcome.end == .exited(0))
    #expect(run.outcome.text == "50\n")
    #expect(run.summary.selfCheck.complete, "not seen: \(run.summary.selfCheck.missing)")
    #expect(run.summary.mainActor.jobs == 51)
    #expect(try run.executor("Counter").jobs == 50)
    #expect(run.summary.mainQueue.drained)
  }

  @Test("await at the top level", arguments: FixtureProgram.Build.usual)
  func topLevel(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("TopLevel", build).recorded()
    #expect(run.outcome.text == "hello 25\nhello 50\n")
    #expect(run.summary.mainActor.jobs == 51)
    #expect(try run.executor("Greeter").jobs == 50)
  }

  @Test(
    "dispatchMain(), Foundation's run loop, and a loop of somebody else's that drains the main queue",
    arguments: ["DispatchMain", "RunLoopMain", "ForeignLoop"], FixtureProgram.Build.usual)
  func loops(name: String, build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named(name, build).recorded()
    #expect(run.outcome.end == .exited(0))
    #expect(run.outcome.text == "ticked 40 times\n")
    // 40 ticks. What makes the ticker, or returns from it, is no job here: nothing else is on the main actor.
    #expect(run.summary.mainActor.jobs == 40)
    #expect(run.summary.mainQueue.drained)
    let functions = run.summary.functions.filter { $0.executor == "MainActor" }
    #expect(functions.map(\.jobs).reduce(0, +) == 40)
    #expect(functions.allSatisfy { $0.file == "\(name).swift" && $0.line > 0 }, "\(functions)")
  }
}
