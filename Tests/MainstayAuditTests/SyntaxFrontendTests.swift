/// What the source alone says: less than the compiler, with less confidence, and never silent about it.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct SyntaxFrontendTests {
  private func audit() throws -> AuditResult {
    var options = AuditOptions(path: FixtureExpectation.package)
    options.sourceOnly = true
    return try Audit.run(options)
  }

  @Test("without a compiler at least half of the fixtures' findings are found, each with low confidence") func recall()
    throws
  {
    let result = try audit()
    let found = Set(result.findings.map { "\($0.location.file):\($0.location.line) \($0.rule)" })
    let expected = Set(try FixtureExpectation.read().map(\.description))
    #expect(
      found.intersection(expected).count * 2 >= expected.count,
      "\(found.intersection(expected).count) of \(expected.count)")
    #expect(result.findings.allSatisfy { $0.confidence == .low })
    #expect(result.modules.allSatisfy { $0.source == .syntax && $0.reason != nil })
  }

  @Test("the manifest's default isolation is read") func manifest() {
    let text = """
      let package = Package(name: "p", targets: [
        .target(name: "App", swiftSettings: [.defaultIsolation(MainActor.self)]), .target(name: "Core")
      ])
      """
    let settings = SourceSyntax.isolationSettings(manifest: text)
    #expect(settings["App"]?.isMainActorDefault == true)
    #expect(settings["Core"]?.isMainActorDefault == false)
  }

  @Test(
    "any text is read without a crash",
    arguments: [
      "", "{", "func f(", "class A { var x = ", "if let { await }", "\u{0}\u{1}", "for x in { }", "a = b = c",
      "switch x { case",
    ])
  func damaged(_ text: String) throws {
    let directory = NSTemporaryDirectory() + "/mainstay-syntax-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try text.write(toFile: directory + "/A.swift", atomically: true, encoding: .utf8)
    let facts = try SyntaxFrontend().read(
      SourceModule(name: "A", sources: [directory + "/A.swift"], command: nil, isTest: false))
    #expect(facts.count == 1)
  }
}
