import Foundation
import MainstayTrace
import Testing

@Suite("A recorded program does what it does unrecorded", .timeLimit(.minutes(60)))
struct PassThroughTests {
  static let programs: [(String, [String])] = [
    ("RoundTrips", ["20000"]), ("TopLevel", []), ("DispatchMain", []), ("RunLoopMain", []), ("ForeignLoop", []),
    ("Endings", ["return"]), ("Endings", ["exit"]), ("Endings", ["_exit"]), ("Endings", ["abort"]), ("Endings", ["9"]),
    ("Processes", ["work", "10"]), ("Processes", ["other"]), ("Processes", ["fork"]), ("Processes", ["exec"]),
    ("Executors", []), ("Tasks", []), ("Immediate", []), ("Blocks", []), ("Planted", []),
    ("PassThrough", ["arguments", "--json", "a b", "", "ü$'\"\\"]), ("PassThrough", ["nothing"]),
  ]

  @Test("its output and status are the same byte for byte", arguments: programs, FixtureProgram.Build.usual)
  func same(program: (String, [String]), build: FixtureProgram.Build) async throws {
    let fixture = try await FixtureProgram.named(program.0, build)
    let environment: [String: String?] = ["SWIFT_BACKTRACE": "enable=no"]
    let plain = try await fixture.run(program.1, environment: environment)
    let recorded = try await Tool.run(
      ["run", "--quiet", "--", fixture.path] + program.1, environment: environment)
    #expect(recorded.output == plain.output)
    switch plain.end {
    case .exited(let code): #expect(recorded.end == .exited(code))
    case .killed(let signal): #expect(recorded.end == .exited(128 + signal))
    }
    // What it writes to stderr is its own too, whatever it measured of itself.
    #expect(recorded.errors.split(separator: " ").first == plain.errors.split(separator: " ").first)
  }

  @Test("its input is its own")
  func input() async throws {
    let text = Data((1...5000).map { "line \($0)\n" }.joined().utf8) + Data("no newline at the end".utf8)
    let run = try await FixtureProgram.named("PassThrough", .release).recorded(["echo"], input: text)
    #expect(run.outcome.output == text)
    #expect(run.outcome.end == .exited(0))
    #expect(run.summary.mainActor.jobs == 5003)
  }

  @Test("50 MB of output arrive whole")
  func flood() async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    let run = try await program.recorded(["flood"])
    #expect(run.outcome.output.count == 800 * 65536)
    let chunk = Data((0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    #expect(run.outcome.output.prefix(65536) == chunk && run.outcome.output.suffix(65536) == chunk)
  }

  @Test("50 MB of output into a pipe whose reader stops early end as they do unrecorded")
  func brokenPipe() async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    func ending(_ command: String) async throws -> String {
      // The first two bytes, and how the writer ended.
      let script = "(\(command) flood; echo $? >&2) | head -c 2 | od -An -tx1"
      let outcome = try await Subprocess(
        executable: "/bin/sh", arguments: ["-c", script], environment: ["SWIFT_BACKTRACE": "enable=no"]
      ).run()
      return outcome.text + outcome.errors
    }
    let plain = try await ending("'\(program.path)'")
    let recorded = try await ending("'\(Tool.path)' run --quiet -- '\(program.path)'")
    #expect(plain == recorded)
  }

  @Test("signals that reach mainstay reach the program", arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
  func signals(signal: Int32) async throws {
    let program = try await FixtureProgram.named("PassThrough", .release)
    try await Lanes.shared.run {
      let process = Process()
      process.executableURL = URL(filePath: Tool.path)
      process.arguments = ["run", "--quiet", "--", program.path, "signal"]
      let output = Pipe()
      process.standardOutput = output
      let running = try Subprocess.Running(process)
      let (chunks, sink) = AsyncStream<Data>.makeStream()
      output.fileHandleForReading.readabilityHandler = { handle in
        let data = handle.availableData
        if data.isEmpty {
          handle.readabilityHandler = nil
          sink.finish()
        } else {
          sink.yield(data)
        }
      }
      var text = Data()
      var isReady = false
      for await chunk in chunks {
        text += chunk
        if !isReady && text == Data("ready\n".utf8) {
          isReady = true
          kill(running.pid, signal)
        }
      }
      let end = await running.wait()
      #expect(String(decoding: text, as: UTF8.self) == "ready\ngot \(signal)\n")
      #expect(end == .exited(40 + signal))
    }
  }
}
