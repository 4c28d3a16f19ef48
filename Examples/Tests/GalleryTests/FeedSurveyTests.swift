import BuiltTool
import FeedImplementations
import ForeignFeed
import Foundation
import Testing

/// The article's probe over sessions, with the built tool and the built application: `gallery feed` in a survey, recorded
/// by `mainstay run`, several runs added up by `mainstay boundaries`.
@Suite("A survey of the feed over several runs", .timeLimit(.minutes(30)), .enabled(if: BuiltTool.isHere, "no tool"))
struct FeedSurveyTests {
  private struct Document: Decodable {
    struct Row: Decodable {
      var name: String
      var contract: String
      var callbacks: Int
      var onMain: Int
      var offMain: Int
      var runs: Int
      var exercisedIn: Int
      var exercised: Bool
    }
    var schema: String
    var runs: Int
    var boundaries: [Row]
  }

  @Test(
    "counts 40,000 callbacks exactly over three runs, and names the contract that none exercised",
    arguments: FeedImplementation.available)
  func merged(implementation: FeedImplementation) async throws {
    let tool = try #require(BuiltTool.path, "\(BuiltTool.absence)")
    let folder = FileManager.default.temporaryDirectory.appending(path: "feed-survey-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var reports: [String] = []
    // Two observations, each told of the first state and of every update: 2 × (6,665 + 6,666 + 6,666 + 3) = 40,000.
    for (run, updates) in [6_665, 6_666, 6_666].enumerated() {
      let report = folder.appending(path: "\(run).json").path
      let outcome = try await Subprocess.run(
        tool,
        [
          "run", "--quiet", "--json", report, "--", GalleryProcess.path, "feed", "--updates", "\(updates)", "--rate",
          "0",
          "--implementation", implementation.rawValue,
        ], environment: ["MAINSTAY_BOUNDARIES": "survey"])
      #expect(outcome.status == 0 && !outcome.isSignal, "\(outcome.notes)")
      #expect(
        outcome.output == "\(implementation.title): \(updates + 1) states on main, \(updates + 1) off main, loaded\n")
      #expect(outcome.files.isEmpty, "left behind: \(outcome.files)")
      reports.append(report)
    }

    let merged = try await Subprocess.run(tool, ["boundaries", "--merge", "--format", "json"] + reports)
    #expect(merged.status == 0, "\(merged.notes)")
    let document = try JSONDecoder().decode(Document.self, from: Data(merged.output.utf8))
    #expect(document.schema == "mainstay.boundaries/1" && document.runs == 3)
    #expect(document.boundaries.map(\.callbacks).reduce(0, +) == 40_000)
    let contract = try implementation.makeController().contract
    let states = try #require(document.boundaries.first { $0.name == "feed states" })
    #expect(states.contract == contract.observe)
    #expect((states.callbacks, states.onMain, states.offMain) == (20_000, 20_000, 0))
    let offMain = try #require(document.boundaries.first { $0.name == "feed states off main" })
    #expect(offMain.contract == contract.observeOffMain)
    #expect((offMain.callbacks, offMain.onMain, offMain.offMain) == (20_000, 0, 20_000))
    #expect(document.boundaries.allSatisfy { $0.runs == 3 && $0.exercisedIn == ($0.exercised ? 3 : 0) })
    #expect(document.boundaries.filter { !$0.exercised }.map(\.name) == ["feed endings"])

    let text = try await Subprocess.run(tool, ["boundaries", "--merge"] + reports)
    #expect(text.output.hasPrefix("40,000 callbacks in 3 runs."))
    #expect(text.output.contains("Never exercised, so nothing is known of them:\n  feed endings, in 3 runs\n"))
  }
}
