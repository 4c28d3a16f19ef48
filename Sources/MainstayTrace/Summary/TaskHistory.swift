import CMainstayTrace

/// What tasks do between their stretches, from the records in order: where they hop, what runs on an actor that they will
/// come back to, where they were made, and which wait in a continuation. One entry for each task that has not completed.
struct TaskHistory {
  struct Pair: Hashable {
    var from: Int
    var to: Int
  }

  struct HopKey: Hashable {
    var pair: Pair
    /// The function that hopped.
    var function: Int
  }

  struct InterleavingKey: Hashable {
    var executorType: Int
    /// The function that came back, and the one that ran last while it was away.
    var function: Int
    var by: Int
    /// The last continuation that the one that came back waited in: what it resumed in, and the address of what awaits that.
    var resumes: Int
    var waiting: UInt64
  }

  struct Wait {
    var task: UInt64
    var since: UInt64
    var resumes: Int
    var waiting: UInt64
    /// Where the task was made.
    var origin: Int
  }

  private(set) var hops: [HopKey: Int] = [:]
  /// For each pair of executor types: hops by whole seconds since the start.
  private(set) var hopsPerSecond: [Pair: [UInt64: Int]] = [:]
  private(set) var interleavings: [InterleavingKey: Int] = [:]
  /// Tasks made at each origin, and by whole seconds since the start.
  private(set) var creations: [Int: [UInt64: Int]] = [:]
  /// For tasks that stalled: the executor whose context they inherited.
  private(set) var inherited: [UInt64: Int] = [:]

  private var tasks: [UInt64: Entry] = [:]
  private var executors: [Executor]
  private let stalled: Set<UInt64>
  private let start: UInt64
  private let ticksPerSecond: UInt64
  private static let mostInterleavings = 4096

  /// A task, between two of its stretches.
  fileprivate struct Entry {
    var type = -1
    var function = 0
    var end: UInt64 = 0
    /// Actors that it left at an await, with how many stretches they had run by then: the last four.
    var visits: (Visit, Visit, Visit, Visit) = (Visit(), Visit(), Visit(), Visit())
    var wait: Wait?
    /// The last continuation's, also when it was resumed.
    var resumes = 0
    var waiting: UInt64 = 0
    var origin = 0
  }

  fileprivate struct Visit {
    var executor = 0
    var stretches = 0
  }

  private struct Executor {
    var stretches = 0
    var function = 0
  }

  init(_ recording: Recording) {
    start = recording.clock.start
    stalled = Set(recording.stalls.map(\.task) + recording.threads.map(\.task))
    ticksPerSecond = max(1, recording.clock.ticks(nanoseconds: 1e9))
    executors = Array(repeating: Executor(), count: recording.executors.count)
  }

  mutating func add(_ stretch: Stretch, executorType type: Int) {
    let before = tasks[stretch.task]
    var entry = before ?? Entry()
    entry.wait = nil
    if entry.type >= 0, entry.type != type {
      let pair = Pair(from: entry.type, to: type)
      hops[HopKey(pair: pair, function: entry.function), default: 0] += 1
      hopsPerSecond[pair, default: [:]][second(of: entry.end), default: 0] += 1
    }
    if stretch.executor != 0 { visit(stretch, type, &entry) }
    switch stretch.end {
    case MAINSTAY_END_COMPLETED:
      if before != nil { tasks[stretch.task] = nil }
      return
    case MAINSTAY_END_HOP, MAINSTAY_END_INLINE:
      (entry.type, entry.function, entry.end) = (type, stretch.function, stretch.start &+ stretch.length)
    default: entry.type = -1
    }
    tasks[stretch.task] = entry
  }

  mutating func add(_ event: TaskEvent) {
    switch event.kind {
    case MAINSTAY_KIND_CREATED:
      tasks[event.task, default: Entry()].origin = event.origin
      creations[event.origin, default: [:]][second(of: event.time), default: 0] += 1
      if event.executor != 0, stalled.contains(event.task) { inherited[event.task] = event.executor }
    case MAINSTAY_KIND_SUSPENDED:
      var entry = tasks[event.task] ?? Entry()
      (entry.resumes, entry.waiting) = (event.origin, event.value)
      entry.wait = Wait(
        task: event.task, since: event.time, resumes: event.origin, waiting: event.value, origin: entry.origin)
      tasks[event.task] = entry
    case MAINSTAY_KIND_RESUMED: tasks[event.task]?.wait = nil
    default: break
    }
  }

  /// The tasks that wait in a continuation after the last record, the longest first.
  var waits: [Wait] { tasks.values.compactMap(\.wait).sorted { ($0.since, $0.task) < ($1.since, $1.task) } }

  private func second(of time: UInt64) -> UInt64 { time > start ? (time - start) / ticksPerSecond : 0 }

  private mutating func visit(_ stretch: Stretch, _ type: Int, _ entry: inout Entry) {
    let executor = stretch.executor
    if let left = entry.stretches(on: executor), executors[executor].stretches > left {
      let key = InterleavingKey(
        executorType: type, function: stretch.function, by: executors[executor].function, resumes: entry.resumes,
        waiting: entry.waiting)
      if interleavings.count < Self.mostInterleavings || interleavings[key] != nil {
        interleavings[key, default: 0] += 1
      }
    }
    executors[executor].stretches += 1
    executors[executor].function = stretch.function
    entry.leave(executor, after: executors[executor].stretches)
  }
}

extension TaskHistory.Entry {
  fileprivate func stretches(on executor: Int) -> Int? {
    if visits.0.executor == executor { return visits.0.stretches }
    if visits.1.executor == executor { return visits.1.stretches }
    if visits.2.executor == executor { return visits.2.stretches }
    if visits.3.executor == executor { return visits.3.stretches }
    return nil
  }

  /// Moves the executor to the front; the one left longest ago falls out.
  fileprivate mutating func leave(_ executor: Int, after stretches: Int) {
    let visit = TaskHistory.Visit(executor: executor, stretches: stretches)
    if visits.0.executor == executor {
      visits.0 = visit
    } else if visits.1.executor == executor {
      visits = (visit, visits.0, visits.2, visits.3)
    } else if visits.2.executor == executor {
      visits = (visit, visits.0, visits.1, visits.3)
    } else {
      visits = (visit, visits.0, visits.1, visits.2)
    }
  }
}
