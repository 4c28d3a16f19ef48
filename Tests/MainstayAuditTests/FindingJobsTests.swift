/// Which measured jobs an event belongs to: back through callers, awaits and what was awaited.
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct FindingJobsTests {
  private func place(_ line: Int) -> MainstayFindings.SourceLocation {
    MainstayFindings.SourceLocation(file: "App.swift", line: line, column: 5)
  }

  private func call(
    _ callee: String, line: Int, async: Bool = false, executor: Executor = .own
  ) -> Event {
    Event(
      kind: .call(
        Call(
          callee: .function(callee), display: callee, isAsync: async, executor: executor, arguments: [],
          receiver: nil)), location: place(line))
  }

  private func function(
    _ name: String, line: Int, _ isolation: Isolation = .mainActor, async: Bool = true, events: [Event]
  ) -> FunctionFacts {
    FunctionFacts(
      name: name, display: name + "()", module: "App", location: place(line), isolation: isolation,
      flags: async ? .isAsync : [], parameters: [],
      blocks: [FunctionFacts.Block(events: 0..<events.count, successors: [])], events: events, source: .compiler)
  }

  private func program(_ functions: [FunctionFacts]) -> Program {
    var file = FileFacts()
    file.functions = functions
    return Program(files: [file], ownFiles: ["App.swift"], defaultIsolation: [:], configuration: Configuration())
  }

  /// The jobs of the last call of a function, as "function ordinal".
  private func jobs(_ program: Program, lastOf name: String, isCaller: Bool = false) -> [String] {
    let index = program.function(named: name) ?? 0
    let event = program.functions[index].events.count - 1
    return program.jobs(running: event, of: index, onMain: true).filter { $0.isCaller == isCaller }
      .map { "\($0.symbol) \($0.ordinal)" }.sorted()
  }

  @Test("a call after an await runs in the job that resumes from it, and in no other")
  func afterAwait() {
    let load = function(
      "load", line: 1,
      events: [call("early", line: 2), call("fetch", line: 3, async: true, executor: .generic), call("sink", line: 4)])
    let program = program([load])
    #expect(jobs(program, lastOf: "load") == ["load 1"])
    let key = program.jobs(running: 2, of: 0, onMain: true).first
    #expect(key?.location.line == 3 && key?.executor == "MainActor")
  }

  @Test("a synchronous function runs in the jobs of its callers")
  func synchronous() {
    let program = program([
      function("draw", line: 1, .nonisolated, async: false, events: [call("sink", line: 2)]),
      function(
        "load", line: 5, events: [call("fetch", line: 6, async: true, executor: .generic), call("draw", line: 7)]),
      function("tick", line: 9, events: [call("draw", line: 10)]),
    ])
    #expect(jobs(program, lastOf: "draw") == ["load 1", "tick 0"])
  }

  @Test("the first job of a function that its own actor awaits is the caller's job")
  func awaitedOnTheSameActor() {
    let program = program([
      function("inner", line: 1, events: [call("sink", line: 2)]),
      function(
        "outer", line: 5,
        events: [call("fetch", line: 6, async: true, executor: .generic), call("inner", line: 7, async: true)]),
    ])
    #expect(jobs(program, lastOf: "inner") == ["inner 0", "outer 1"])
    #expect(jobs(program, lastOf: "inner", isCaller: true) == ["outer 2"], "compiled into its caller")
  }

  @Test("what follows an await on the same actor runs in the last job of what was awaited")
  func afterReturn() {
    let program = program([
      function("inner", line: 1, events: [call("fetch", line: 2, async: true, executor: .generic)]),
      function("outer", line: 5, events: [call("inner", line: 6, async: true), call("sink", line: 7)]),
    ])
    #expect(jobs(program, lastOf: "outer") == ["inner 1", "outer 1"])
  }

  @Test("an awaited method of another instance of the same actor type is another executor")
  func otherInstance() {
    let program = program([
      function("meet", line: 1, .selfActor, events: [call("fetch", line: 2, async: true, executor: .generic)]),
      function("pay", line: 5, .selfActor, events: [call("meet", line: 6, async: true), call("sink", line: 7)]),
    ])
    let pay = program.function(named: "pay") ?? 0
    let jobs = program.jobs(running: 1, of: pay, onMain: false).filter { !$0.isCaller }
    #expect(jobs.map(\.symbol) == ["pay"])
  }
}
