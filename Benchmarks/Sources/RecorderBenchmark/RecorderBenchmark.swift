import Foundation

/// Measures what recording costs, each figure beside its target and with its method.
///
/// Run on a machine that does nothing else: `make bench`.
@main
struct RecorderBenchmark {
  static func main() {
    do {
      try measure()
    } catch {
      print("recorder-benchmarks: \(error)")
      exit(1)
    }
  }

  private static func measure() throws {
    guard CommandLine.arguments.count >= 3 else {
      print("usage: RecorderBenchmark TOOL PROGRAMS [FIGURE…]")
      exit(3)
    }
    let bench = try Workbench(
      tool: CommandLine.arguments[1], programs: URL(fileURLWithPath: CommandLine.arguments[2]))
    defer { bench.remove() }
    let figures: [(String, (Workbench) throws -> [Figure])] = [
      ("job", jobCost), ("inline", inlineCost), ("size", size), ("start", start), ("length", lengths),
      ("memory", memory), ("stalls", stalls), ("disturbance", disturbance), ("healthy", healthy), ("status", status),
    ]
    let wanted = CommandLine.arguments.dropFirst(3)
    for (name, measure) in figures where wanted.isEmpty || wanted.contains(name) {
      for figure in try measure(bench) { FileHandle.standardOutput.write(Data((figure.line + "\n").utf8)) }
    }
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted.count % 2 == 1
      ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
  }

  /// Both ways in turn, so that what the machine does otherwise hits both.
  private static func pairs(_ bench: Workbench, _ program: String) throws -> (off: [Double], on: [Double]) {
    var off: [Double] = []
    var on: [Double] = []
    for _ in 0..<21 {
      off.append(try bench.program(program, pinned: true).numbers[0])
      on.append(try bench.program(program, recording: "pair", pinned: true).numbers[0])
    }
    return (off, on)
  }

  private static func jobCost(_ bench: Workbench) throws -> [Figure] {
    let (off, on) = try pairs(bench, "roundtrip")
    let cost = median(zip(on, off).map { ($0 - $1) / 2 })
    return [
      Figure(
        "cost of a job", cost, "ns", atMost: 80,
        "200,000 main↔actor round trips of two jobs on one CPU, median of 21 interleaved pairs; off \(Int(median(off))) ns a round trip, on \(Int(median(on))) ns, ratio \(ratio(median(on), median(off)))"
      )
    ]
  }

  private static func inlineCost(_ bench: Workbench) throws -> [Figure] {
    let (off, on) = try pairs(bench, "inline")
    let cost = median(zip(on, off).map { ($0 - $1) / 2 })
    return [
      Figure(
        "cost of an inline segment", cost, "ns", atMost: 60,
        "1,000,000 turns to an idle actor and back, two segments each, on one CPU, median of 21 interleaved pairs; off \(median(off)) ns a turn, on \(median(on)) ns"
      )
    ]
  }

  private static func size(_ bench: Workbench) throws -> [Figure] {
    _ = try bench.program("roundtrip", recording: "size")
    let summary = try bench.summary("size")
    let jobs = (summary["executors"] as? [[String: Any]] ?? []).compactMap { $0["jobs"] as? Int }.reduce(0, +)
    return [
      Figure(
        "size of a recording ÷ jobs", Double(try bench.size("size")) / Double(jobs), "bytes", atMost: 32,
        "the round-trip program, \(jobs) jobs, all kept")
    ]
  }

  private static func start(_ bench: Workbench) throws -> [Figure] {
    func added(_ command: [String], _ label: String, _ limit: Double) -> Figure {
      let plain = ["PATH": "/usr/bin:/bin"]
      let recording = bench.file("start")
      let loaded = plain.merging([
        "LD_PRELOAD": bench.recorder, "MAINSTAY_RECORDING": recording, "MAINSTAY_PARENT": String(getpid()),
      ]) { $1 }
      var differences: [Double] = []
      for _ in 0..<101 {
        let off = bench.spawn(command, environment: plain)
        unlink(recording)
        differences.append((bench.spawn(command, environment: loaded) - off) * 1e3)
      }
      return Figure(
        "start-up, \(label)", median(differences), "ms", atMost: limit,
        "from spawn to exit with and without the recorder, median of 101 interleaved pairs")
    }
    return [
      added([try bench.build("hello")], "Swift", 2), added(["/bin/true"], "not Swift", 0.3),
    ]
  }

  private static func lengths(_ bench: Workbench) throws -> [Figure] {
    let truth = try bench.program("planted", recording: "planted").numbers
    let planted = stride(from: 0, to: truth.count - 1, by: 2).map { truth[$0 + 1] / 1e6 }
    let stalls = (try bench.summary("planted")["stalls"] as? [[String: Any]] ?? [])
      .sorted { ($0["startSeconds"] as? Double ?? 0) < ($1["startSeconds"] as? Double ?? 0) }
    let measured = stalls.compactMap { $0["lengthMilliseconds"] as? Double }
    let dropped = stalls.compactMap { $0["droppedFrames"] as? Int }
    guard measured.count == planted.count else {
      return [
        Figure("planted jobs found", Double(measured.count), "of \(planted.count)", atLeast: Double(planted.count), "")
      ]
    }
    let errors = zip(measured, planted).map { abs($0 - $1) }
    let interval = 1000.0 / 60
    let wrong = zip(dropped, planted).filter { $0 != Int(($1 / interval).rounded(.up)) - 1 }.count
    let method = "40 main-actor jobs of 20 to 210 ms against CLOCK_MONOTONIC read inside the job"
    return [
      Figure("error of a job's length, median", median(errors), "ms", atMost: 0.2, method),
      Figure("error of a job's length, worst", errors.max() ?? .nan, "ms", atMost: 1, method),
      Figure("dropped frames other than the formula's", Double(wrong), "of 40", atMost: 0, method),
    ]
  }

  private static func memory(_ bench: Workbench) throws -> [Figure] {
    func jobs(_ recording: String, on name: String? = nil) throws -> Int {
      (try bench.summary(recording)["executors"] as? [[String: Any]] ?? [])
        .filter { name == nil || $0["name"] as? String == name }.compactMap { $0["jobs"] as? Int }.reduce(0, +)
    }
    let visits = Int(try bench.program("millions", recording: "small", memory: "64M").numbers[0])
    // The program asks each of the eight actors once more for its total.
    let wrong = abs(try jobs("small", on: "Worker") - visits - 8)
    let all = try jobs("small")
    let small = try bench.size("small")
    _ = try bench.program("millions", recording: "large", memory: "400M")
    let kept = (try bench.summary("large")["notVisible"] as? [String] ?? []).contains { $0.hasPrefix("single records") }
    let start = ContinuousClock.now
    _ = try bench.run([bench.tool, "report", bench.file("large")])
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let jobsText = "\(all) jobs, \(visits) of them counted by the program itself"
    return [
      Figure("jobs within --memory 64M", Double(all), "", atLeast: 10_000_000, jobsText),
      Figure(
        "jobs miscounted when records were overwritten", Double(wrong), "", atMost: 0,
        "recording \(small / 1_000_000) MB"),
      Figure(
        "jobs not kept with --memory 400M", kept ? 1 : 0, "", atMost: 0,
        "recording \(try bench.size("large") / 1_000_000) MB"),
      Figure("summary of all of them", seconds, "s", atMost: 5, "'mainstay report', once, from start to exit"),
    ]
  }

  private static func ratio(_ a: Double, _ b: Double) -> String { String(format: "%.3f", a / b) }
}

/// One measured figure and the limit it must keep.
struct Figure {
  let line: String

  init(_ name: String, _ value: Double, _ unit: String, atMost limit: Double, _ method: String) {
    line = Self.line(name, value, unit, "≤ \(Self.text(limit))", value <= limit, method)
  }

  init(_ name: String, _ value: Double, _ unit: String, atLeast limit: Double, _ method: String) {
    line = Self.line(name, value, unit, "≥ \(Self.text(limit))", value >= limit, method)
  }

  private static func line(
    _ name: String, _ value: Double, _ unit: String, _ limit: String, _ holds: Bool, _ method: String
  ) -> String {
    "\(holds ? "holds " : "MISSED") \(name): \(text(value)) \(unit) (\(limit))\n       \(method)"
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15
      ? String(Int(value)) : String(format: abs(value) < 1 ? "%.3f" : "%.1f", value)
  }
}
