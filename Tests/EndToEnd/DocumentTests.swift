import Foundation
import Testing

@Suite("The document mainstay.run/1", .timeLimit(.minutes(60)))
struct DocumentTests {
  /// Every field of the document, and the fields of what its lists hold.
  static let fields: [String: Set<String>] = [
    "": [
      "schema", "process", "processes", "selfCheck", "refreshRateHz", "budgetMilliseconds", "mainActor", "mainQueue",
      "pool",
      "executors", "functions", "stalls", "trains", "hops", "interleavings", "tasks", "boundaries", "lost",
      "notVisible",
    ],
    "process": ["pid", "executable", "arguments", "exitStatus", "signal", "durationSeconds", "failedCheck"],
    "processes[]": ["pid", "executable", "recorded", "reason"],
    "selfCheck": ["complete", "missing"],
    "mainActor": [
      "jobs", "busySeconds", "p50Milliseconds", "p90Milliseconds", "p99Milliseconds", "worstMilliseconds", "overBudget",
      "droppedFrames", "waitP99Milliseconds",
    ],
    "mainQueue": ["blocks", "drained", "queuedJobs", "oldestSeconds"],
    "pool": ["threads", "starved"],
    "executors[]": [
      "name", "kind", "instances", "jobs", "busySeconds", "worstMilliseconds", "waitP50Milliseconds",
      "waitP99Milliseconds",
      "queueMax",
    ],
    "functions[]": [
      "function", "executor", "file", "line", "resume", "jobs", "totalMilliseconds", "worstMilliseconds",
    ],
    "stalls[]": [
      "kind", "startSeconds", "lengthMilliseconds", "droppedFrames", "function", "file", "line", "task", "priority",
      "createdAt", "asyncCallers", "samples",
    ],
    "hops[]": ["from", "to", "count", "perSecondMax", "sites"],
    "hops[].sites[]": ["function", "file", "line", "count"],
    "tasks": ["created", "completed", "cancelled", "pendingContinuations"],
    "lost": ["records", "samples"],
  ]

  static func document(
    _ program: String, _ arguments: [String] = [], options: [String] = []
  ) async throws -> (Any, Subprocess.Outcome) {
    let json = "\(try TestFolder.make())/run.json"
    let fixture = try await FixtureProgram.named(program, .debug)
    let outcome = try await Tool.run(["run", "--json", json] + options + ["--", fixture.path] + arguments)
    let data = try #require(FileManager.default.contents(atPath: json), "\(outcome.errors)")
    return (try JSONSerialization.jsonObject(with: data), outcome)
  }

  @Test("has every field, also those that are empty or null")
  func everyField() async throws {
    for (program, arguments) in [("Planted", []), ("Executors", []), ("Processes", ["other"])] {
      let (document, _) = try await Self.document(program, arguments)
      for (path, names) in Self.fields {
        for object in Self.objects(at: path, in: document) {
          let missing = names.subtracting(object.keys)
          #expect(missing.isEmpty, "\(program): \(path) lacks \(missing.sorted())")
        }
      }
    }
  }

  @Test("has its schema, and empty lists where there is nothing")
  func empty() async throws {
    // No machine stands still for so long that a job is over this budget.
    let (document, _) = try await Self.document("RoundTrips", ["10"], options: ["--budget", "3600s"])
    let root = try #require(document as? [String: Any])
    #expect(root["schema"] as? String == "mainstay.run/1")
    for name in ["stalls", "trains", "interleavings", "boundaries"] {
      #expect((root[name] as? [Any])?.isEmpty == true, "\(name): \(root[name] ?? "absent")")
    }
    // But that it did is said.
    let notes = try #require(root["notVisible"] as? [String])
    #expect(notes.filter { !$0.contains("in which the whole process did not run") } == [])
    #expect(((root["pool"] as? [String: Any])?["starved"] as? [Any])?.isEmpty == true)
    #expect(((root["tasks"] as? [String: Any])?["pendingContinuations"] as? [Any])?.isEmpty == true)
    let process = try #require(root["process"] as? [String: Any])
    #expect(process["signal"] is NSNull)
    #expect(process["exitStatus"] as? Int == 0)
    #expect(process["arguments"] as? [String] == ["10"])
    #expect(process["executable"] as? String == "RoundTrips")
    #expect((process["durationSeconds"] as? Double ?? 0) > 0)
    #expect(root["refreshRateHz"] as? Double == 60)
    #expect(root["budgetMilliseconds"] as? Double == 3_600_000)
    let main = try #require((root["executors"] as? [[String: Any]])?.first)
    #expect(main["kind"] as? String == "mainActor" && main["name"] as? String == "MainActor")
  }

  @Test("says of a stall where its task was made and which async functions wait for it")
  func stalls() async throws {
    let program = try await FixtureProgram.named("Planted", .debug)
    let (document, _) = try await Self.document("Planted")
    #expect(abs(((document as? [String: Any])?["budgetMilliseconds"] as? Double ?? 0) - 16.667) < 0.001)
    let planted = Self.objects(at: "stalls[]", in: document).filter { $0["createdAt"] is [String: Any] }
    try #require(planted.count >= 4)
    for stall in planted {
      let made = try #require(stall["createdAt"] as? [String: Any])
      #expect(made["function"] as? String == "Planted.main()")
      #expect(made["file"] as? String == "Planted.swift")
      #expect(made["line"] as? Int == (try program.line("the task")))
      #expect((stall["task"] as? Int ?? 0) > 0)
    }
  }

  @Test("is the same text for a person whether or not JSON is written, and none with --quiet")
  func text() async throws {
    let (_, outcome) = try await Self.document("Planted")
    let lines = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).filter {
      !$0.hasPrefix("planted ") && !$0.hasPrefix("rest ")
    }
    // The four that were planted, and those that a machine that stands still makes long.
    let count = try #require(lines.first?.firstMatch(of: #/^Main actor: (\d+) of /#)?.output.1).description
    let rest = try #require(outcome.number("rest")) / 1e6
    #expect(rest < 16 ? count == "4" : !count.isEmpty, "\(outcome.errors)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
    #expect(lines.contains { $0.hasPrefix("Next: ") })
    #expect(!outcome.errors.contains("\u{1b}"), "no colour where there is no terminal")
    let program = try await FixtureProgram.named("RoundTrips", .debug)
    let quiet = try await Tool.run(["run", "--quiet", "--", program.path, "10"])
    #expect(quiet.errors == "")
    let healthy = try await Tool.run(["run", "--budget", "3600s", "--", program.path, "10"])
    #expect(
      healthy.errors.split(separator: "\n").count <= 2 || healthy.errors.contains("process did not run"),
      "\(healthy.errors)")
  }

  /// The objects at a path such as `hops[].sites[]`.
  private static func objects(at path: String, in document: Any) -> [[String: Any]] {
    var found = [document]
    for part in path.split(separator: ".") {
      let name = part.hasSuffix("[]") ? String(part.dropLast(2)) : String(part)
      found = found.compactMap { ($0 as? [String: Any])?[name] }
      if part.hasSuffix("[]") { found = found.flatMap { $0 as? [Any] ?? [] } }
    }
    return found.compactMap { $0 as? [String: Any] }
  }
}
