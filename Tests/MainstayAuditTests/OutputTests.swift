/// Each format: what its readers require.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct OutputTests {
  private let result = AuditResult(
    toolchain: "6.3.1",
    modules: [
      .init(name: "App", source: .sil, reason: nil, functions: 1_310),
      .init(name: "UI", source: .none, reason: "no such module 'SwiftUI'", functions: 0),
    ],
    filesParsed: 1,
    findings: [
      Finding(
        rule: "check_then_act", code: "MS201", severity: .warning, confidence: .high,
        message: "balance may have changed, \"twice\"", action: "check again", function: "Wallet.pay(_:)", symbol: "$s",
        isolation: "Wallet (the actor's own)",
        location: SourceLocation(file: "Sources/App/My Wallet.swift", line: 52, column: 9),
        path: [
          PathStep(
            location: SourceLocation(file: "Sources/App/My Wallet.swift", line: 44, column: 11),
            text: "balance is checked here"),
          PathStep(
            location: SourceLocation(file: "Sources/App/My Wallet.swift", line: 52, column: 9),
            text: "balance is changed here"),
        ], roots: [], subject: "Wallet.balance")
    ], known: 0, notes: [], failOn: .warning, seconds: 0.42)

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("JSON keeps the contract's fields") func json() throws {
    let root = try object(AuditJSON.text(result))
    #expect(root["schema"] as? String == "mainstay.audit/1")
    #expect(root["toolchain"] as? String == "6.3.1")
    let finding = try #require((root["findings"] as? [[String: Any]])?.first)
    for key in [
      "rule", "code", "severity", "confidence", "message", "action", "fingerprint", "function", "isolation", "location",
      "path", "roots",
    ] {
      #expect(finding[key] != nil, "\(key)")
    }
    let coverage = try #require(root["coverage"] as? [String: Any])
    #expect(coverage["filesParsed"] as? Int == 1)
    #expect((coverage["modules"] as? [[String: Any]])?.map { $0["source"] as? String } == ["sil", "none"])
  }

  @Test("SARIF has its version, all rules, a code flow and fingerprints") func sarif() throws {
    let root = try object(AuditSARIF.text(result))
    #expect(root["version"] as? String == "2.1.0")
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(Set(rules.compactMap { $0["id"] as? String }).isSuperset(of: RuleCatalogue.documentation.map(\.code)))
    let entry = try #require((run["results"] as? [[String: Any]])?.first)
    #expect(entry["ruleId"] as? String == "MS201")
    #expect(entry["level"] as? String == "warning")
    #expect(((entry["message"] as? [String: Any])?["text"] as? String)?.contains("balance") == true)
    #expect((entry["partialFingerprints"] as? [String: Any])?.isEmpty == false)
    let location = try #require((entry["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
    #expect((location["artifactLocation"] as? [String: Any])?["uri"] as? String == "Sources/App/My%20Wallet.swift")
    #expect((location["region"] as? [String: Any])?["startLine"] as? Int == 52)
    let flows = try #require(entry["codeFlows"] as? [[String: Any]])
    let thread = try #require((flows[0]["threadFlows"] as? [[String: Any]])?.first)
    #expect((thread["locations"] as? [Any])?.count == 2)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
  }

  @Test("annotations escape what would end them") func github() {
    let text = AuditAnnotations.github(result)
    #expect(
      text.contains(
        "::warning file=Sources/App/My Wallet.swift,line=52,col=9,title=MS201 check_then_act::balance may have changed")
    )
    #expect(text.contains("%0A"))
    #expect(text.split(separator: "\n").count == 2)
  }

  @Test("text names what was not analysed first, keeps to its width and ends in what to do") func text() {
    let text = AuditText(width: 80).text(result)
    #expect(text.hasPrefix("UI was not analysed: no such module 'SwiftUI'"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(text.contains("  52:9   warning  check_then_act"))
    #expect(text.contains("→ check again"))
    #expect(text.contains("1 warning in 1 module"))
    #expect(text.contains("1,310 functions from the compiler"))
    for width in [40, 60, 120] {
      let lines = AuditText(width: width).text(result).split(separator: "\n")
      // A path has no place to break it.
      #expect(lines.allSatisfy { $0.count <= width || !$0.contains(" ") }, "\(lines)")
    }
  }

  @Test("the exit status says what happened, and missing modules beat findings") func exitStatus() {
    var complete = result
    #expect(result.exitStatus == 4)
    complete.modules.removeLast()
    #expect(complete.exitStatus == 2)
    complete.failOn = .error
    #expect(complete.exitStatus == 0)
    complete.modules = []
    #expect(complete.exitStatus == 4)
  }

  @Test("a fingerprint changes with rule, function, subject and file, never with the line") func fingerprints() {
    var finding = result.findings[0]
    let before = finding.fingerprint
    finding.location.line += 10
    #expect(finding.fingerprint == before)
    finding.subject = "Wallet.limit"
    #expect(finding.fingerprint != before)
  }

  @Test("what was not analysed is in every format that a machine reads") func coverage() {
    for text in [
      AuditJSON.text(result), AuditSARIF.text(result), AuditAnnotations.github(result), AuditAnnotations.xcode(result),
      AuditAnnotations.checkstyle(result), AuditAnnotations.markdown(result),
    ] {
      #expect(text.contains("no such module"), "\(text)")
    }
    var none = result
    none.findings = []
    #expect(AuditAnnotations.markdown(none) == "**UI was not analysed: no such module 'SwiftUI'**\n\nNo findings.\n")
  }

  @Test("a folder that could not be looked into is missing, however much else was read") func unreadable() {
    var complete = result
    complete.modules.removeLast()
    complete.findings = []
    #expect(complete.exitStatus == 0)
    complete.unreadable = ["Sources/secret"]
    #expect(complete.exitStatus == 4)
  }

  @Test("modules that were not read for one reason are one sentence, and what was asked for is no annotation")
  func gaps() {
    var several = result
    several.modules = ["A", "B", "C", "D", "E"].map {
      .init(name: $0, source: .syntax, reason: "the source alone was asked for", functions: 1)
    }
    let sentence =
      "A, B, C and 2 other modules were read from their source only, with less confidence: the source alone was asked for"
    #expect(several.gaps.map(\.sentence) == [sentence])
    #expect(!AuditAnnotations.github(several).contains("::warning::"))
    several.modules[3].isDegraded = true
    several.modules[3].reason = "it does not compile"
    #expect(
      AuditAnnotations.github(several).hasPrefix(
        "::warning::D was read from its source only, with less confidence: it does not compile\n"))
    several.modules.removeSubrange(2...)
    #expect(several.gaps.map(\.sentence).first?.hasPrefix("A and B were read") == true)
  }

  @Test("a file's name steers no terminal and ends no line or document", arguments: [false, true])
  func names(inColour: Bool) {
    var hostile = result
    hostile.modules.removeLast()
    hostile.findings[0].location.file = "Sources/\u{1B}[2J\u{7}a\nb\u{202E}.swift"
    hostile.findings[0].path[0].location.file = hostile.findings[0].location.file
    let shown = "Sources/\\u{1B}[2J\\u{7}a\\nb\\u{202E}.swift"
    for text in [
      AuditText(colour: inColour).text(hostile), AuditAnnotations.xcode(hostile), AuditAnnotations.github(hostile),
      AuditAnnotations.checkstyle(hostile), AuditAnnotations.markdown(hostile),
    ] {
      let scalars = text.unicodeScalars
      #expect(!scalars.contains { $0 == "\u{7}" || $0 == "\u{202E}" }, "\(text)")
      #expect(!text.contains("\u{1B}[2J"))
    }
    #expect(AuditText().text(hostile).hasPrefix(shown + "\n"))
    #expect(AuditAnnotations.xcode(hostile).hasPrefix(shown + ":52:9: warning: "))
  }

  @Test("nothing in a cell of Markdown ends it, opens a tag or is emphasis") func cells() {
    #expect(MarkdownText.cell("a | b\n<T> f(_:_:) *x*") == "a \\| b &lt;T> f(\\_:\\_:) \\*x\\*")
    #expect(MarkdownText.code("||(_:_:)") == "`\\|\\|(_:_:)`")
    #expect(MarkdownText.code("A.`class`") == "`` A.`class` ``")
  }

  @Test("what the audit reports about itself explains itself") func toolRules() {
    for rule in ToolRules.all {
      #expect(RuleExplanation.rule(named: rule.code.lowercased()) == rule)
      #expect(RuleExplanation.text(rule).contains("cannot be silenced"))
      #expect(RuleExplanation.list.contains(rule.id))
    }
  }

  @Test("every rule explains itself") func explain() {
    for rule in RuleCatalogue.documentation {
      let text = RuleExplanation.text(rule)
      #expect(text.contains(rule.id) && text.contains(rule.fix) && text.contains("Silent on"))
    }
    #expect(RuleCatalogue.documentation(for: "ms201")?.id == "check_then_act")
  }
}
