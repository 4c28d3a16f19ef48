import Foundation
import Testing

/// The ways to ask whether one is on the main actor, when the main queue is served by threads of the pool, as it is under
/// an async `main`: Documentation/Guide/OntoTheMainActor.md has the table.
@Suite("Asked whether it is on the main actor", .timeLimit(.minutes(60)))
struct MainActorProbeTests {
  /// What each way says at the program's start, in a main-actor job, in a main-queue block, and on a foreign thread.
  static let answers = [
    "assume": ["true", "true", "true", "trap"],
    "executor": ["true", "true", "true", "trap"],
    "isolating": ["nil", "nil", "nil", "nil"],
    "thread": ["true", "false", "false", "false"],
    "specific": ["true", "true", "true", "false"],
  ]

  @Test("only the mark on the main queue tells everywhere, and traps nowhere", arguments: answers.keys.sorted())
  func probes(way: String) async throws {
    let program = try await FixtureProgram.named("Asking", .debug)
    var said: [String] = []
    for place in ["start", "job", "block", "foreign"] {
      let outcome = try await program.run([place, way], environment: ["SWIFT_BACKTRACE": "enable=no"])
      said.append(outcome.end == .exited(0) ? outcome.text.split(separator: "\n").joined() : "trap")
    }
    #expect(said == Self.answers[way])
  }

  @Test("the guide's table has these answers")
  func documented() throws {
    let guide = try String(
      contentsOfFile: "\(TestFolder.fixtures)/../../Documentation/Guide/OntoTheMainActor.md", encoding: .utf8)
    let names = [
      "assume": "`MainActor.assumeIsolated`", "executor": "`swift_task_isCurrentExecutor`, of the runtime",
      "isolating": "`isIsolatingCurrentContext()`", "thread": "`Thread.isMainThread`",
      "specific": "`DispatchQueue.getSpecific`, with a key set on the main queue",
    ]
    for (way, answers) in Self.answers {
      let row = try #require(names[way].map { "| \($0) | \(answers.joined(separator: " | ")) |" })
      #expect(guide.contains(row), "no row \(row)")
    }
  }
}
