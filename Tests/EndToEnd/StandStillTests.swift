import Foundation
import MainstayTrace
import Testing

@Suite("The other ways to stand still are shown", .timeLimit(.minutes(60)))
struct StandStillTests {
  static let usual = FixtureProgram.Build.usual

  @Test("one task a buffer floods the main actor: how many a second, and the site", arguments: usual)
  func buffers(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("StandStill", build)
    // So many a second is what a machine can that has the time.
    let run = try await program.recorded(["buffers"]) {
      $0.summary.tasks.sites.first.map { $0.perSecondMax > 1000 } ?? false
    }
    let site = try #require(run.summary.tasks.sites.first, "\(run.outcome.errors)")
    #expect(site.count == 5000)
    #expect(site.file == "StandStill.swift")
    #expect(site.line == (try program.line("a task a buffer")))
    #expect(site.perSecondMax > 1000 && site.perSecondMax <= 5000)
    #expect(run.outcome.errors.contains("a second made in"), "\(run.outcome.errors)")
    let main = try run.executor("MainActor")
    #expect(main.queueMax > 1 && main.jobs >= 5000)
  }

  @Test("short jobs without a gap are a train, named by what they run", arguments: usual)
  func train(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("StandStill", build)
    // A machine that is busy puts gaps between the jobs, and then they are none.
    let run = try await program.recorded(["train"], options: ["--budget", "60ms"]) { !$0.summary.trains.isEmpty }
    let train = try #require(run.summary.trains.first, "\(run.outcome.errors)")
    #expect(train.jobs > 2)
    #expect(train.lengthMilliseconds > 60)
    #expect(train.functions.first?.hasPrefix("closure 1 in ") == true, "\(train.functions)")
    #expect(run.outcome.errors.contains("A screen waits for all"))
  }

  @Test("two refreshes that overlap are two tasks of one site", arguments: usual)
  func refreshes(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("StandStill", build)
    let run = try await program.recorded(["refreshes"])
    #expect(run.outcome.text == "[2, 1]\n", "the older one ends last")
    let site = try #require(run.summary.tasks.sites.first { $0.function == "Feed.refresh(_:after:)" })
    #expect(site.count == 2)
    #expect(site.line == (try program.line("a refresh")))
    let jobs = run.summary.functions.filter { $0.function == "closure 1 in Feed.refresh(_:after:)" }
    #expect(jobs.map(\.jobs).reduce(0, +) >= 2, "\(run.summary.functions.map(\.function))")
  }

  @Test(
    "a continuation that nobody resumes: where it waits and where its task was made, also while it runs",
    arguments: usual)
  func continuation(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("StandStill", build)
    @Sendable func check(_ summary: RunSummary, _ text: String) throws {
      try #require(summary.tasks.pendingContinuations.count == 1, "\(text)")
      let wait = summary.tasks.pendingContinuations[0]
      #expect(wait.function == "Uploader.waitForReply()")
      #expect(wait.file == "StandStill.swift")
      #expect(abs(wait.line - (try program.line("never resumed"))) <= 1, "\(wait.line)")
      #expect(wait.seconds > 0.1)
      #expect(wait.createdAt?.function == "Uploader.start()")
      #expect(wait.createdAt?.line == (try program.line("the upload")))
      #expect(text.contains("1 continuation was never resumed"), "\(text)")
    }
    let ended = try await program.recorded(["continuation"])
    try check(ended.summary, ended.outcome.errors)
    // And while it waits: the recording is read from outside.
    let recording = "\(try TestFolder.make())/recording"
    try await Lanes.shared.run {
      let terminal = try Terminal([
        Tool.path, "run", "--quiet", "--recording", recording, "--", program.path, "continuation",
      ])
      #expect(terminal.read { $0.contains("waiting") })
      let live = try Recording(path: recording)
      #expect(!live.isFinished)
      let summary = RunSummary(live)
      try check(summary, summary.text())
      terminal.type("\u{4}")
      #expect(terminal.wait() == .exited(0))
    }
  }

  @Test("semaphores in tasks block every thread of the pool: how long, how many wait, and where", arguments: usual)
  func semaphores(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("StandStill", build)
    let run = try await program.recorded(["semaphores"]) { run in
      run.summary.pool.starved.first.map { starved in
        starved.lengthSeconds > 0.2
          && starved.blockers.allSatisfy { $0.frames.contains { $0.function == "holdThread()" } }
      } ?? false
    }
    let starved = try #require(run.summary.pool.starved.first, "\(run.outcome.errors)")
    #expect(starved.lengthSeconds > 0.2)
    #expect(starved.queuedJobs >= 3)
    #expect(starved.blockers.count >= ProcessInfo.processInfo.activeProcessorCount)
    for blocker in starved.blockers {
      #expect(blocker.state == .blocked)
      let frame = try #require(blocker.frames.first { $0.function == "holdThread()" }, "\(blocker.frames)")
      #expect(frame.line == (try program.line("holds a thread")))
    }
    #expect(run.outcome.errors.contains("Pool starved"))
    #expect(run.outcome.errors.contains("Await instead of blocking"))
  }

  @Test("an actor that 256 callers contend for: how long its queue was and how long they waited", arguments: usual)
  func contended(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("StandStill", build).recorded(["contended"])
    #expect(run.outcome.text == "257\n")
    let turnstile = try run.executor("Turnstile")
    #expect(turnstile.queueMax >= 200 && turnstile.queueMax <= 257, "\(turnstile.queueMax)")
    #expect(turnstile.waitP99Milliseconds >= 15, "they waited while it was held")
    #expect(turnstile.waitP50Milliseconds <= turnstile.waitP99Milliseconds)
  }

  @Test("hops that the optimiser removed are not counted, and what ran is", arguments: usual)
  func removedHops(build: FixtureProgram.Build) async throws {
    let run = try await FixtureProgram.named("Removed", build).recorded()
    #expect(run.outcome.text == "9950\n")
    // The source has 150 awaits that leave the main actor; 100 of them do nothing that needs it.
    let there = run.summary.hops.filter { $0.from == "MainActor" }.map(\.count).reduce(0, +)
    #expect(there == 50, "\(run.summary.hops)")
    #expect(run.summary.mainActor.jobs == 51)
  }

  @Test("a main queue that nobody drains: how many wait and for how long, and what to do")
  func undrained() async throws {
    let run = try await FixtureProgram.named("Undrained", .release).recorded()
    #expect(run.outcome.text == "the loop is over\n")
    #expect(!run.summary.mainQueue.drained)
    #expect(run.summary.mainQueue.queuedJobs == 30)
    #expect(run.summary.mainQueue.oldestSeconds >= 0.35)
    #expect(run.summary.mainActor.jobs == 0)
    #expect(run.outcome.errors.contains("the main actor never ran: 30 jobs queued"))
    #expect(run.outcome.errors.contains("dispatchMain()"))
  }
}
