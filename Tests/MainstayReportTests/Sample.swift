/// Findings and runs as small as a test needs them.
import Foundation
import MainstayFindings
import MainstayTrace

@testable import MainstayReport

enum Sample {
  static func place(_ line: Int) -> SourceLocation {
    SourceLocation(file: "Sources/App/App.swift", line: line, column: 5)
  }

  static func job(_ symbol: String, line: Int, ordinal: Int, executor: String = "MainActor") -> JobKey {
    JobKey(function: "load()", symbol: symbol, location: place(line), ordinal: ordinal, executor: executor)
  }

  static func finding(
    _ symbol: String = "$s3App4loadyyYaF", path: [SourceLocation] = [], jobs: [JobKey]
  ) -> AuditDocument.Finding {
    AuditDocument.Finding(
      rule: "main_actor_blocking", severity: .warning, message: "it blocks", action: "await it", fingerprint: symbol,
      function: "load()", symbol: symbol, location: path.last ?? place(14), path: path, jobs: jobs)
  }

  static func function(
    _ key: String, line: Int, resume: Int?, jobs: Int, worst: Double, executor: String = "MainActor",
    position: String = "after await 1"
  ) -> RunSummary.Function {
    decoded([
      "function": "load()", "executor": executor, "file": line > 0 ? "App.swift" : "", "line": line,
      "resume": resume as Any? ?? NSNull(), "jobs": jobs, "totalMilliseconds": worst, "worstMilliseconds": worst,
      "path": line > 0 ? "/home/App/Sources/App/App.swift" : "", "key": key, "position": position,
    ])
  }

  static func stall(
    _ key: String, line: Int, resume: Int?, milliseconds: Double, frames: Int, position: String = "after await 1",
    sampled lines: [Int] = []
  ) -> RunSummary.Stall {
    let path = "/home/App/Sources/App/App.swift"
    let stack: [[String: Any]] = lines.map { ["function": "load()", "file": "App.swift", "line": $0, "path": path] }
    return decoded([
      "kind": "job", "startSeconds": 0, "lengthMilliseconds": milliseconds, "droppedFrames": frames,
      "function": "load()", "file": line > 0 ? "App.swift" : "", "line": line, "task": 1, "priority": "medium",
      "createdAt": NSNull(), "asyncCallers": [String](), "resume": resume as Any? ?? NSNull(), "position": position,
      "samples": lines.isEmpty ? [] : [["state": "running", "atMilliseconds": 0, "frames": stack]],
      "path": line > 0 ? path : "",
      "key": key, "open": false,
    ])
  }

  static func interleaving(_ key: String, line: Int, count: Int) -> RunSummary.Interleaving {
    decoded([
      "executor": "MainActor", "suspended": "load()", "file": "App.swift", "line": line, "resume": 1, "by": "load()",
      "count": count, "path": "/home/App/Sources/App/App.swift", "key": key,
    ])
  }

  static func run(program: String = "App", _ fill: (inout RunSummary) -> Void) -> RunSummary {
    var run: RunSummary = decoded([
      "schema": "mainstay.run/1",
      "process": ["pid": 1, "executable": program, "arguments": [String](), "durationSeconds": 1],
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
      "boundaries": [String](), "lost": ["records": 0, "samples": 0], "notVisible": [String](),
    ])
    fill(&run)
    return run
  }

  static func report(
    _ findings: [AuditDocument.Finding], _ fill: (inout RunSummary) -> Void
  ) throws(ReportError) -> JoinedReport {
    try JoinedReport(audit: AuditDocument(modules: ["App"], findings: findings), runs: [run(fill)])
  }

  /// The types have no initialisers outside their module: they are made the way a reader of documents makes them.
  private static func decoded<Value: Decodable>(_ object: [String: Any]) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: JSONSerialization.data(withJSONObject: object))
    } catch {
      fatalError("\(error)")
    }
  }
}
