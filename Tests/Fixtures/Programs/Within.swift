import Foundation
import MainstayRecording

/// A program that records itself. Its first argument says how; what it found out goes to stdout, a word and a value a line.
/// So does, for each recording and up to each summary, how many nanoseconds passed but for what was planted, and how long
/// that was: no other job was longer.
@MainActor
final class Field {
  private var began = 0
  private var planted = 0

  func plant(milliseconds: Int) {
    let start = nanoseconds()
    while nanoseconds() < start + milliseconds * 1_000_000 {}
    planted += nanoseconds() - start
  }

  /// From now on the rest is counted.
  func begin() { (began, planted) = (nanoseconds(), 0) }

  func tellRest() {
    print("planted", planted)
    print("rest", nanoseconds() - began - planted)
  }

  func rest(_ times: Int) async {
    for _ in 0..<times { await Task.yield() }
  }
}

func nanoseconds() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

@main
struct Within {
  @MainActor
  static func main() async throws {
    let field = Field()
    let file = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : nil
    switch CommandLine.arguments[1] {
    case "exit":
      try Recording.start()
      await work(field, milliseconds: 60)
      exit(3)
    case "own":
      field.begin()
      try Recording.start(.init(summaryAtExit: false))
      field.plant(milliseconds: 60)
      await field.rest(1)
      field.tellRest()
      tell(try await stop())
    case "stop":
      field.begin()
      print("recorder", try Recording.start(.init(budget: .milliseconds(30), file: file)))
      await work(field, milliseconds: 60)
      field.tellRest()
      let first = try await summary()
      field.begin()
      tell(first)
      await work(field, milliseconds: 40)
      field.tellRest()
      tell(try await stop())
      print("started", Recording.isStarted)
    case "again":
      for milliseconds in [60, 80, 100] {
        field.begin()
        try Recording.start()
        await work(field, milliseconds: milliseconds)
        field.tellRest()
        tell(try await stop())
        await work(field, milliseconds: 25)
      }
    case "twice":
      for _ in 0..<2 {
        do { try Recording.start(.init(summaryAtExit: false)) } catch { print("error", error) }
      }
    case "crash":
      try Recording.start(.init(file: file))
      await work(field, milliseconds: 60)
      kill(getpid(), SIGKILL)
    default: fatalError("an unknown way to record")
    }
  }

  @MainActor
  static func work(_ field: Field, milliseconds: Int) async {
    await Task.detached {  // the task
      await field.plant(milliseconds: milliseconds)
    }.value
  }

  // Naming functions takes its time, which is not the main actor's.
  @concurrent static func summary() async throws -> Recording.Summary { try Recording.summary() }
  @concurrent static func stop() async throws -> Recording.Summary { try Recording.stop() }

  static func tell(_ summary: Recording.Summary) {
    print("jobs", summary.mainActor.jobs)
    print("stalls", summary.stalls.count)
    for stall in summary.stalls {
      print("stall", stall.function, stall.createdAt.map { "\($0.function) \($0.file):\($0.line)" } ?? "nowhere")
      let isPlanted = stall.samples.contains { $0.frames.contains { $0.function == "Field.plant(milliseconds:)" } }
      print("samples", isPlanted ? "of plant" : "of nothing")
    }
    print("created", summary.tasks.created)
    print("complete", summary.selfCheck.complete)
    print("lost", summary.lost.records)
  }
}
