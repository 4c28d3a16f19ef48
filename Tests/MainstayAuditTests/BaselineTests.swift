/// Accepted findings: one entry answers for one finding, wherever its line moves.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct BaselineTests {
  private func finding(_ function: String, _ subject: String = "fsync", line: Int = 1) -> Finding {
    Finding(
      rule: "main_actor_blocking", code: "MS101", severity: .warning, confidence: .high, message: "m", action: "a",
      function: function, symbol: "", isolation: "",
      location: SourceLocation(file: "Sources/A.swift", line: line, column: 1), path: [], roots: [], subject: subject)
  }

  private func read(_ text: String) throws -> Baseline {
    let path = NSTemporaryDirectory() + "/mainstay-baseline-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return try Baseline.read(path)
  }

  @Test("what was written is known, whatever its line is now") func known() throws {
    let baseline = try read(Baseline.text([finding("f()", line: 3), finding("g()", line: 9)]))
    let (fresh, gone) = baseline.compared(with: [finding("f()", line: 30), finding("g()", line: 2)])
    #expect(fresh.isEmpty && gone.isEmpty)
  }

  @Test("a second finding of the same kind in the same function is new, and of two one can be gone") func counted()
    throws
  {
    let one = try read(Baseline.text([finding("f()", line: 3)]))
    let (fresh, gone) = one.compared(with: [finding("f()", line: 3), finding("f()", line: 8)])
    #expect(fresh.map(\.location.line) == [8] && gone.isEmpty)
    let two = try read(Baseline.text([finding("f()", line: 3), finding("f()", line: 8)]))
    let (none, lost) = two.compared(with: [finding("f()", line: 3)])
    #expect(none.isEmpty && lost.count == 1)
    #expect(two.compared(with: []).gone.map(\.line) == [4, 5], "each at its own line of the file")
  }

  @Test("the same findings give the same bytes in any order, and none give an empty list") func order() throws {
    let findings = [finding("g()"), finding("f()"), finding("f()", "read")]
    #expect(Baseline.text(findings) == Baseline.text(findings.reversed()))
    #expect(try read(Baseline.text([])).compared(with: findings).fresh.count == 3)
  }

  @Test("another version and another document are refused in words, with what to do")
  func refused() throws {
    for (text, message) in [
      ("{\"schema\": \"mainstay.baseline/2\", \"findings\": {}}", "mainstay.baseline/2"),
      ("{\"schema\": \"mainstay.audit/1\", \"findings\": []}", "is no baseline"),
      ("{\"schema\": \"mainstay.baseline/1\"}", "is no baseline"), ("", "is no baseline"),
      ("{\n  \"schema\": \"mainstay.baseline/1\",\n<<<<<<< HEAD\n", "is damaged at line 3"), ("[]", "is no baseline"),
    ] {
      do {
        _ = try read(text)
        Issue.record("\(text) was accepted")
      } catch let failure as AuditFailure {
        #expect(failure.kind == .usage && failure.message.contains(message), "\(failure.message)")
        #expect(failure.advice.contains("--write-baseline"))
      }
    }
  }

  @Test("an entry is read however its line was spaced or escaped, and each keeps its own line") func spelled() throws {
    let name = "f(_:) // \u{1F600} \"q\" \\ \u{1}\tö"
    let written = Baseline.text([finding(name, line: 3), finding("g()")])
    #expect(try read(written).compared(with: [finding(name), finding("g()")]).fresh.isEmpty)
    let mark = finding(name).fingerprint
    let spread = """
      // Accepted for the release.
      {"findings": [{
        "fingerprint": "\(mark)",
        "rule": "main_actor_blocking", "file": "Sources\\/A.swift",
        "function": "\\ud83d\\ude00\\u0041\\/" }], "schema": "mainstay.baseline/1"}
      """
    let gone = try read(spread).compared(with: []).gone
    #expect(gone.map(\.line) == [3] && gone.map(\.file) == ["Sources/A.swift"])
    #expect(gone.map(\.function) == ["\u{1F600}A/"])
    #expect(try read(spread).compared(with: [finding(name)]).gone.isEmpty)
  }

  @Test("of very many entries of one kind each answers for one finding, the first in the file first") func many() throws
  {
    let alike = (1...3_000).map { finding("f()", line: $0) }
    let baseline = try read(Baseline.text(alike))
    let (fresh, gone) = baseline.compared(with: Array(alike.prefix(2_999)))
    #expect(fresh.isEmpty && gone.map(\.line) == [3_003])
    #expect(baseline.compared(with: alike + [finding("f()", line: 9_000)]).fresh.map(\.location.line) == [9_000])
  }

  @Test(
    "an entry that is not whole, and bytes that are no text, are refused with their place",
    arguments: [
      (#"{"schema": "mainstay.baseline/1", "findings": [\n{"rule": "x", "file": "a", "function": "f"}]}"#, "line 2"),
      (#"{"schema": "mainstay.baseline/1", "findings": [\n\n7]}"#, "line 3"),
      (#"{"schema": "mainstay.baseline/1", "findings": [{"rule": "\ud83d"}]}"#, "half a character"),
      (#"{"schema": "mainstay.baseline/1", "findings": [{"rule": "\u+041"}]}"#, "no character"),
    ])
  func broken(_ text: String, _ message: String) throws {
    do {
      _ = try read(text.replacing(#"\n"#, with: "\n"))
      Issue.record("\(text) was accepted")
    } catch let failure as AuditFailure {
      #expect(failure.message.contains("is damaged at line") && failure.message.contains(message), "\(failure.message)")
    }
  }

  @Test("bytes that are no UTF-8 are refused before anything is taken from them") func notText() throws {
    let path = NSTemporaryDirectory() + "/mainstay-baseline-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try (Data(Baseline.text([finding("f()")]).utf8) + Data([0xFF])).write(to: URL(fileURLWithPath: path))
    do {
      _ = try Baseline.read(path)
      Issue.record("it was accepted")
    } catch let failure as AuditFailure {
      #expect(failure.message.contains("is not all UTF-8"))
    }
  }

  @Test("an expected finding that is gone is one itself, at its line of the file") func missing() throws {
    let baseline = try read(Baseline.text([finding("f()")]))
    let finding = try #require(baseline.compared(with: []).gone.first).finding(in: "App", of: baseline)
    #expect(finding.code == "MS002" && finding.location.line == 4)
    #expect(finding.message == "main_actor_blocking is expected of f() in Sources/A.swift, and was not found")
    #expect(finding.action.contains("mainstay audit App --write-baseline"))
  }
}
