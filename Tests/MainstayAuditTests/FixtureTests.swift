/// The fixtures through the whole audit: every expected line found, nothing else.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

/// One audit of the fixture package, made once: it builds.
private let audited: Result<AuditResult, any Error> = Result {
  var options = AuditOptions(path: FixtureExpectation.package)
  options.scratchPath = FixtureExpectation.repository + "/.build/fixtures/audit"
  return try Audit.run(options)
}

@Suite struct FixtureTests {
  @Test("every fixture module is read from the compiler") func coverage() throws {
    let result = try audited.get()
    #expect(result.isComplete)
    #expect(result.modules.allSatisfy { $0.source == .sil }, "\(result.modules)")
    #expect(result.notes.isEmpty, "\(result.notes)")
  }

  @Test("every expected line is found, with its rule") func fires() throws {
    let result = try audited.get()
    let found = Set(result.findings.map { "\($0.location.file):\($0.location.line) \($0.rule)" })
    let expected = Set(try FixtureExpectation.read().map(\.description))
    #expect(expected.subtracting(found).sorted() == [])
  }

  @Test("nothing is found that no fixture expects") func silent() throws {
    let result = try audited.get()
    let found = Set(
      result.findings.filter { $0.severity > .note }.map { "\($0.location.file):\($0.location.line) \($0.rule)" })
    let expected = Set(try FixtureExpectation.read().map(\.description))
    #expect(found.subtracting(expected).sorted() == [])
  }

  @Test("a finding that is an error is expected to be one") func severities() throws {
    let result = try audited.get()
    for expectation in try FixtureExpectation.read() {
      guard let severity = expectation.severity else { continue }
      let finding = result.findings.first {
        $0.location.file == expectation.file && $0.location.line == expectation.line && $0.rule == expectation.rule
      }
      #expect(finding?.severity.rawValue == severity, "\(expectation)")
    }
  }

  @Test("a type's namesake in another module lends it neither closures, witnesses nor overrides") func namesakes()
    throws
  {
    let found = try audited.get().findings.filter { $0.location.file == "Sources/NamesakesCore/Heavy.swift" }
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.roots.allSatisfy { $0.hasPrefix("Counterpart.") } }, "\(found.map(\.roots))")
  }

  @Test("every rule has a file that fires and one that is silent") func everyRuleHasFixtures() throws {
    for rule in RuleCatalogue.documentation {
      for name in ["Fires", "Silent"] {
        let file = FixtureExpectation.package + "/Sources/\(rule.code)/\(name).swift"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("// expect: \(rule.id)") == (name == "Fires"), "\(file)")
      }
    }
  }

  @Test("every finding has a path, an action and a place in its file") func shape() throws {
    for finding in try audited.get().findings {
      #expect(!finding.path.isEmpty)
      #expect(!finding.action.isEmpty)
      #expect(finding.location.line > 0 && finding.location.column > 0)
      #expect(!finding.location.file.hasPrefix("/"))
      #expect(finding.path.allSatisfy { !$0.location.file.hasPrefix("/") })
    }
  }

  @Test("isolation is said with its reason: attribute, protocol, enclosing type, module default") func reasons() throws
  {
    let isolations = Set(try audited.get().findings.map(\.isolation))
    #expect(isolations.contains("MainActor (default of module MS101Default)"))
    #expect(isolations.contains("MainActor (attribute on CatalogueModel)"))
    #expect(isolations.contains("MainActor (protocol View)"))
    #expect(isolations.contains("MainActor (attribute on its declaration)"))
  }

  @Test("the output is the same bytes with one worker, many, a warm cache and none") func determinism() throws {
    let first = AuditJSON.text(try audited.get())
    for (width, cache) in [(1, false), (4, true)] {
      var options = AuditOptions(path: FixtureExpectation.package)
      options.scratchPath = FixtureExpectation.repository + "/.build/fixtures/audit"
      options.width = width
      options.usesCache = cache
      #expect(AuditJSON.text(try Audit.run(options)) == first)
    }
  }
}
