import Foundation
import MainstayTrace
import Testing

/// The tests of `Tests/Fixtures/Packages/Budgets`, a package that depends on this one by path. Names that begin with `over`
/// must fail, and `within` must pass. `scripts/judge-budgets` runs them often, and beside busy processes.
@Suite("The trait in another package's tests", .serialized, .timeLimit(.minutes(60)))
struct FrameBudgetTests {
  private static let package = "\(TestFolder.fixtures)/Packages/Budgets"
  /// Kept between runs, so that only the first is slow.
  private static let options = [
    "--package-path", package, "--scratch-path",
    URL(filePath: "\(TestFolder.fixtures)/../../.build/budgets").standardized.path,
  ]

  private func expectRightVerdicts(_ output: String) throws {
    let ends = output.matches(of: /Test (over|within)(\w*)\([^)]*\)(?: with (\d+) test cases)? (passed|failed) after/)
    try #require(Set(ends.map { $0.1 + $0.2 }).count == 26, "not every test ran: \(output)")
    for end in ends { #expect((end.1 == "over") == (end.4 == "failed"), "\(end.0)") }
    // A parametrised test fails as a whole when one case does: each says so for itself.
    let cases = output.matches(
      of: /Test over\(milliseconds:\) recorded an issue with 1 argument milliseconds → ([\d.]+)/)
    #expect(Set(cases.map { Double($0.1) }) == [20, 25, 50, 80])
    #expect(!output.contains("was not judged"), "the recorder judged all of them")
    #expect(!output.contains("not ended"))
    // What such a failure says, and where.
    let line = try source.firstIndex { $0.contains("func overInACallToTheModel") } ?? 0
    let message =
      /overInACallToTheModel\(\) recorded an issue at StoveTests\.swift:(\d+):\d+: .*\n(.*\n)*?↳? *move the work/
    let said = try #require(output.firstMatch(of: message), "\(output)")
    #expect(Int(said.1) == line + 1)
    #expect(said.0.contains("1 of 2 main-actor jobs of this test overran the budget of 16.7 ms: 1 frame dropped"))
    #expect(said.0.contains("StoveTests.swift:"))
  }

  private var source: [String] {
    get throws {
      try String(contentsOfFile: "\(Self.package)/Tests/KitchenTests/StoveTests.swift", encoding: .utf8)
        .components(separatedBy: "\n")
    }
  }

  @Test("fails the tests whose own jobs overrun their budget, and no other")
  func verdicts() async throws {
    let outcome = try await Subprocess(executable: "/usr/bin/env", arguments: ["swift", "test"] + Self.options).run()
    #expect(outcome.end == .exited(1))
    try expectRightVerdicts(outcome.text + outcome.errors)
  }

  @Test("judges the same under 'mainstay run', whose recorder it then asks")
  func preloaded() async throws {
    let run = try await Tool.record(["swift", "test", "--skip-build"] + Self.options)
    #expect(run.outcome.end == .exited(1))
    try expectRightVerdicts(run.outcome.text + run.outcome.errors)
    #expect(run.summary.process.executable == "BudgetsPackageTests.xctest")
    #expect(run.summary.selfCheck.complete && run.summary.mainActor.overBudget > 20)
  }
}
