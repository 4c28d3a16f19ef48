import Foundation
import MainstayTrace
import Testing

@Suite("A tree of processes", .timeLimit(.minutes(60)))
struct ProcessTreeTests {
  @Test("children that are Swift programs have recordings of their own, named after their process")
  func children() async throws {
    let program = try await FixtureProgram.named("Processes", .release)
    let file = "\(try TestFolder.make())/recording"
    let run = try await program.recorded(["children"], options: ["--recording", file])
    #expect(run.outcome.text == "child ended with 0\nchild ended with 0\nworked 20\nworked 30\n".sortedLines(like: run))
    #expect(run.summary.process.arguments == ["children"])
    #expect(try run.executor("Worker").jobs == 10)
    #expect(run.summary.processes.count == 3)
    #expect(run.summary.processes.allSatisfy { $0.recorded && $0.executable == "Processes" && $0.reason == nil })
    #expect(RunSummary(try Recording(path: file)).executors.first { $0.name == "Worker" }?.jobs == 10)
    let children = run.summary.processes.filter { $0.pid != run.summary.process.pid }
    let jobs = try children.map { child in
      let summary = RunSummary(try Recording(path: "\(file).\(child.pid)"))
      return summary.executors.first { $0.name == "Worker" }?.jobs
    }
    #expect(Set(jobs) == [20, 30])
    let all = try FileManager.default.contentsOfDirectory(atPath: URL(filePath: file).deletingLastPathComponent().path)
    #expect(all.count == 3, "one recording for each process: \(all)")
  }

  @Test("a child that is no Swift program is listed with the reason why it is not recorded")
  func otherChild() async throws {
    let run = try await FixtureProgram.named("Processes", .release).recorded(["other"])
    #expect(run.outcome.text == "child ended with 6\n")
    let child = try #require(run.summary.processes.first { $0.pid != run.summary.process.pid })
    #expect(!child.recorded)
    #expect(child.reason == "does not load the Swift concurrency runtime")
    #expect(run.summary.processes.count == 2)
    #expect(try run.executor("Worker").jobs == 10)
  }

  @Test("a forked child that executes nothing records nothing, and leaves its parent's recording whole")
  func fork() async throws {
    let folder = try TestFolder.make()
    let run = try await FixtureProgram.named("Processes", .release)
      .recorded(["fork"], options: ["--recording", "\(folder)/recording"])
    #expect(run.outcome.end == .exited(0))
    #expect(run.outcome.text == "child ended with 7\n")
    #expect(try run.executor("Worker").jobs == 20)
    #expect(run.summary.processes.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["recording"])
    #expect(try Recording(path: "\(folder)/recording").isFinished)
  }

  @Test("a program that executes another: the document describes what it became, both are recorded")
  func exec() async throws {
    let folder = try TestFolder.make()
    let run = try await FixtureProgram.named("Processes", .release)
      .recorded(["exec"], options: ["--recording", "\(folder)/recording"])
    #expect(run.outcome.end == .exited(0))
    #expect(run.outcome.text == "worked 25\n")
    #expect(try run.executor("Worker").jobs == 25)
    let before = RunSummary(try Recording(path: "\(folder)/recording"))
    #expect(before.executors.first { $0.name == "Worker" }?.jobs == 10)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  @Test("--only describes the process with that name")
  func only() async throws {
    let program = try await FixtureProgram.named("Processes", .release)
    let run = try await Tool.record(
      ["/bin/sh", "-c", "'\(program.path)' work 40; exit 9"], options: ["--only", "Processes"])
    #expect(run.outcome.end == .exited(9))
    #expect(run.summary.process.executable == "Processes")
    #expect(try run.executor("Worker").jobs == 40)
    let nobody = try await Tool.run(["run", "--only", "Nobody", "--", program.path, "work", "5"])
    #expect(nobody.end == .exited(0))
    #expect(nobody.errors.contains("no process named Nobody"))
  }
}

extension String {
  /// Two processes share one output, and print in whichever order they flush.
  fileprivate func sortedLines(like run: Tool.Run) -> String {
    let lines = run.outcome.text.split(separator: "\n").map(String.init)
    return lines.sorted() == split(separator: "\n").map(String.init).sorted() ? run.outcome.text : self
  }
}
