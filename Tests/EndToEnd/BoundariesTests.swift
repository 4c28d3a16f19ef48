import Foundation
import MainstayTrace
import Testing

/// `mainstay boundaries` on documents as runs write them.
@Suite("mainstay boundaries", .timeLimit(.minutes(60)))
struct BoundariesTests {
  @Test("adds up several runs, and names what was never exercised")
  func merge() async throws {
    let folder = try TestFolder.make()
    let paths = try (1...3).map { number in
      try write(
        [
          boundary("feed states", "observe calls back on main", onMain: 13_333 - (number == 3 ? 1 : 0)),
          boundary("errors", "reported on main", onMain: 0),
          boundary("progress", "from anywhere", onMain: 1, offMain: 1, queue: "thread 'feed-worker'"),
        ], pid: number, to: "\(folder)/\(number).json")
    }
    let text = try await Tool.run(["boundaries", "--merge"] + paths)
    #expect(text.end == .exited(0) && text.errors.isEmpty)
    #expect(text.text.hasPrefix("40,004 callbacks in 3 runs."))
    #expect(text.text.contains("  feed states     39,998   39,998         0            0             0  3 of 3\n"))
    #expect(text.text.contains("off main from thread 'feed-worker'"))
    #expect(
      text.text.contains("Never exercised, so nothing is known of them:\n  errors, in 3 runs\n    reported on main"))

    let json = try await Tool.run(["boundaries", "--merge", "--format", "json"] + paths)
    let document = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
    #expect(document["schema"] as? String == "mainstay.boundaries/1")
    #expect(document["runs"] as? Int == 3)
    let rows = try #require(document["boundaries"] as? [[String: Any]])
    #expect(rows.map { $0["callbacks"] as? Int } == [0, 39_998, 6])
    #expect(rows.map { $0["exercised"] as? Bool } == [false, true, true])
  }

  @Test("a run that is named twice counts once, and says so")
  func twice() async throws {
    let folder = try TestFolder.make()
    let path = try write([boundary("states", "on main", onMain: 5)], pid: 1, to: "\(folder)/1.json")
    let copy = "\(folder)/copy.json"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    for paths in [[path, path], [path, copy]] {
      let outcome = try await Tool.run(["boundaries", "--merge"] + paths)
      #expect(outcome.end == .exited(0))
      #expect(outcome.text.hasPrefix("5 callbacks in 1 run."))
      #expect(outcome.errors.contains("\(paths[1]) is a run that was counted already"))
    }
  }

  @Test("what cannot be read or added up is named, and nothing is printed")
  func damaged() async throws {
    let folder = try TestFolder.make()
    let good = try write([boundary("states", "on main", onMain: 5)], pid: 1, to: "\(folder)/good.json")
    let none = try write([], pid: 2, to: "\(folder)/none.json")
    let negative = try write([boundary("states", "on main", onMain: -5)], pid: 3, to: "\(folder)/negative.json")
    let foreign = "\(folder)/foreign.json"
    try Data(#"{"schema": "mainstay.audit/1"}"#.utf8).write(to: URL(filePath: foreign))
    let cut = "\(folder)/cut.json"
    try Data(contentsOf: URL(filePath: good)).prefix(200).write(to: URL(filePath: cut))
    for (paths, message) in [
      (["\(folder)/missing.json"], "missing.json"), ([good, cut], "cut.json is"), ([good, foreign], "its schema is"),
      ([good, negative], "negative.json is damaged: boundary 'states': -5 callbacks is no count"),
      ([folder], folder), ([none], "no boundary was seen in this run"),
    ] {
      let outcome = try await Tool.run(["boundaries", "--merge"] + paths)
      #expect(outcome.end == .exited(4), "\(message)")
      #expect(outcome.text.isEmpty)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
    let partly = try await Tool.run(["boundaries", "--merge", good, none])
    #expect(partly.end == .exited(0))
    #expect(partly.text.contains("Note: no boundary was seen in 1 run."))
  }

  @Test("names of a program's own command no terminal")
  func controls() async throws {
    let folder = try TestFolder.make()
    let path = try write([boundary("\u{1B}[31mred\u{7}", "on\u{1B}]0;main", onMain: 5)], pid: 1, to: "\(folder)/1.json")
    let outcome = try await Tool.run(["boundaries", path])
    #expect(outcome.end == .exited(0))
    #expect(outcome.text.contains("[31mred"))
    #expect(!outcome.text.contains("\u{1B}") && !outcome.text.contains("\u{7}"))
  }

  @Test("bad usage says what would be right")
  func usage() async throws {
    for (arguments, message) in [
      ([], "no report was named"), (["--merge"], "no report was named"), (["a", "b"], "add them up with --merge"),
      (["--format", "xml", "a"], "'xml' is neither text nor json"), (["--sum", "a"], "no option '--sum'"),
    ] {
      let outcome = try await Tool.run(["boundaries"] + arguments)
      #expect(outcome.end == .exited(3) && outcome.errors.contains(message), "\(outcome.errors)")
    }
  }

  private func boundary(
    _ name: String, _ contract: String, onMain: Int, offMain: Int = 0, queue: String? = nil
  ) -> [String: Any] {
    [
      "name": name, "contract": contract, "callbacks": onMain + offMain, "onMain": onMain, "offMain": offMain,
      "cannotTell": 0, "inversions": 0, "queues": queue.map { [$0] } ?? [], "exercised": onMain + offMain > 0,
      "p50Milliseconds": NSNull(), "p99Milliseconds": NSNull(),
    ]
  }

  private func write(_ boundaries: [[String: Any]], pid: Int, to path: String) throws -> String {
    let run: [String: Any] = [
      "schema": "mainstay.run/1",
      "process": [
        "pid": pid, "executable": "gallery", "arguments": [String](), "durationSeconds": 1, "exitStatus": 0,
        "signal": NSNull(),
      ],
      "processes": [String](), "selfCheck": ["complete": true, "missing": [String]()], "refreshRateHz": 60,
      "budgetMilliseconds": 16.667,
      "mainActor": [
        "jobs": 0, "busySeconds": 0, "p50Milliseconds": 0, "p90Milliseconds": 0, "p99Milliseconds": 0,
        "worstMilliseconds": 0, "overBudget": 0, "droppedFrames": 0, "waitP99Milliseconds": 0,
      ],
      "mainQueue": ["blocks": 0, "drained": true, "queuedJobs": 0, "oldestSeconds": 0],
      "pool": ["threads": 1, "starved": [String]()], "executors": [String](), "functions": [String](),
      "stalls": [String](), "trains": [String](), "hops": [String](), "interleavings": [String](),
      "tasks": [
        "created": 0, "completed": 0, "cancelled": 0, "pendingContinuations": [String](), "sites": [String](),
      ],
      "boundaries": boundaries, "lost": ["records": 0, "samples": 0], "notVisible": [String](),
    ]
    try JSONSerialization.data(withJSONObject: run).write(to: URL(filePath: path))
    return path
  }
}
