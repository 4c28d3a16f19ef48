/// Reading documents that may be anything.
import Foundation
import MainstayFindings
import MainstayTrace
import Testing

@testable import MainstayReport

@Suite struct AuditDocumentTests {
  @Test(
    "what is no audit is refused by what it is",
    arguments: [
      ("", "audit.json is damaged: it is no JSON. Write it again."),
      ("[]", "audit.json is damaged: it is no JSON. Write it again."),
      (
        "{}",
        "audit.json is no audit: its schema is missing, not 'mainstay.audit/1'. "
          + "Write one with 'mainstay audit --format json --output FILE'."
      ),
      (
        #"{"schema": "mainstay.run/1"}"#,
        "audit.json is no audit: its schema is 'mainstay.run/1', not 'mainstay.audit/1'. "
          + "Write one with 'mainstay audit --format json --output FILE'."
      ),
      (#"{"schema": "mainstay.audit/1"}"#, "audit.json is damaged: coverage is missing. Write it again."),
      (
        #"{"schema": "mainstay.audit/1", "coverage": {"modules": []}, "findings": [{"rule": 1}]}"#,
        "audit.json is damaged: findings[0].rule is not what it should be. Write it again."
      ),
    ])
  func refused(text: String, message: String) {
    #expect { try AuditDocument(Data(text.utf8), name: "audit.json") } throws: { "\($0)" == message }
  }

  @Test("an audit without jobs, as an older version wrote it, still names the function")
  func withoutJobs() throws {
    let text = """
      {"schema": "mainstay.audit/1", "coverage": {"modules": [{"name": "App", "source": "sil"}]}, "findings": [
        {"rule": "main_actor_blocking", "severity": "warning", "message": "m", "action": "a", "fingerprint": "f",
         "function": "load()", "symbol": "$s3App4loadyyYaF", "location": {"file": "App.swift", "line": 1, "column": 2},
         "path": []}]}
      """
    let audit = try AuditDocument(Data(text.utf8), name: "audit.json")
    #expect(audit.modules == ["App"])
    #expect(audit.findings.first?.measurable.map(\.symbol) == ["$s3App4loadyyYaF"])
  }

  @Test("a run's document is read back as it was written")
  func run() throws {
    let run = Sample.run { $0.functions = [Sample.function("$s3App4loadyyYaF", line: 1, resume: 1, jobs: 1, worst: 1)] }
    #expect(try RunSummary(document: run.document(), name: "run.json") == run)
    #expect { try RunSummary(document: Data(#"{"schema": "mainstay.audit/1"}"#.utf8), name: "run.json") } throws: {
      "\($0)".hasPrefix("run.json is no run: its schema is 'mainstay.audit/1'")
    }
  }
}
