import CMainstayTrace

/// What the records of a recording add up to, in its own units: those that are kept, and those that were folded.
struct Tally {
  struct Use {
    var count = 0
    var ticks: UInt64 = 0
    var worst: UInt64 = 0

    mutating func add(_ length: UInt64) {
      count += 1
      ticks &+= length
      worst = max(worst, length)
    }
  }

  struct ExecutorUse {
    var use = Use()
    var waits = Histogram()
    var worstWait: UInt64 = 0
  }

  /// A function; for one that many closures share, told apart by where the task was made.
  struct FunctionKey: Hashable {
    var function: Int
    var origin: Int
  }

  private(set) var executors: [ExecutorUse]
  private(set) var functions: [FunctionKey: Use] = [:]
  private(set) var mainLengths = Histogram()
  private(set) var mainBlocks = Use()
  /// When the main actor last began something, in ticks.
  private(set) var lastMainStart: UInt64 = 0
  private(set) var poolThreads: Set<UInt32> = []
  private(set) var history: TaskHistory
  var trains: TrainTally

  init(_ recording: Recording, isShared: (Int) -> Bool) {
    executors = Array(repeating: ExecutorUse(), count: recording.executorTypes.count)
    history = TaskHistory(recording)
    trains = TrainTally(recording)
    let functionCount = recording.functions.count
    let shared = (0..<functionCount).map(isShared)
    var origins: [UInt64: Int] = [:]
    var uses = Array(repeating: Use(), count: functionCount)
    if shared.contains(true) {
      recording.forEachRecord { record in
        if case .event(let event) = record, event.kind == MAINSTAY_KIND_CREATED { origins[event.task] = event.origin }
      }
    }
    var tally = self
    recording.forEachRecordInOrder { record in
      guard case .stretch(let stretch) = record else {
        if case .event(let event) = record { tally.history.add(event) }
        return
      }
      let function = recording.functions[stretch.function]
      tally.add(stretch, on: function)
      let key = FunctionKey(
        function: stretch.function, origin: shared[stretch.function] ? origins[stretch.task] ?? 0 : 0)
      if shared[stretch.function] {
        tally.functions[key, default: Use()].add(stretch.length)
      } else {
        uses[stretch.function].add(stretch.length)
      }
      if !function.isBlock { tally.history.add(stretch, executorType: function.executorType) }
      if function.executorType == Int(MAINSTAY_EXECUTOR_MAIN.rawValue) { tally.trains.add(stretch, key) }
    }
    for stretch in recording.openStretches {
      tally.add(stretch, on: recording.functions[stretch.function])
      uses[stretch.function].add(stretch.length)
    }
    for (function, use) in uses.enumerated() where use.count > 0 {
      tally.functions[FunctionKey(function: function, origin: 0), default: Use()] = use
    }
    tally.addFolded(recording)
    self = tally
  }

  private mutating func add(_ stretch: Stretch, on function: Recording.Function) {
    if function.executorType == Int(MAINSTAY_EXECUTOR_MAIN.rawValue) {
      lastMainStart = max(lastMainStart, stretch.start)
    }
    if function.isBlock {
      mainBlocks.add(stretch.length)
      return
    }
    let type = function.executorType
    executors[type].use.add(stretch.length)
    if let wait = stretch.wait {
      executors[type].waits.add(wait)
      executors[type].worstWait = max(executors[type].worstWait, wait)
    }
    if type == Int(MAINSTAY_EXECUTOR_MAIN.rawValue) { mainLengths.add(stretch.length) }
    if type == Int(MAINSTAY_EXECUTOR_POOL.rawValue) { poolThreads.insert(stretch.thread) }
  }

  private mutating func addFolded(_ recording: Recording) {
    for (index, total) in recording.totals.enumerated() where total.count > 0 && index < recording.functions.count {
      let function = recording.functions[index]
      var use = functions[FunctionKey(function: index, origin: 0)] ?? Use()
      use.add(total)
      functions[FunctionKey(function: index, origin: 0)] = use
      guard !function.isBlock else {
        mainBlocks.add(total)
        continue
      }
      executors[function.executorType].use.add(total)
      executors[function.executorType].worstWait = max(executors[function.executorType].worstWait, total.worst_wait)
    }
    for type in executors.indices {
      if let waits = recording.foldedHistogram(type) { executors[type].waits.add(waits) }
    }
    if let lengths = recording.foldedHistogram(Int(MAINSTAY_EXECUTOR_TYPES)) { mainLengths.add(lengths) }
  }
}

extension Tally.Use {
  fileprivate mutating func add(_ total: mainstay_total) {
    count += Int(counted: total.count)
    ticks &+= total.ticks
    worst = max(worst, total.worst)
  }
}
