/// The job list: segments between suspensions, with the key that joins them to measurements.
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct JobListTests {
  private func call(_ name: String, async: Bool, line: Int) -> Event {
    Event(
      kind: .call(
        Call(callee: .function(name), display: name, isAsync: async, executor: .own, arguments: [], receiver: nil)),
      location: SourceLocation(file: "A.swift", line: line, column: 5))
  }

  @Test("a function has one job for its start and one for each suspension, in source order") func segments() {
    let function = FunctionFacts(
      name: "$s1f", display: "f()", module: "App", location: SourceLocation(file: "A.swift", line: 1, column: 1),
      isolation: .mainActor, flags: .isAsync, parameters: [],
      blocks: [
        .init(events: 0..<2, successors: [1, 2]), .init(events: 2..<4, successors: [2]),
        .init(events: 4..<5, successors: []),
      ],
      events: [
        call("prepare", async: false, line: 2), call("fetch", async: true, line: 3),
        call("decode", async: false, line: 4),
        call("store", async: true, line: 5), call("show", async: false, line: 6),
      ], source: .compiler)
    let jobs = JobList.jobs(of: function)
    #expect(jobs.map(\.ordinal) == [0, 1, 2])
    #expect(jobs.map(\.resume.line) == [1, 3, 5])
    #expect(jobs.map(\.calls) == [["prepare"], ["decode", "show"], ["show"]])
    #expect(jobs[0].ends == [.suspension("fetch")])
    #expect(jobs[1].ends == [.suspension("store"), .returns])
    #expect(jobs[2].ends == [.returns])
    #expect(jobs.allSatisfy { $0.function == "$s1f" && $0.isolation == .mainActor })
  }
}
