import Foundation
import Testing

/// The main actor under GLib's loop, in a process of its own for each scenario.
@Suite("The main actor under GLib's loop", .timeLimit(.minutes(10)))
struct GLibMainActorTests {
  @Test("tasks run on the main thread, and come back to it after an await, a sleep and a group")
  func tasks() async throws {
    #expect(
      try await probe("tasks") == [
        "task on main: true", "left main: true, back on main: true", "after sleep on main: true",
        "sum of children on main: 5050",
      ])
  }

  @Test("blocks of the main queue run, those enqueued before it was attached and those that a worker waits for")
  func blocks() async throws {
    #expect(try await probe("blocks") == ["enqueued before attach", "sync from a worker on main: true"])
  }

  @Test("timers on the main queue fire on the main thread")
  func timers() async throws {
    #expect(try await probe("timers") == ["beats on main: 5 true"])
  }

  @Test("a loop nested in a job runs handlers but no other job, and what was enqueued meanwhile is not forgotten")
  func nestedInJob() async throws {
    #expect(
      try await probe("nested-in-job") == [
        "within the job: handler true, inner false", "inner ran after the outer job",
      ]
    )
  }

  @Test("a loop nested in a handler of GLib's runs jobs")
  func nestedInHandler() async throws {
    #expect(try await probe("nested-in-handler") == ["within the handler: inner true"])
  }

  @Test("jobs of before, during and after a nested loop run in the order of the queue")
  func nestedOrder() async throws {
    #expect(try await probe("nested-order") == ["handler, before, during, block, handler ends, after"])
  }

  @Test("a job that nests a loop within a loop that a handler nests is a job all the same: its own jobs wait for it")
  func nestedDeep() async throws {
    #expect(try await probe("nested-deep") == ["outer, inner"])
  }

  @Test("detached within a nested loop, it runs nothing more and loses nothing")
  func detachNested() async throws {
    #expect(
      try await probe("detach-nested") == ["while detached: detaches", "attached again: detaches, later"])
  }

  @Test("a loop that ends leaves the rest of the work to the loop that runs next, in order")
  func quitEarly() async throws {
    #expect(try await probe("quit-early") == ["after the end: 0", "in a later loop, in order: true"])
  }

  @Test("quitting from within a nested loop ends the outer one when the nested one has been left")
  func quitNested() async throws {
    #expect(try await probe("quit-nested") == ["left the nested loop", "left the outer loop"])
  }

  @Test("a program that closes awaits what must not be lost, and ends then")
  func close() async throws {
    #expect(try await probe("close") == ["saved true, then quit"])
  }

  @Test("what each thread enqueues runs in its order, and tasks and blocks of one thread in theirs")
  func order() async throws {
    #expect(try await probe("order") == ["in order: true", "tasks and blocks in order: true"])
  }

  @Test("detached it runs nothing and loses nothing: attached again, the rest runs")
  func shutdown() async throws {
    #expect(
      try await probe("shutdown") == [
        "attached false: first", "attached true: first, while detached, block while detached",
      ])
  }

  @Test("a main actor that never pauses leaves the loop time to redraw")
  func flood() async throws {
    #expect(try await probe("flood") == ["draws during a flood of jobs: 10"])
  }

  @Test("attaching off the main thread is refused with the reason, and changes nothing")
  func offMain() async throws {
    #expect(
      try await probe("off-main") == [
        "GLibMainActor: this is not the main thread. Make main() synchronous: an async main leaves that thread at its"
          + " first suspension.", "attached: false",
      ])
  }

  @Test("without it main-actor tasks never run under GLib's loop")
  func without() async throws {
    #expect(try await probe("without") == ["ran without attach: false"])
  }

  @Test("attaching twice is attaching once")
  func twice() async throws {
    #expect(try await probe("twice") == ["runs: 1"])
  }

  @Test("an observer is told of every stretch of jobs and every turn of the loop, until it is taken away")
  func observer() async throws {
    #expect(
      try await probe("observer") == [
        "planted job of 30 ms seen: true", "turns with the job and with the handler seen: true",
        "turns told afterwards: 0",
      ])
  }

  /// The lines that a scenario printed.
  private func probe(_ scenario: String) async throws -> [String] {
    let process = Process()
    process.executableURL = try Built.program("PumpProbe")
    process.arguments = [scenario]
    let output = Pipe()
    process.standardOutput = output
    let (ended, end) = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { process in
      end.yield(process.terminationStatus)
      end.finish()
    }
    try process.run()
    let pid = process.processIdentifier
    var status: Int32?
    await withTaskCancellationHandler {
      for await ended in ended { status = ended }
    } onCancel: {
      kill(pid, SIGKILL)
    }
    #expect(status == 0)
    // A scenario prints less than a pipe holds, so it never waits for this.
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }
}

/// Where SwiftPM puts what it builds: beside this test bundle.
enum Built {
  static func program(_ name: String) throws -> URL {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: name)
  }
}
