import Foundation
import Testing

/// The guides in `Documentation/Guide` show code; what they show compiles, without a warning.
@Suite("The guide")
struct GuideTests {
  static let folder = SwiftCompiler.package.appendingPathComponent("Documentation/Guide")
  static let guides = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".md") }.sorted()

  @Test("shows code that compiles", arguments: guides)
  func compiles(guide: String) throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent(guide), encoding: .utf8)
    let snippets = text.matches(of: /(?ms)^```swift\n(.*?)^```/).map { String($0.1) }
    guard !snippets.isEmpty else { return }
    let source = FileManager.default.temporaryDirectory
      .appendingPathComponent("mainstay-guide-\(UUID().uuidString).swift")
    defer { try? FileManager.default.removeItem(at: source) }
    // The snippets of one guide build on one another, so they are one file.
    try snippets.joined(separator: "\n").write(to: source, atomically: true, encoding: .utf8)
    // What tests link records, and the recorder is C.
    let flags = text.contains("import MainstayTesting") ? SwiftCompiler.recorderFlags : []
    let outcome = try SwiftCompiler.check([source], flags: flags)
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(guide):\n\(outcome.output)")
  }

  @Test(
    "has a page for every piece, with code",
    arguments: [
      "FrameBudget", "Heartbeat", "LatestTask", "Boundaries", "FrameSlicer", "Journal", "FrameBudgetTests",
    ])
  func complete(piece: String) throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent("\(piece).md"), encoding: .utf8)
    #expect(text.contains("```swift"))
  }
}
