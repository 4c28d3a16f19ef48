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

  @Test(
    "text in a string is no comment",
    arguments: [
      "let a = \"mainstay:disable:next x\"", "let a = \"// mainstay:disable:next x - y\"",
      "let a = \"\"\"\n  // mainstay:disable:next x - y\n  \"\"\"", "/* // mainstay:disable:next x - y */",
    ])
  func strings(_ text: String) {
    #expect(Suppressions.read(Data(text.utf8), file: "A.swift").isEmpty)
  }

  @Test("attributes on lines of their own belong to the declaration below them") func attributes() {
    let silencer = "// mainstay:disable:next hop_in_loop - measured\n"
    #expect(apply(silencer + "@MainActor\n@Test(\"a (b\", arguments: [1])  // why\nfunc f() {}", [finding(4)]) == [])
    #expect(apply(silencer + "@MainActor func f() {}\nfunc g() {}", [finding(3)]).count == 2)
    #expect(apply(silencer + "@MainActor\nfunc f() {}\nfunc g() {}", [finding(4)]).count == 2)
  }

  @Test("lines that end as on Windows are lines") func windows() {
    #expect(apply("code\r\n// mainstay:disable:next hop_in_loop - measured\r\ncode\r\n", [finding(3)]) == [])
    let bare = apply("// mainstay:disable:next hop_in_loop -\r\ncode\r\n", [finding(2)])
    #expect(bare.contains { $0.contains("no reason given") })
  }

  @Test("where the source alone was read, a comment that silences nothing is a note: the compiler may find more")
  func guessed() {
    let text = "// mainstay:disable:next hop_in_loop - why\ncode"
    let suppressions = Suppressions.read(Data(text.utf8), file: "A.swift")
    #expect(Suppressions.apply(suppressions, to: []).map(\.severity) == [.warning])
    #expect(Suppressions.apply(suppressions, to: [], readFromSource: ["A.swift"]).map(\.severity) == [.note])
  }
}
