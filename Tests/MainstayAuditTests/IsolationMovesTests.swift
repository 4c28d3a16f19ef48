/// What moved between two states of a package.
import Foundation
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct IsolationMovesTests {
  private func facts(_ text: String) throws -> IsolationFacts {
    let directory = NSTemporaryDirectory() + "/mainstay-moves-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try text.write(toFile: directory + "/A.swift", atomically: true, encoding: .utf8)
    // The folder's name is the module's: the same for both states.
    var options = AuditOptions.uncached(directory)
    options.sourceOnly = true
    var facts = try Audit.isolation(options, with: try Audit.run(options))
    for index in facts.functions.indices { facts.functions[index].module = "App" }
    return facts
  }

  @Test("functions that moved onto and off the main actor are listed, and findings that came and went")
  func moves() throws {
    let before = try facts(
      """
      import Foundation
      func load(_ u: URL) -> Data? { try? Data(contentsOf: u) }
      @MainActor func show() {}
      func same() {}
      """)
    let after = try facts(
      """
      import Foundation
      @MainActor func load(_ u: URL) -> Data? { try? Data(contentsOf: u) }
      func show() {}
      func same() {}
      func fresh() {}
      """)
    let moves = IsolationMoves(from: before, to: after)
    #expect(moves.ontoMain.map(\.display) == ["load(_:)"])
    #expect(moves.offMain.map(\.display) == ["show()"])
    #expect(moves.newFindings.map(\.rule) == ["main_actor_blocking"])
    #expect(moves.fixedFindings.isEmpty)
    #expect(moves.added == 1)
    #expect(moves.markdown.contains("| `load(_:)` | nonisolated | MainActor | `A.swift:2` |"))
    #expect(IsolationMoves(from: before, to: before).isEmpty)
    #expect(IsolationMoves(from: before, to: before).markdown.contains("No function moved"))
  }

  @Test("facts read back are the same, and another version is refused in words") func reading() throws {
    let facts = try facts("func f() {}\n")
    let path = NSTemporaryDirectory() + "/mainstay-facts-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try facts.text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try IsolationFacts.read(path) == facts)
    for (text, message) in [
      ("{\"schema\": \"mainstay.facts/9\"}", "is of another version: mainstay.facts/9"),
      (String(facts.text.dropLast(4)), "is damaged at line"),
      ("{\"schema\": \"mainstay.audit/1\"}", "is no list of facts"),
      ("{\"schema\": \"\(IsolationFacts.current)\"}", "is no list of facts"), ("", "is no list of facts"),
    ] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      do {
        _ = try IsolationFacts.read(path)
        Issue.record("\(text) was accepted")
      } catch let failure as AuditFailure {
        #expect(failure.message.contains(message), "\(failure.message)")
        #expect(failure.advice.contains("--write-facts"))
      }
    }
  }
}
