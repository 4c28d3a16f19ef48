import Foundation
import MainstayTrace
import Testing

@Suite("A stall is explained", .timeLimit(.minutes(60)))
struct StallTests {
  static let usual = FixtureProgram.Build.usual

  @Test(
    "a Task {} that walks a folder on the main actor: the closure, where it was made, what it inherits",
    arguments: usual)
  func inherited(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("Stalling", build)
    let function = "closure 1 in Catalogue.refresh()"
    let run = try await program.recorded(["inherited"]) { run in
      run.summary.stalls.contains { stall in
        stall.function == function
          && stall.samples.contains { $0.frames.contains { $0.function.hasPrefix("Catalogue.count") } }
      }
    }
    let stall = try #require(run.summary.stalls.first { $0.function == function }, "\(run.outcome.errors)")
    #expect(stall.file == "Stalling.swift")
    #expect(stall.createdAt?.function == "Catalogue.refresh()")
    #expect(stall.createdAt?.line == (try program.line("walks here")))
    #expect(stall.inheritedFrom == "MainActor")
    #expect(run.outcome.errors.contains("task made in Catalogue.refresh(), which inherits MainActor"))
    let frames = stall.samples.flatMap(\.frames)
    #expect(frames.contains { $0.function == "Catalogue.countFiles(below:atLeast:)" && $0.line > 0 }, "\(frames)")
  }

  @Test("a semaphore at background priority: blocked, with the wait on top, and the priority", arguments: usual)
  func background(build: FixtureProgram.Build) async throws {
    let program = try await FixtureProgram.named("Stalling", build)
    func isWaiting(_ sample: RunSummary.Sample) -> Bool {
      sample.state == .blocked && sample.frames.contains { $0.function == "waitForReply()" }
    }
    let run = try await program.recorded(["background"]) { run in
      run.summary.stalls.contains { stall in
        stall.priority == "background" && stall.samples.contains(where: isWaiting)
      }
    }
    let stall = try #require(run.summary.stalls.first { $0.priority == "background" }, "\(run.outcome.errors)")
    let sample = try #require(stall.samples.first(where: isWaiting), "\(stall.samples)")
    let own = try #require(sample.frames.firstIndex { $0.function == "waitForReply()" }, "\(sample.frames)")
    #expect(sample.frames[own].line == (try program.line("waits here")))
    #expect(sample.frames[..<own].contains { $0.function.contains("semaphore_wait") }, "\(sample.frames)")
    #expect(run.outcome.errors.contains("at background priority"))
    #expect(run.outcome.errors.contains("Next: do not block the main actor in waitForReply()"))
  }

  @Test("a stall with two reasons shows both, with where each is")
  func twoReasons() async throws {
    let program = try await FixtureProgram.named("Stalling", .debug)
    let run = try await program.recorded(["two"]) { run in
      run.samples(of: "compute(milliseconds:)").contains { $0.state == .running }
        && run.samples(of: "usleep").contains { $0.state == .blocked }
        && run.summary.stalls.first.map { Set($0.samples.map(\.state)) == [.running, .blocked] } ?? false
    }
    let stall = try #require(run.summary.stalls.first, "\(run.outcome.errors)")
    #expect(Set(stall.samples.map(\.state)) == [.running, .blocked])
    #expect(stall.samples.map(\.atMilliseconds) == stall.samples.map(\.atMilliseconds).sorted())
    #expect(stall.samples.allSatisfy { $0.atMilliseconds > 0 && $0.atMilliseconds < stall.lengthMilliseconds })
    // Most of the time it reads the clock, which is the kernel's code.
    #expect(!stall.samples.flatMap(\.frames).contains { $0.function.hasPrefix("0x") }, "\(stall.samples)")
    let text = run.outcome.errors
    #expect(text.contains("← compute(milliseconds:)") || text.contains("running  compute(milliseconds:)"), "\(text)")
    #expect(text.contains("blocked  usleep ← twoReasons()"), "\(text)")
  }

  @Test(
    "of the async callers those that wait, and not the one that runs because what it waited for returned",
    arguments: usual)
  func asyncCallers(build: FixtureProgram.Build) async throws {
    let function = "Chain.innermost()"
    let run = try await FixtureProgram.named("Stalling", build).recorded(["chain"]) { run in
      run.summary.stalls.contains { stall in
        stall.function == function && stall.samples.contains { $0.frames.contains { $0.function == "Chain.middle()" } }
          && !stall.asyncCallers.isEmpty
      }
    }
    let stall = try #require(run.summary.stalls.first { $0.function == function }, "\(run.outcome.errors)")
    #expect(stall.samples.contains { $0.frames.contains { $0.function == "Chain.middle()" } })
    #expect(stall.asyncCallers.map(\.function) == ["Chain.outermost()", "Stalling.main()"])
    #expect(stall.asyncCallers.allSatisfy { $0.file == "Stalling.swift" && $0.line > 0 })
  }

  @Test(
    "on a terminal of 60 columns every line of the summary fits, and there is no colour",
    arguments: ["inherited", "background", "two"])
  func narrow(what: String) async throws {
    let program = try await FixtureProgram.named("Stalling", .debug)
    try await Lanes.shared.run {
      let terminal = try Terminal(
        [Tool.path, "run", "--", program.path, what], environment: ["TERM": "dumb"], columns: 60)
      _ = terminal.wait()
      let lines = terminal.text.components(separatedBy: "\r\n")
      #expect(lines.contains { $0.hasPrefix("Main actor:") } && lines.contains { $0.hasPrefix("Next:") })
      #expect(lines.contains { $0.contains("Stalling.swift:") }, "\(terminal.text)")
      #expect(lines.allSatisfy { $0.count <= 60 }, "\(lines.filter { $0.count > 60 })")
      #expect(!terminal.text.contains("\u{1b}"))
    }
  }
}
