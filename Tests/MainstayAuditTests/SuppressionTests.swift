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

  @Test(
    "a comment between /* and */ silences as well, on one line or on several",
    arguments: [
      ("/* mainstay:disable:next hop_in_loop - measured */\ncode", 2),
      ("/** mainstay:disable:next hop_in_loop - measured **/ code\nmore", 2),
      ("/*\n  mainstay:disable:next hop_in_loop - measured\n */\ncode", 4),
      (
        "/**\n * What it is.\n * mainstay:disable:next hop_in_loop - measured\n */\n\n/* one\n two */ // three\ncode", 8
      ),
      ("/* mainstay:disable:this hop_in_loop - measured */ code", 1),
      ("a /* b */ /*mainstay:disable:this hop_in_loop - measured*/", 1),
      ("code\r\n/* mainstay:disable:previous hop_in_loop - measured */\r\n", 1),
    ])
  func blocks(_ text: String, _ line: Int) {
    #expect(apply(text, [finding(line)]) == [])
    #expect(apply(text, [finding(line + 1)]).count == 2)
  }

  @Test("a reason ends where its comment does, and one that is empty is none") func blockReasons() {
    let suppressions = Suppressions.read(Data("/* mainstay:disable:next x - why not */ code".utf8), file: "A.swift")
    #expect(suppressions.map(\.reason) == ["why not"] && suppressions.map(\.rules) == [["x"]])
    #expect(apply("/* mainstay:disable:next hop_in_loop - */\ncode", [finding(2)]).count == 2)
  }

  @Test(
    "code that is commented out silences nothing, nor is missed",
    arguments: [
      "/*\n// mainstay:disable:next x - y\n*/", "/*\n/* mainstay:disable:next x - y */\n*/",
      "/* see mainstay:disable:next x - y */",
    ])
  func commentedOut(_ text: String) {
    #expect(Suppressions.read(Data(text.utf8), file: "A.swift").isEmpty)
  }

  @Test(
    "a block comment that silences nothing goes without a trace, and takes nothing else along",
    arguments: [
      ("a\n  /* mainstay:disable:next x - y */\nb\n", "a\nb\n"),
      ("let a = 1 /* mainstay:disable:this x - y */\nb", "let a = 1\nb"),
      ("f(/* mainstay:disable:this x - y */ a)", "f( a)"),
      ("  /* mainstay:disable:next x - y */ let a = 1", "  let a = 1"),
      ("let/* mainstay:disable:this x - y */ a = 1", "let a = 1"),
      ("/* mainstay:disable:next x - y */ let a = 1 /* why */", "let a = 1 /* why */"),
      ("let/* mainstay:disable:this x - y */a = 1", "let/* mainstay:disable:this x - y */a = 1"),
      ("/* What it is.\n   mainstay:disable:next x - y\n   And why. */\na", "/* What it is.\n   And why. */\na"),
      ("/* mainstay:disable:next x - y\n   And why. */\na", "/*\n   And why. */\na"),
      ("/* What it is.\n * mainstay:disable:next x - y */\na", "/* What it is.\n */\na"),
      ("/* mainstay:disable:next x - y */\r\na\r\n", "a\r\n"),
    ])
  func removed(_ text: String, _ left: String) {
    let places = Suppressions.read(Data(text.utf8), file: "A.swift").map {
      SourceLocation(file: $0.file, line: $0.line, column: $0.column)
    }
    #expect(places.count == 1)
    let (ranges, missed) = SuppressionRemoval.ranges(at: places, in: text)
    #expect(SourceCuts.cut(ranges, from: text) == left)
    #expect(missed.isEmpty == (text != left))
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
