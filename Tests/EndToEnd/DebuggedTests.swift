import Foundation
import MainstayTrace
import Testing

@Suite("A program that is being debugged is recorded", .timeLimit(.minutes(60)))
struct DebuggedTests {
  @Test("one that is well gets no signal")
  func healthy() async throws {
    let run = try await traced("steady")
    #expect(run.outcome.text == "steady\n")
    // A machine that is busy may make a job long, and then it is looked at.
    #expect(run.outcome.number("signals") == 0 || !run.summary.stalls.isEmpty, "\(run.outcome.errors)")
    #expect(run.summary.mainActor.jobs >= 52)
  }

  @Test("one that stalls is looked at through its debugger")
  func stalls() async throws {
    var run = try await traced("alternate")
    // Whoever looks may get no processor in time.
    for _ in 0..<20 where run.samples(of: "compute(milliseconds:)").isEmpty { run = try await traced("alternate") }
    #expect(run.outcome.text == "back on the usual stack\n")
    #expect((run.outcome.number("signals") ?? 0) > 0, "\(run.outcome.errors)")
    #expect(!run.samples(of: "compute(milliseconds:)").isEmpty, "\(run.outcome.errors)")
  }

  @Test("one that is held at a breakpoint has not stalled")
  func held() async throws {
    let run = try await traced("held")
    #expect(run.outcome.text == "hold\nreleased\n")
    // No job was longer than all that passed while it was not held.
    let rest = try run.restMilliseconds + 1
    #expect(
      run.summary.stalls.allSatisfy { $0.lengthMilliseconds < rest }, "\(run.summary.stalls.map(\.lengthMilliseconds))")
    #expect(run.outcome.errors.contains("in which the whole process did not run"), "\(run.outcome.errors)")
  }

  private func traced(_ what: String) async throws -> Tool.Run {
    let program = try await FixtureProgram.named("Unusual", .debug)
    let tracer = try await Self.tracer.value
    let run = try await Tool.record([tracer, program.path, what], options: ["--only", "Unusual"])
    #expect(run.outcome.end == .exited(0), "\(run.outcome.errors)")
    return run
  }

  private static let tracer = Task {
    let output = "\(try TestFolder.make())/Tracer"
    let compiler = try await Subprocess(
      executable: "/usr/bin/env",
      arguments: [
        "clang", "-Wall", "-Wextra", "-O1", "\(TestFolder.fixtures)/Programs/debugger/Tracer.c", "-o", output,
      ]
    ).run()
    try #require(compiler.end == .exited(0), "\(compiler.errors)")
    return output
  }
}
