import Foundation
import MainstayReport
import MainstayTrace
import Testing

@Suite("A document mainstay.run/1 is read back")
struct RunDocumentTests {
  /// What the first version of the schema had, and nothing that was added since.
  private static let first = """
    { "schema": "mainstay.run/1",
      "process": {"pid": 7, "executable": "App", "arguments": [], "exitStatus": 0, "signal": null, "durationSeconds": 1.5},
      "processes": [{"pid": 7, "executable": "App", "recorded": true, "reason": null}],
      "selfCheck": {"complete": true, "missing": []}, "refreshRateHz": 60, "budgetMilliseconds": 16.667,
      "mainActor": {"jobs": 3, "busySeconds": 0.1, "p50Milliseconds": 1, "p90Milliseconds": 80, "p99Milliseconds": 80,
                    "worstMilliseconds": 80, "overBudget": 1, "droppedFrames": 4, "waitP99Milliseconds": 0},
      "mainQueue": {"blocks": 0, "drained": true, "queuedJobs": 0, "oldestSeconds": 0},
      "pool": {"threads": 2, "starved": [{"startSeconds": 0, "lengthSeconds": 1, "queuedJobs": 2, "blockers": [
        {"state": "blocked", "frames": [{"function": "wait()", "file": "A.swift", "line": 3}]}]}]},
      "executors": [{"name": "MainActor", "kind": "mainActor", "instances": 1, "jobs": 3, "busySeconds": 0.1,
                     "worstMilliseconds": 80, "waitP50Milliseconds": 0, "waitP99Milliseconds": 0, "queueMax": 1}],
      "functions": [{"function": "load()", "executor": "MainActor", "file": "A.swift", "line": 31, "resume": 2, "jobs": 1,
                     "totalMilliseconds": 80, "worstMilliseconds": 80}],
      "stalls": [{"kind": "job", "startSeconds": 0, "lengthMilliseconds": 80, "droppedFrames": 4, "function": "load()",
                  "file": "A.swift", "line": 31, "task": 1, "priority": "medium",
                  "createdAt": {"function": "go()", "file": "A.swift", "line": 9}, "asyncCallers": [],
                  "samples": [{"state": "running", "frames": [{"function": "parse()", "file": "A.swift", "line": 40}]}]}],
      "trains": [], "hops": [],
      "interleavings": [{"executor": "Wallet", "suspended": "transfer()", "file": "W.swift", "line": 5, "resume": 1,
                         "by": "transfer()", "count": 2}],
      "tasks": {"created": 1, "completed": 1, "cancelled": 0, "pendingContinuations": []},
      "boundaries": [{"name": "feed", "contract": "on main", "callbacks": 2, "onMain": 2, "offMain": 0, "inversions": 0,
                      "p50Milliseconds": null, "p99Milliseconds": null, "queues": [], "cannotTell": 0, "exercised": true}],
      "lost": {"records": 0, "samples": 0}, "notVisible": [] }
    """

  @Test("one of the first version too, without what was added since")
  func firstVersion() throws {
    let run = try RunSummary(document: Data(Self.first.utf8), name: "run.json")
    let stall = try #require(run.stalls.first)
    #expect(stall.createdAt?.line == 9)
    #expect(stall.samples.first?.frames.first?.function == "parse()")
    #expect(!stall.open)
    #expect(run.functions.first?.resume == 2)
    #expect(run.interleavings.first?.count == 2)
    #expect(run.pool.starved.first?.blockers.first?.state == .blocked)
    #expect(run.boundaries.first?.callbacks == 2)
  }

  @Test("what is missing and was always there is named")
  func damaged() {
    let damaged = Self.first.replacing("\"droppedFrames\": 4, \"function\"", with: "\"function\"")
    #expect {
      try RunSummary(document: Data(damaged.utf8), name: "run.json")
    } throws: { error in
      "\(error)".contains("run.json") && "\(error)".contains("droppedFrames")
    }
  }
}
