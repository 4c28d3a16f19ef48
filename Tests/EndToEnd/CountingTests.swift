import Foundation
import MainstayTrace
import Testing

@Suite("Counts are exact", .timeLimit(.minutes(60)))
struct CountingTests {
  static let usual = FixtureProgram.Build.usual

  @Test("202,000 round trips are 202,001 jobs of the main actor and 202,000 of the actor, none lost", arguments: usual)
  func roundTrips(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("RoundTrips", build).recorded(["202000"])
    #expect(run.outcome.text == "202000\n")
    #expect(run.summary.mainActor.jobs == 202_001)
    #expect(try run.executor("Counter").jobs == 202_000)
    #expect(run.summary.lost.records == 0)
    #expect(run.summary.tasks.created == 1)
    let functions = run.summary.functions.filter { $0.executor == "MainActor" }.map(\.jobs).reduce(0, +)
    #expect(functions == 202_001, "the functions of an executor add up to its jobs")
    #expect(run.summary.hops.first { $0.from == "MainActor" && $0.to == "Counter" }?.count == 202_000)
    #expect(run.summary.notVisible.filter { !$0.contains("in which the whole process did not run") } == [])
  }

  @Test("a million jobs of eight tasks, some cancelled on the way, are what the program counted", arguments: usual)
  func storm(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Storm", build).recorded(["80000"])
    #expect(run.outcome.end == .exited(0))
    func truth(_ word: String) throws -> Int { Int(try #require(run.outcome.number(word), "\(run.outcome.text)")) }
    #expect(try truth("tally") + truth("screen") > 300_000)
    #expect(try run.executor("Tally").jobs == truth("tally"))
    #expect(try run.summary.mainActor.jobs == truth("screen"))
    #expect(try run.summary.tasks.created == truth("created"))
    #expect(try run.summary.tasks.cancelled == truth("cancelled"))
    // Every stretch on the pool but those of the task that waits for the eight.
    let pool = try #require(run.summary.executors.first { $0.kind == .pool })
    #expect(try pool.jobs >= truth("pool"))
    #expect(run.summary.executors.map(\.jobs).reduce(0, +) >= 1_000_000)
    #expect(run.summary.lost.records == 0)
  }

  @Test("a million jobs in 4 MB of memory: single records are overwritten, totals are exact", arguments: usual)
  func littleMemory(build: FixtureProgram.Build) async throws {
    try await fold(500_000, memory: "4M", most: 6 << 20, build)
  }

  @Test(
    "ten million jobs in 64 MB of memory: totals are exact",
    .enabled(if: ProcessInfo.processInfo.environment["MAINSTAY_SOAK"] != nil, "only with MAINSTAY_SOAK set: make soak"))
  func soak() async throws { try await fold(5_000_000, memory: "64M", most: 66 << 20, .release) }

  private func fold(_ trips: Int, memory: String, most: Int, _ build: FixtureProgram.Build) async throws {
    let file = "\(try TestFolder.make())/recording"
    let run = try await FixtureProgram.named("RoundTrips", build)
      .recorded([String(trips)], options: ["--memory", memory, "--recording", file])
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(run.outcome.text == "\(trips)\n")
    #expect(run.summary.mainActor.jobs == trips + 1)
    let counter = try run.executor("Counter")
    #expect(counter.jobs == trips)
    let functions = run.summary.functions.filter { $0.executor == "MainActor" }
    #expect(functions.map(\.jobs).reduce(0, +) == trips + 1)
    // Percentiles come from all of them, not from what is left.
    #expect(counter.waitP50Milliseconds > 0 && counter.waitP50Milliseconds <= counter.waitP99Milliseconds)
    #expect(run.summary.mainActor.p50Milliseconds > 0)
    #expect(run.summary.mainActor.p50Milliseconds <= run.summary.mainActor.p99Milliseconds)
    #expect(run.summary.mainActor.p99Milliseconds <= run.summary.mainActor.worstMilliseconds)
    #expect(run.summary.notVisible.contains { $0.contains("totals are exact") })
    var status = stat()
    #expect(stat(file, &status) == 0)
    #expect(Int(status.st_blocks) * 512 <= most, "the recording takes \(Int(status.st_blocks) * 512) bytes of disk")
  }
}
