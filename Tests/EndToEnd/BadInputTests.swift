import Foundation
import MainstayTrace
import Testing

@Suite("What cannot be run or recorded is refused clearly", .timeLimit(.minutes(60)))
struct BadInputTests {
  @Test("a program that is missing, a folder, a text or not executable: named, status 4")
  func programs() async throws {
    let folder = try TestFolder.make()
    let text = "\(folder)/text"
    try "this is no program\n".write(toFile: text, atomically: true, encoding: .utf8)
    try await refuse([text], 4, "may not be executed", "chmod +x")
    try await TestFolder.makeExecutable(text, holding: Data("this is no program\n".utf8))
    try await refuse([text], 4, text, "exec format")
    try await refuse([folder], 4, "\(folder) is a folder")
    try await refuse(["\(folder)/missing"], 4, "there is no program at \(folder)/missing")
    try await refuse(["mainstay-no-such-program"], 4, "'mainstay-no-such-program' on PATH")
  }

  @Test("a program for another machine: said, status 4")
  func otherMachine() async throws {
    let path = "\(try TestFolder.make())/arm"
    // The header of an executable for AArch64 (machine 183) and nothing in it.
    var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0] + Array(repeating: 0, count: 8)
    header += [2, 0, 183, 0, 1, 0, 0, 0] + Array(repeating: 0, count: 28)
    header += [64, 0, 56, 0, 0, 0, 64, 0, 0, 0, 0, 0]
    try #require(header.count == 64)
    try await TestFolder.makeExecutable(path, holding: Data(header))
    let outcome = try await refuse([path], 4, "it is not built for x86-64")
    #expect(outcome.errors.contains("exec format"))
  }

  @Test("a program that is not Swift runs, and is said not to be recorded")
  func notSwift() async throws {
    let outcome = try await Tool.run(["run", "--", "/bin/sh", "-c", "echo out; echo err >&2; exit 6"])
    #expect(outcome.end == .exited(6))
    #expect(outcome.text == "out\n")
    #expect(outcome.errors.hasPrefix("err\n"))
    #expect(outcome.errors.contains("does not load the Swift concurrency runtime"))
  }

  @Test(
    "options that say nothing: the option is named, status 3",
    arguments: [
      (["--hz", "0"], "--hz 0"), (["--hz", "fast"], "--hz fast"), (["--hz", "-60"], "--hz -60"),
      (["--hz", "100000000000000000000"], "--hz 100000000000000000000"),
      (["--budget", "nonsense"], "--budget nonsense"),
      (["--budget", "16"], "--budget 16"), (["--budget", "0ms"], "--budget 0ms"),
      (["--budget", "-5ms"], "--budget -5ms"),
      (["--budget", "1e400s"], "--budget 1e400s"), (["--budget", "nanms"], "--budget nanms"),
      (["--memory", "1K"], "--memory 1K"), (["--memory", "much"], "--memory much"),
      (["--memory", "99999999999999999999G"], "--memory"), (["--speed", "9"], "'--speed'"),
      (["--quiet=yes"], "--quiet takes no value"), (["--json"], "--json needs"), (["--json", "-"], "write './-'"),
    ])
  func options(options: [String], message: String) async throws {
    let outcome = try await Tool.run(["run"] + options + ["--", "/bin/echo", "ran"])
    #expect(outcome.end == .exited(3))
    #expect(outcome.text == "", "the program must not run")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.errors.contains("mainstay run --help"))
  }

  @Test(
    "what is said at a narrow terminal is broken between its words",
    arguments: [
      ["run", "--", "/bin/true"], ["run", "--bogus"], ["report", "/missing"], ["walk"], ["doctor", "/bin/sh"],
    ])
  func narrow(arguments: [String]) async throws {
    try await Lanes.shared.run {
      let terminal = try Terminal([Tool.path] + arguments, environment: ["TERM": "dumb"], columns: 40)
      _ = terminal.wait()
      let lines = terminal.text.components(separatedBy: "\r\n")
      // A path is not broken, for nobody could copy it.
      let long = lines.filter { $0.count > 40 && !$0.contains("/") }
      #expect(lines.count > 2 && long == [], "\(terminal.text)")
    }
  }

  @Test("no program, no command, a command that does not exist: status 3")
  func commands() async throws {
    for arguments in [["run"], ["run", "--"], ["run", "--quiet", "--"], [], ["walk"]] {
      let outcome = try await Tool.run(arguments)
      #expect(outcome.end == .exited(3), "\(arguments)")
      #expect(outcome.text == "")
      #expect(outcome.errors.contains("mainstay"))
    }
    for arguments in [["--help"], ["run", "--help"], ["help", "run"], ["--version"]] {
      let outcome = try await Tool.run(arguments)
      #expect(outcome.end == .exited(0), "\(arguments)")
      #expect(!outcome.text.isEmpty && outcome.errors == "")
    }
  }

  @Test("files that cannot be written: named with the option before the program runs, status 4")
  func files() async throws {
    let folder = try TestFolder.make()
    let foreign = "\(folder)/letter"
    try "my letter".write(toFile: foreign, atomically: true, encoding: .utf8)
    for (options, message) in [
      (["--json", "\(folder)/missing/run.json"], "--json \(folder)/missing/run.json"),
      (["--json", folder], "--json \(folder)"),
      (["--recording", "\(folder)/missing/recording"], "--recording \(folder)/missing/recording"),
      (["--recording", foreign], foreign), (["--recording", "/dev/full"], "/dev/full"),
    ] {
      let outcome = try await Tool.run(["run"] + options + ["--", "/bin/echo", "ran"])
      #expect(outcome.end == .exited(4), "\(options)")
      #expect(outcome.text == "", "the program must not run: \(options)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
    #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "my letter")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["letter"])
  }

  @Test("an earlier document makes way: where nothing was observed, nobody takes it for this run's")
  func staleDocument() async throws {
    let folder = try TestFolder.make()
    let (json, link) = ("\(folder)/run.json", "\(folder)/link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder)/behind.json")
    for file in [json, "\(folder)/behind.json"] { try "{}".write(toFile: file, atomically: true, encoding: .utf8) }
    for file in [json, link] {
      let outcome = try await Tool.run(["run", "--json", file, "--", "/bin/echo", "ran"])
      #expect(outcome.end == .exited(0) && outcome.text == "ran\n")
    }
    #expect(!FileManager.default.fileExists(atPath: json))
    #expect(FileManager.default.contents(atPath: link) == Data())
    // Of a program that is not there nothing is known either way.
    try "{}".write(toFile: json, atomically: true, encoding: .utf8)
    _ = try await Tool.run(["run", "--json", json, "--", "\(folder)/missing"])
    #expect(FileManager.default.contents(atPath: json) == Data("{}".utf8))
  }

  @Test("an earlier recording makes way for the next one")
  func again() async throws {
    let file = "\(try TestFolder.make())/recording"
    let program = try await FixtureProgram.named("RoundTrips", .release)
    for trips in [10, 20] {
      let run = try await program.recorded([String(trips)], options: ["--recording", file])
      #expect(run.summary.mainActor.jobs == trips + 1)
      #expect(RunSummary(try Recording(path: file)).mainActor.jobs == trips + 1)
    }
  }

  @Test("a disk without room leaves the program unharmed, and is said")
  func fullDisk() async throws {
    let program = try await FixtureProgram.named("RoundTrips", .release)
    for (size, isRecorded) in [("64k", false), ("2560k", true)] {
      guard let disk = try await SmallDisk(size) else {
        try #require(ProcessInfo.processInfo.environment["CI"] == nil, "CI must be able to mount a file system")
        print("SKIPPED: no file system can be mounted here, so a full disk was not tried")
        return
      }
      let outcome = try await Tool.run(["run", "--recording", "\(disk.path)/recording", "--", program.path, "200000"])
      #expect(outcome.end == .exited(0), "\(size): \(outcome.errors)")
      #expect(outcome.text == "200000\n")
      if isRecorded {
        // The tables fit, most blocks do not: single records are lost, the totals are not.
        let summary = RunSummary(try Recording(path: "\(disk.path)/recording"))
        #expect(summary.mainActor.jobs == 200_001)
        #expect(summary.executors.first { $0.name == "Counter" }?.jobs == 200_000)
      } else {
        #expect(outcome.errors.contains("could not write its recording"), "\(outcome.errors)")
      }
      await disk.unmount()
    }
  }

  @discardableResult
  private func refuse(_ command: [String], _ status: Int32, _ messages: String...) async throws -> Subprocess.Outcome {
    let outcome = try await Tool.run(["run", "--"] + command)
    #expect(outcome.end == .exited(status), "\(command): \(outcome.errors)")
    #expect(outcome.text == "")
    for message in messages { #expect(outcome.errors.contains(message), "\(outcome.errors)") }
    return outcome
  }
}

/// A file system in memory with room for so much, where this process may mount one.
private struct SmallDisk {
  let path: String

  init?(_ size: String) async throws {
    path = try TestFolder.make()
    let mount = try await Subprocess(
      executable: "/usr/bin/env", arguments: ["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path]
    ).run()
    guard mount.end == .exited(0) else { return nil }
  }

  func unmount() async {
    _ = try? await Subprocess(executable: "/usr/bin/env", arguments: ["umount", path]).run()
  }
}
