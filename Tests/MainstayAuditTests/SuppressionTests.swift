/// Comments that silence, and complaints about those that do not.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct SuppressionTests {
  private func finding(_ line: Int, _ rule: String = "hop_in_loop") -> Finding {
    Finding(
      rule: rule, code: "MS104", severity: .warning, confidence: .high, message: "m", action: "a", function: "f",
      symbol: "s", isolation: "", location: SourceLocation(file: "A.swift", line: line, column: 1), path: [], roots: [],
      subject: "x")
  }

  private func apply(_ text: String, _ findings: [Finding]) -> [String] {
    let suppressions = Suppressions.read(Data(text.utf8), file: "A.swift")
    return Suppressions.apply(suppressions, to: findings).map { "\($0.location.line) \($0.rule): \($0.message)" }
  }

  @Test("next, this and previous silence their line") func scopes() {
    #expect(apply("// mainstay:disable:next hop_in_loop - measured\n// more\ncode", [finding(3)]) == [])
    #expect(apply("code // mainstay:disable:this MS104 - measured", [finding(1)]) == [])
    #expect(apply("code\n// mainstay:disable:previous hop_in_loop - measured", [finding(1)]) == [])
  }

  @Test("without a reason nothing is silenced, and both are reported") func noReason() {
    let result = apply("// mainstay:disable:next hop_in_loop\ncode", [finding(2)])
    #expect(result.count == 2)
    #expect(result.contains { $0.contains("no reason given") })
  }

  @Test("an unknown rule and a superfluous comment are reported") func superfluous() {
    #expect(
      apply("// mainstay:disable:next hop_in_lop - why\ncode", []).contains { $0.contains("unknown rule 'hop_in_lop'") }
    )
    #expect(apply("// mainstay:disable:next hop_in_loop - why\ncode", []).contains { $0.contains("silences nothing") })
  }

  @Test("text in a string is no comment") func strings() {
    #expect(Suppressions.read(Data("let a = \"mainstay:disable:next x\"".utf8), file: "A.swift").isEmpty)
  }
}
