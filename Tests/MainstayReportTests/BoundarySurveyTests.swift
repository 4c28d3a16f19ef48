import Foundation
import MainstayReport
import MainstayTrace
import Testing

@Suite("A survey of boundaries")
struct BoundarySurveyTests {
  @Test("adds up the callbacks of several runs, boundary by boundary, and counts the runs")
  func sums() throws {
    var survey = BoundarySurvey()
    for (onMain, offMain) in [(13_333, 0), (13_333, 0), (13_331, 3)] {
      try survey.add(
        run([
          .boundary(
            "states", "on main", callbacks: onMain + offMain, onMain: onMain, offMain: offMain,
            queues: offMain > 0 ? ["radio"] : []),
          .boundary("progress", "anywhere", callbacks: 2, onMain: 0, offMain: 1, cannotTell: 1, p99: Double(onMain)),
        ]))
    }
    #expect(survey.runs == 3)
    #expect(survey.callbacks == 40_006)
    #expect(survey.boundaries.map(\.name) == ["progress", "states"], "in the order of their names")
    let states = try #require(survey.boundaries.last)
    #expect(states.callbacks == 40_000 && states.onMain == 39_997 && states.offMain == 3)
    #expect(states.queues == ["radio"])
    #expect(states.runs == 3 && states.exercisedIn == 3 && states.exercised)
    #expect(states.worstP99Milliseconds == nil)
    let progress = try #require(survey.boundaries.first)
    #expect(progress.cannotTell == 3 && progress.worstP99Milliseconds == 13_333)
  }

  @Test("names the contracts that no run has exercised, and not those that one has")
  func neverExercised() throws {
    var survey = BoundarySurvey()
    try survey.add(run([.boundary("states", "on main", callbacks: 0), .boundary("errors", "on main", callbacks: 0)]))
    try survey.add(
      run([.boundary("states", "on main", callbacks: 1, onMain: 1), .boundary("errors", "on main", callbacks: 0)]))
    try survey.add(run([]))
    #expect(survey.neverExercised.map(\.name) == ["errors"])
    #expect(survey.neverExercised[0].runs == 2 && survey.neverExercised[0].exercisedIn == 0)
    #expect(survey.boundaries.last?.exercisedIn == 1)
    #expect(survey.runs == 3 && survey.runsWithoutBoundaries == 1)
  }

  @Test("a boundary of the same name with another contract is another boundary")
  func contracts() throws {
    var survey = BoundarySurvey()
    try survey.add(
      run([
        .boundary("states", "feed.h", callbacks: 1, onMain: 1), .boundary("states", "Feed.kt", callbacks: 2, onMain: 2),
      ]))
    #expect(survey.boundaries.map(\.contract) == ["Feed.kt", "feed.h"])
    #expect(survey.boundaries.map(\.callbacks) == [2, 1])
  }

  @Test("two boundaries of one name and contract in one run are one run")
  func twice() throws {
    var survey = BoundarySurvey()
    try survey.add(
      run([.boundary("states", "on main", callbacks: 0), .boundary("states", "on main", callbacks: 5, onMain: 5)]))
    #expect(survey.boundaries.count == 1)
    #expect(
      survey.boundaries[0].callbacks == 5 && survey.boundaries[0].runs == 1 && survey.boundaries[0].exercisedIn == 1)
  }

  @Test("a count that is none is refused, and nothing of that run is added", arguments: [-1, Int.min])
  func negative(count: Int) throws {
    var survey = BoundarySurvey()
    try survey.add(run([.boundary("states", "on main", callbacks: 7, onMain: 7)]))
    let before = survey
    #expect(throws: BoundarySurvey.Damage.self) {
      try survey.add(
        run([.boundary("others", "on main", callbacks: 1, onMain: 1), .boundary("states", "on main", callbacks: count)])
      )
    }
    #expect(survey == before)
  }

  @Test("sums that do not fit into a count are refused, for one boundary and for all together")
  func overflow() throws {
    var survey = BoundarySurvey()
    try survey.add(run([.boundary("states", "on main", callbacks: .max, onMain: 1)]))
    for name in ["states", "others"] {
      #expect(throws: BoundarySurvey.Damage.self) {
        try survey.add(run([.boundary(name, "on main", callbacks: 1, onMain: 1)]))
      }
    }
    #expect(survey.callbacks == .max && survey.runs == 1)
  }

  @Test("is the same document for the same runs, whatever order their boundaries are in")
  func deterministic() throws {
    let boundaries: [[String: Any]] = [
      .boundary("b", "1", callbacks: 1), .boundary("a", "2", callbacks: 2), .boundary("a", "1", callbacks: 3),
    ]
    var (one, other) = (BoundarySurvey(), BoundarySurvey())
    try one.add(run(boundaries))
    try other.add(run(boundaries.reversed()))
    #expect(try one.document() == other.document())
    let document = String(decoding: try one.document(), as: UTF8.self)
    #expect(document.contains("\"schema\" : \"mainstay.boundaries/1\""))
    #expect(document.contains("\"worstP99Milliseconds\" : null"))
    #expect(try JSONDecoder().decode(BoundarySurvey.self, from: one.document()) == one)
  }

  private func run(_ boundaries: [[String: Any]]) throws -> RunSummary {
    let decoded = try JSONDecoder().decode(
      [RunSummary.Boundary].self, from: JSONSerialization.data(withJSONObject: boundaries))
    return Sample.run { $0.boundaries = decoded }
  }
}

extension [String: Any] {
  fileprivate static func boundary(
    _ name: String, _ contract: String, callbacks: Int, onMain: Int = 0, offMain: Int = 0, cannotTell: Int = 0,
    queues: [String] = [], p99: Double? = nil
  ) -> [String: Any] {
    [
      "name": name, "contract": contract, "callbacks": callbacks, "onMain": onMain, "offMain": offMain,
      "cannotTell": cannotTell, "inversions": 0, "queues": queues, "exercised": callbacks > 0, "kind": "asserted",
      "file": "", "line": 0,
      "p50Milliseconds": p99 as Any? ?? NSNull(), "p99Milliseconds": p99 as Any? ?? NSNull(),
    ]
  }
}
