import MainstayTrace
import Testing

@Suite("Every executor is named, told apart and counted", .timeLimit(.minutes(60)))
struct ExecutorTests {
  @Test("actors, global actors, custom executors, generic actors and the pool", arguments: FixtureProgram.Build.usual)
  func kinds(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Executors", build).recorded()
    #expect(run.outcome.end == .exited(0))
    let custom = try run.executor("QueueExecutor")
    #expect(custom.kind == .customExecutor)
    #expect(custom.jobs == 30)
    #expect(custom.instances == 1)
    let library = try run.executor("Library")
    #expect(library.kind == .globalActor)
    #expect(library.jobs == 40)
    let box = try run.executor("Box")
    #expect(box.kind == .actor)
    #expect(box.jobs == 100, "two specialisations of one generic actor, 50 jobs each")
    #expect(box.instances == 2)
    #expect(run.summary.executors.filter { $0.name == "Box" }.count == 1)
    let pool = try #require(run.summary.executors.first { $0.kind == .pool })
    #expect(pool.jobs >= 1)
    #expect(run.summary.executors.first?.kind == .mainActor)
    #expect(run.summary.executors.allSatisfy { $0.jobs > 0 && $0.instances > 0 })
    #expect(run.summary.lost.records == 0)
  }

  @Test("hops from actor to actor that stay on the thread are stretches of both", arguments: FixtureProgram.Build.usual)
  func inline(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Executors", build).recorded()
    #expect(try run.executor("Inner").jobs == 60)
    #expect(try run.executor("Outer").jobs == 61)
    let there = try #require(run.summary.hops.first { $0.from == "Outer" && $0.to == "Inner" })
    #expect(there.count == 60)
    #expect(there.sites.map(\.count).reduce(0, +) == 60)
    #expect(run.summary.hops.first { $0.from == "Inner" && $0.to == "Outer" }?.count == 60)
  }

  @Test("blocks of the main queue are a kind of their own, named as the closure that was written")
  func blocks() async throws {
    for build in FixtureProgram.Build.usual {
      let program = try await FixtureProgram.named("Blocks", build)
      let run = try await program.recorded()
      #expect(run.outcome.end == .exited(0))
      #expect(run.summary.mainQueue.blocks == 11)
      #expect(run.summary.mainActor.jobs == 0)
      #expect(run.summary.stalls.allSatisfy { $0.kind == .block })
      if try run.isUndisturbed {
        #expect(run.summary.stalls.count == 2 && run.summary.mainActor.overBudget == 2)
        #expect(run.summary.stalls.first?.function == "closure 1 in Importer.start()", "the longest first")
      }
      let long = try #require(
        run.summary.stalls.first {
          $0.function == "closure 1 in Importer.start()" && ($0.lengthMilliseconds >= 39.9 || run.stoodStill)
        }, "\(run.outcome.errors)")
      #expect(long.file == "Blocks.swift")
      #expect(long.line == (try program.line("long block")))
      let delayed = try #require(run.summary.stalls.first { $0.function == "closure 1 in Importer.later()" })
      #expect(delayed.line == (try program.line("delayed block")))
      #expect(run.outcome.errors.contains("(main queue)"))
    }
  }
}
