/// The jobs of a program, as its facts say them: what an executor runs from one suspension to the next.
import MainstayFindings

/// One job: a stretch of a function between two suspensions.
public struct Job: Sendable, Hashable {
  /// What ends a job.
  public enum End: Sendable, Hashable {
    /// The function is suspended for this callee.
    case suspension(String)
    case returns
  }

  /// The key that joins this job with measurements: the function's mangled name without a suffix …
  public var function: String
  /// … and which suspension it resumes from: 0 is the function's start, then in source order.
  public var ordinal: Int
  /// Where it resumes; the function's own place for its first job.
  public var resume: SourceLocation
  public var display: String
  public var module: String
  public var isolation: Isolation
  /// The ways in which it can end.
  public var ends: [End]
  /// What it calls synchronously on its own executor, in the order of the text.
  public var calls: [String]
}

public enum JobList {
  /// The events at which a function may be suspended, in the order of the text.
  static func suspensions(of function: FunctionFacts) -> [Int] {
    function.events.indices.filter { function.suspends($0) }
      .sorted { (function.events[$0].location, $0) < (function.events[$1].location, $1) }
  }

  /// The jobs of one function; a synchronous function is a part of its callers' jobs and has one.
  public static func jobs(of function: FunctionFacts) -> [Job] {
    let flow = ControlFlow(function)
    let suspensions = suspensions(of: function)
    var jobs: [Job] = []
    for (ordinal, start) in ([-1] + suspensions).enumerated() {
      var job = Job(
        function: function.name, ordinal: ordinal,
        resume: start < 0 ? function.location : function.events[start].location, display: function.display,
        module: function.module, isolation: function.isolation, ends: [], calls: [])
      var reached: Set<Int> = []
      var ends: Set<Int> = []
      let visit: (Int, inout Int) -> ControlFlow.Step = { event, _ in
        if function.suspends(event) {
          ends.insert(event)
          return .stop
        }
        reached.insert(event)
        return .goOn
      }
      if start < 0 {
        flow.walkFromEntry(state: 0, visit: visit)
      } else {
        flow.walk(after: start, state: 0, visit: visit)
      }
      job.calls = reached.sorted().compactMap { event in
        function.call(at: event).map { CalleePattern.normalised($0.display) }.flatMap { $0.isEmpty ? nil : $0 }
      }
      job.ends = ends.sorted().map { .suspension(CalleePattern.normalised(function.call(at: $0)?.display ?? "")) }
      if ends.isEmpty || flow.returns(after: start) { job.ends.append(.returns) }
      jobs.append(job)
    }
    return jobs
  }
}

extension ControlFlow {
  /// Whether the function can return after an event (or from its start, for -1) without another suspension.
  func returns(after start: Int) -> Bool {
    var seen: Set<Int> = []
    var work: [(block: Int, from: Int)] = []
    if function.blocks.isEmpty { return true }
    work.append(start < 0 ? (0, 0) : (block(of: start), start + 1))
    while let next = work.popLast() {
      let block = function.blocks[next.block]
      let events = max(next.from, block.events.lowerBound)..<max(next.from, block.events.upperBound)
      if events.contains(where: { function.suspends($0) }) { continue }
      if block.successors.isEmpty { return true }
      for successor in block.successors where seen.insert(successor).inserted {
        work.append((successor, function.blocks[successor].events.lowerBound))
      }
    }
    return false
  }
}
