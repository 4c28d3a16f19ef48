import Testing

@testable import Mainstay

@Suite("The registry of boundaries")
struct BoundariesTests {
  @Test("lists a contract that nothing has exercised")
  func neverExercised() throws {
    _ = AssertedBoundary("untouched", contract: "a background refresh calls back on main")
    let row = try #require(Boundaries.report().neverExercised.first { $0.name == "untouched" })
    #expect(!row.exercised)
    #expect(row.description.contains("never exercised"))
  }

  @Test("keeps one row for boundaries made again and again on one line")
  @MainActor func sharedRecord() {
    for _ in 0..<10 {
      let boundary = AssertedBoundary("made per screen", contract: "on main")
      boundary.deliver(1) { _ in }
    }
    let rows = Boundaries.report().rows.filter { $0.name == "made per screen" }
    #expect(rows.map(\.callbacks) == [10])
  }

  @Test("keeps counts apart by name, contract and line")
  @MainActor func apart() {
    AssertedBoundary("apart", contract: "one").deliver(1) { _ in }
    AssertedBoundary("apart", contract: "two").deliver(1) { _ in }
    #expect(Boundaries.report().rows.filter { $0.name == "apart" }.map(\.contract) == ["one", "two"])
  }

  @Test("orders its rows by name, so that two reports of the same run are equal")
  func ordered() {
    for name in ["order b", "order c", "order a"] { _ = AssertedBoundary(name, contract: "") }
    let names = Boundaries.report().rows.map(\.name).filter { $0.hasPrefix("order ") }
    #expect(names == ["order a", "order b", "order c"])
    #expect(!Boundaries.report().isSurvey)
  }

  @Test("names made at run time do not grow it without bound")
  func bounded() async {
    await #expect(processExitsWith: .success) {
      for index in 0..<5_000 { _ = AssertedBoundary("boundary \(index)", contract: "") }
      #expect(Boundaries.report().rows.count == 4_097)
      #expect(Boundaries.report().rows.contains { $0.name == "(further boundaries)" })
    }
  }

  @Test(
    "reads its mode from the environment",
    arguments: [
      (nil, .enforce), ("", .enforce), ("survey", .survey), ("Survey", .misspelt("Survey")), ("1", .misspelt("1")),
    ] as [(String?, Boundaries.Mode)])
  func mode(variable: String?, mode: Boundaries.Mode) {
    #expect(Boundaries.Mode(environment: variable) == mode)
  }
}
