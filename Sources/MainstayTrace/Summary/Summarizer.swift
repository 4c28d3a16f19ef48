import CMainstayTrace
import Mainstay

extension RunSummary {
  /// Summarises one process's recording. What only its parent knows (arguments, exit status, the rest of the tree) stays
  /// empty.
  public init(_ recording: Recording) {
    var wanted = Set(recording.stalls.map { Int($0.origin) })
    var waiting: Set<UInt64> = []
    recording.forEachRecord { record in
      guard case .event(let event) = record else { return }
      if event.kind == MAINSTAY_KIND_CREATED { wanted.insert(event.origin) }
      if event.kind == MAINSTAY_KIND_SUSPENDED, waiting.count < 10_000 { waiting.insert(event.value) }
    }
    let naming = Naming(recording, origins: wanted, waiting: waiting)
    var tally = Tally(recording) { naming[recording.functions[$0].address].isThunk }
    let clock = recording.clock
    process = Process()
    process.pid = recording.processIdentifier
    process.executable = recording.executable
    process.failedCheck = FailedCheck(recording, naming)
    process.durationSeconds = clock.secondsSinceStart(recording.header.latest.ticks)
    selfCheck = SelfCheck(recording)
    refreshRateHz = (Duration.seconds(1) / recording.frameInterval * 1000).rounded() / 1000
    budgetMilliseconds = recording.budget / .milliseconds(1)
    stalls = Self.stalls(recording, tally.history, naming)
    mainActor = MainActorUse(recording, tally, stalls)
    mainQueue = MainQueueUse(recording, tally)
    pool = Pool(threads: tally.poolThreads.count, starved: Self.starved(recording, naming))
    // Stretches are kept from below the budget on: only those over it are stalls, and no train.
    let stalled = recording.stalls
      .filter { clock.duration(recording.running(from: $0.start, for: $0.length)) > recording.budget }
      .map { $0.start..<max($0.start &+ $0.length, $0.start) }
    trains = tally.trains.result(without: stalled).map { Train($0, recording, naming) }
    interleavings = Self.interleavings(recording, tally.history, naming)
    executors = Self.executors(recording, tally, naming)
    functions = Self.functions(recording, tally, naming)
    hops = Self.hops(recording, tally, naming)
    boundaries = Self.boundaries(recording)
    tasks = Tasks()
    for thread in recording.threads {
      tasks.created += Int(counted: thread.created)
      tasks.completed += Int(counted: thread.completed)
      tasks.cancelled += Int(counted: thread.cancelled)
    }
    tasks.sites = Self.creations(tally.history, naming)
    tasks.pendingContinuations = tally.history.waits.compactMap { PendingContinuation($0, recording, naming) }
    lost = Lost(
      records: Int(clamping: recording.header.lost_records), samples: Int(clamping: recording.header.lost_samples))
    notVisible = Self.notVisible(recording, stalls, naming)
  }

  static func executorName(_ recording: Recording, _ type: Int) -> String {
    let found = recording.executorTypes[type]
    return found.name.isEmpty ? "an unnamed actor" : found.name
  }

  static func function(_ recording: Recording, _ index: UInt16) -> Recording.Function {
    recording.functions[Int(index) < recording.functions.count ? Int(index) : 0]
  }
}

extension RunSummary.MainActorUse {
  init(_ recording: Recording, _ tally: Tally, _ stalls: [RunSummary.Stall]) {
    let main = tally.executors[Int(MAINSTAY_EXECUTOR_MAIN.rawValue)]
    let clock = recording.clock
    let frames = FrameBudget(interval: recording.frameInterval)
    jobs = main.use.count
    busySeconds = clock.seconds(main.use.ticks &+ tally.mainBlocks.ticks)
    // A stall counts whole here, also when something that ran inside it has cut it into several records.
    let stalled =
      recording.stalls.filter { $0.kind != MAINSTAY_KIND_BLOCK.rawValue }
      .map { recording.running(from: $0.start, for: $0.length) }.max() ?? 0
    let worst = recording.gaps.isEmpty ? max(main.use.worst, stalled) : stalled
    p50Milliseconds = clock.milliseconds(tally.mainLengths.percentile(0.5, worst: worst))
    p90Milliseconds = clock.milliseconds(tally.mainLengths.percentile(0.9, worst: worst))
    p99Milliseconds = clock.milliseconds(tally.mainLengths.percentile(0.99, worst: worst))
    worstMilliseconds = max(clock.milliseconds(worst), stalls.first { $0.kind == .job }?.lengthMilliseconds ?? 0)
    waitP99Milliseconds = clock.milliseconds(main.waits.percentile(0.99, worst: main.worstWait))
    overBudget = stalls.count + Int(counted: recording.header.displaced_stalls)
    // Frames are dropped by what is longer than a frame, which the budget need not be.
    let open = stalls.filter(\.open).map(\.droppedFrames).reduce(0, +)
    droppedFrames =
      recording.stalls.map {
        frames.droppedFrames(for: clock.duration(recording.running(from: $0.start, for: $0.length)))
      }.reduce(0, +) + open
      + Int(counted: recording.header.displaced_frames)
  }
}
