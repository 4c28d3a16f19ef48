import Foundation
import Testing

@Suite("The doctor says what can be recorded", .timeLimit(.minutes(60)))
struct DoctorTests {
  @Test("here: every kind of event is really recorded and seen, status 0")
  func here() async throws {
    let outcome = try await Tool.run(["doctor"])
    #expect(outcome.end == .exited(0), "\(outcome.text)")
    #expect(outcome.errors == "")
    for subject in [
      "Toolchain", "System", "Recorder", "Events", "libmainstay-recorder.so", "libswift_Concurrency.so", "layout 1",
      "task created, and where", "job enqueued", "executor of a queue", "job started", "function of a job",
      "suspended at a hop", "hop made inline", "continuation", "task cancelled", "task completed",
      "exact end of a job", "main-queue block",
    ] {
      let line = outcome.text.split(separator: "\n").first { $0.contains(subject) }
      #expect(line != nil, "\(subject) is missing: \(outcome.text)")
      #expect(line?.contains("not seen") == false, "\(outcome.text)")
    }
  }

  @Test("without the recorder: recording cannot work, named with what to do, status 4")
  func noRecorder() async throws {
    let outcome = try await Tool.run(["doctor"], environment: ["MAINSTAY_RECORDER": "/nowhere/recorder.so"])
    #expect(outcome.end == .exited(4))
    #expect(outcome.text.contains("/nowhere/recorder.so"))
    #expect(outcome.text.contains("→ Build it with 'swift build'"), "\(outcome.text)")
  }

  @Test("a library that records nothing in the recorder's place: the probe tells, status 4")
  func wrongRecorder() async throws {
    let text = "\(try TestFolder.make())/recorder.so"
    try "no library".write(toFile: text, atomically: true, encoding: .utf8)
    let outcome = try await Tool.run(["doctor"], environment: ["MAINSTAY_RECORDER": text])
    #expect(outcome.end == .exited(4))
    let words = outcome.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("the recorder was not loaded into it"), "\(outcome.text)")
  }

  @Test("without a toolchain on PATH and with a wrong symboliser: recording works, with less, status 0")
  func noToolchain() async throws {
    let outcome = try await Tool.run(
      ["doctor"], environment: ["PATH": "/nowhere", "MAINSTAY_SYMBOLIZER": "/nowhere/llvm-symbolizer"])
    #expect(outcome.end == .exited(0))
    #expect(outcome.text.contains("not on PATH"))
    #expect(outcome.text.contains("/nowhere/llvm-symbolizer could not be started"))
    #expect(outcome.text.contains("with less than everything"))
  }

  @Test(
    "of a program: what its file says, and it is never run",
    arguments: [
      (FixtureProgram.Build.debug, Int32(0), "functions with file and line"),
      (.withStaticRuntime, 0, "linked statically"), (.withStrippedStaticRuntime, 4, "linked statically and stripped"),
      (.withThreadSanitizer, 4, "ThreadSanitizer"),
    ])
  func program(build: FixtureProgram.Build, status: Int32, message: String) async throws {
    let program = try await FixtureProgram.named("RoundTrips", build)
    let outcome = try await Tool.run(["doctor", program.path])
    #expect(outcome.end == .exited(status), "\(outcome.text)")
    #expect(outcome.text.contains(message), "\(outcome.text)")
    #expect(outcome.text.contains("\(program.path) can\(status == 0 ? "" : "not") be recorded"), "\(outcome.text)")
  }

  @Test("a program is looked at and not run, whatever it is")
  func notRun() async throws {
    let folder = try TestFolder.make()
    let script = "\(folder)/script"
    try "#!/bin/sh\ntouch '\(folder)/ran'\n".write(toFile: script, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let outcome = try await Tool.run(["doctor", script])
    #expect(outcome.end == .exited(0))
    #expect(outcome.text.contains("a script"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/ran"))
    let other = try await Tool.run(["doctor", "/bin/sh"])
    #expect(other.end == .exited(0))
    #expect(other.text.contains("not a Swift program"))
    #expect(other.text.contains("/bin/sh itself has nothing to record, as far as its file says"), "\(other.text)")
    let missing = try await Tool.run(["doctor", "\(folder)/missing"])
    #expect(missing.end == .exited(4))
    #expect(missing.text.contains("\(folder)/missing"))
  }

  @Test("two programs or an option that is none: status 3")
  func usage() async throws {
    for (arguments, message) in [(["a", "b"], "'a' and 'b'"), (["--fix"], "'--fix'")] {
      let outcome = try await Tool.run(["doctor"] + arguments)
      #expect(outcome.end == .exited(3))
      #expect(outcome.text == "")
      #expect(outcome.errors.contains(message))
    }
  }

  @Test("the probe's subcommand is not listed")
  func hidden() async throws {
    let outcome = try await Tool.run(["--help"])
    #expect(outcome.text.contains("doctor"))
    #expect(!outcome.text.contains("doctor-probe"))
  }
}
