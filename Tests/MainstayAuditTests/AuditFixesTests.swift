/// Fixes are made only where every function still runs where it ran.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct AuditFixesTests {
  @Test("an attribute goes with the space or the line that it stood on") func removal() {
    let text = """
      @MainActor final class A {
        @MainActor
        func f() {}
        @MainActor var x = 1  // why
      }
      """
    let places = [(1, 24), (3, 8), (4, 18)].map { SourceLocation(file: "", line: $0.0, column: $0.1) }
    let removal = AttributeRemoval.ranges("MainActor", at: places, in: text, compiled: [])
    #expect(removal.missed.isEmpty && removal.uncompiled.isEmpty)
    #expect(SourceCuts.cut(removal.ranges, from: text) == "final class A {\n  func f() {}\n  var x = 1  // why\n}")
    let nowhere = SourceLocation(file: "", line: 9, column: 1)
    #expect(AttributeRemoval.ranges("MainActor", at: [nowhere], in: text, compiled: []).missed == [nowhere])
  }

  @Test("what this build leaves out keeps its attribute: nothing would prove that it is redundant") func conditional() {
    let text = """
      @MainActor final class A {
        #if DEBUG
        @MainActor func f() {
        }
        #else
        @MainActor func f() {}
        #endif
      }
      """
    let places = [(3, 19), (6, 19)].map { SourceLocation(file: "", line: $0.0, column: $0.1) }
    let removal = AttributeRemoval.ranges("MainActor", at: places, in: text, compiled: [3])
    #expect(removal.uncompiled == [places[1]] && removal.missed.isEmpty)
    #expect(SourceCuts.cut(removal.ranges, from: text) == text.replacing("DEBUG\n  @MainActor ", with: "DEBUG\n  "))
  }

  @Test("a comment that silences nothing goes with its line, or with the spaces before it") func comments() {
    let text = "a()\n  // mainstay:disable:next x - y\nb()  // mainstay:disable:this x - y\r\n// else\nc()"
    let places = [(2, 3), (3, 6)].map { SourceLocation(file: "", line: $0.0, column: $0.1) }
    let (ranges, missed) = SuppressionRemoval.ranges(at: places, in: text)
    #expect(missed.isEmpty)
    #expect(SourceCuts.cut(ranges, from: text) == "a()\nb()\r\n// else\nc()")
    let wrong = [(1, 1), (4, 1), (9, 1), (2, 90)].map { SourceLocation(file: "", line: $0.0, column: $0.1) }
    #expect(SuppressionRemoval.ranges(at: wrong, in: text).missed == wrong)
  }

  @Test("pieces that overlap or repeat are cut once") func cuts() {
    #expect(SourceCuts.cut([2..<4, 0..<1, 3..<6, 2..<4], from: "abcdefgh") == "bgh")
  }

  @Test("redundant attributes are removed and proved, and what would change is taken back") func proof() throws {
    let root = NSTemporaryDirectory() + "/mainstay-fix-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root + "/Sources/App", withIntermediateDirectories: true)
    try """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(
      name: "Fix", targets: [.target(name: "App", swiftSettings: [.defaultIsolation(MainActor.self)])],
      swiftLanguageModes: [.v6])
    """.write(toFile: root + "/Package.swift", atomically: true, encoding: .utf8)
    let path = root + "/Sources/App/A.swift"
    try """
    @MainActor final class Model {
      @MainActor func show() {}
    }
    nonisolated struct Parser {
      @MainActor func present() {}
      // mainstay:disable:next hop_in_loop - there was a loop here
      func parse() {}
    }
    #if RELEASE
    extension Model { @MainActor func away() {} }
    #endif
    """.write(toFile: path, atomically: true, encoding: .utf8)
    let options = AuditOptions(path: root)
    var result = try Audit.run(options)
    #expect(
      result.findings.map(\.rule) == [
        "redundant_isolation", "redundant_isolation", "suppression", "redundant_isolation",
      ])
    // A finding that is wrong: without its attribute, `present` would run anywhere.
    var wrong = try #require(result.findings.first)
    wrong.location = SourceLocation(file: wrong.location.file, line: 5, column: 19)
    result.findings.append(wrong)
    let outcome = try AuditFixes.apply(options, to: result)
    #expect(outcome.fixed.map(\.location.line) == [1, 2, 6])
    #expect(outcome.kept.map(\.finding.location.line) == [5, 10])
    #expect(outcome.kept.last?.reason.contains("#if") == true)
    #expect(outcome.kept.first?.reason.contains("nonisolated instead of MainActor") == true)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("final class Model {\n  func show() {}\n}"))
    #expect(text.contains("  @MainActor func present() {}\n  func parse() {}\n"))
  }

  @Test("without a compiler nothing is fixed, in words") func unproved() throws {
    let root = NSTemporaryDirectory() + "/mainstay-fix-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try "@MainActor final class A { @MainActor func f() {} }\n".write(
      toFile: root + "/A.swift", atomically: true, encoding: .utf8)
    var options = AuditOptions.uncached(root)
    options.sourceOnly = true
    let result = try Audit.run(options)
    #expect(throws: AuditFailure.self) { try AuditFixes.apply(options, to: result) }
  }
}
