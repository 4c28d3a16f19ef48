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
    process.durationSeconds = clock.secondsSinceStart(recording.header.latest.ticks)
    selfCheck = SelfCheck(recording)
    refreshRateHz = (Duration.seconds(1) / recording.frameInterval * 1000).rounded() / 1000
    budgetMilliseconds = recording.budget / .milliseconds(1)
    stalls = Self.stalls(recording, tally.history, naming)
    mainActor = MainActorUse(recording, tally, stalls)
    mainQueue = MainQueueUse(recording, tally)
    pool = Pool(threads: tally.poolThreads.count, starved: Self.starved(recording, naming))
    let stalled = recording.stalls.map { $0.start..<max($0.start &+ $0.length, $0.start) }
    trains = tally.trains.result(without: stalled).map { Train($0, recording, naming) }
    interleavings = Self.interleavings(recording, tally.history, naming)
    executors = Self.executors(recording, tally, naming)
    functions = Self.functions(recording, tally, naming)
    hops = Self.hops(recording, tally, naming)
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

  private static func executorName(_ recording: Recording, _ type: Int) -> String {
    let found = recording.executorTypes[type]
    return found.name.isEmpty ? "an unnamed actor" : found.name
  }

  // MARK: Stalls

  private static func stalls(_ recording: Recording, _ history: TaskHistory, _ naming: Naming) -> [Stall] {
    func inherited(_ task: UInt64) -> String? {
      guard let executor = history.inherited[task], executor < recording.executors.count else { return nil }
      let type = Int(recording.executors[executor].type)
      return type < recording.executorTypes.count ? executorName(recording, type) : nil
    }
    let frames = FrameBudget(interval: recording.frameInterval)
    var found: [(ticks: UInt64, stall: Stall)] = recording.stalls.map { raw in
      let length = recording.running(from: raw.start, for: raw.length)
      let name = naming.name(function(recording, raw.function).address, origin: Int(raw.origin))
      let stall = Stall(
        kind: raw.kind == MAINSTAY_KIND_BLOCK.rawValue ? .block : .job,
        startSeconds: recording.clock.secondsSinceStart(raw.start),
        lengthMilliseconds: recording.clock.milliseconds(length),
        droppedFrames: frames.droppedFrames(for: recording.clock.duration(length)), name: name, task: raw.task,
        priority: raw.priority, createdAt: naming.origin(Int(raw.origin))?.site, inheritedFrom: inherited(raw.task),
        stacks: Stacks(of: raw.start, in: recording, naming), open: false)
      return (length, stall)
    }
    if !recording.isFinished, recording.header.latest.ticks > recording.header.started.ticks {
      for thread in recording.threads {
        guard var stall = open(thread, recording, naming, frames) else { continue }
        stall.inheritedFrom = inherited(stall.task)
        found.append((recording.running(from: thread.whole, to: recording.header.latest.ticks), stall))
      }
    }
    return found.filter { recording.clock.duration($0.ticks) > recording.budget }
      .sorted { ($1.ticks, $0.stall.startSeconds) < ($0.ticks, $1.stall.startSeconds) }.map(\.stall)
  }

  /// What ran on the main actor when the process ended without saying so.
  private static func open(
    _ thread: mainstay_thread, _ recording: Recording, _ naming: Naming, _ frames: FrameBudget
  ) -> Stall? {
    let function = function(recording, thread.function)
    let end = recording.header.latest.ticks
    guard thread.start != 0, thread.whole < end, thread.whole != 0,
      function.executorType == Int(MAINSTAY_EXECUTOR_MAIN.rawValue)
    else {
      return nil
    }
    let length = recording.running(from: thread.whole, to: end)
    let name = naming.name(function.address, origin: Int(thread.origin))
    return Stall(
      kind: thread.kind == MAINSTAY_KIND_BLOCK.rawValue ? .block : .job,
      startSeconds: recording.clock.secondsSinceStart(thread.whole),
      lengthMilliseconds: recording.clock.milliseconds(length),
      droppedFrames: frames.droppedFrames(for: recording.clock.duration(length)),
      name: name, task: thread.task, priority: thread.priority,
      createdAt: naming.origin(Int(thread.origin))?.site, inheritedFrom: nil,
      stacks: Stacks(of: thread.whole, in: recording, naming), open: true)
  }

  private static func function(_ recording: Recording, _ index: UInt16) -> Recording.Function {
    recording.functions[Int(index) < recording.functions.count ? Int(index) : 0]
  }

  // MARK: Tables

  private static func executors(_ recording: Recording, _ tally: Tally, _ naming: Naming) -> [Executor] {
    var queueMax = Array(repeating: 0, count: recording.executorTypes.count)
    for executor in recording.executors where executor.ready != 0 && Int(executor.type) < queueMax.count {
      queueMax[Int(executor.type)] = max(queueMax[Int(executor.type)], Int(executor.queue_max))
    }
    var byName: [String: (Executor, Histogram, UInt64)] = [:]
    for (index, type) in recording.executorTypes.enumerated() {
      let use = tally.executors[index]
      guard use.use.count > 0 else { continue }
      let name = executorName(recording, index)
      let kind: Executor.Kind =
        switch type.kind {
        case MAINSTAY_EXECUTOR_POOL: .pool
        case MAINSTAY_EXECUTOR_MAIN: .mainActor
        case MAINSTAY_EXECUTOR_CUSTOM: .customExecutor
        default: naming.globalActors.contains(name) ? .globalActor : .actor
        }
      // Specialisations of one generic actor have metadata of their own and one name.
      let key = "\(kind) \(name)"
      var entry = byName[key] ?? (Executor(name: name, kind: kind), Histogram(), 0)
      entry.0.instances += type.instances
      entry.0.jobs += use.use.count
      entry.0.busySeconds += recording.clock.seconds(use.use.ticks)
      entry.0.worstMilliseconds = max(entry.0.worstMilliseconds, recording.clock.milliseconds(use.use.worst))
      entry.0.queueMax = max(entry.0.queueMax, queueMax[index])
      entry.1.add(use.waits)
      entry.2 = max(entry.2, use.worstWait)
      byName[key] = entry
    }
    return byName.values.map { executor, waits, worst in
      var executor = executor
      executor.waitP50Milliseconds = recording.clock.milliseconds(waits.percentile(0.5, worst: worst))
      executor.waitP99Milliseconds = recording.clock.milliseconds(waits.percentile(0.99, worst: worst))
      return executor
    }.sorted { ($0.order, $1.busySeconds, $0.name) < ($1.order, $0.busySeconds, $1.name) }
  }

  private static func functions(_ recording: Recording, _ tally: Tally, _ naming: Naming) -> [Function] {
    var merged: [Function.Identity: Function] = [:]
    for (key, use) in tally.functions {
      let recorded = recording.functions[key.function]
      let name = naming.name(recorded.address, origin: key.origin)
      let executor = recorded.isBlock ? "main queue" : executorName(recording, recorded.executorType)
      let identity = Function.Identity(
        key: name.key, function: name.function, line: name.line, resume: name.resume, executor: executor)
      var entry = merged[identity] ?? Function(name, executor: executor)
      entry.jobs += use.count
      entry.totalMilliseconds += recording.clock.milliseconds(use.ticks)
      entry.worstMilliseconds = max(entry.worstMilliseconds, recording.clock.milliseconds(use.worst))
      merged[identity] = entry
    }
    return merged.sorted { ($1.value.totalMilliseconds, $0.key.text) < ($0.value.totalMilliseconds, $1.key.text) }
      .map(\.value)
  }

  private static func hops(_ recording: Recording, _ tally: Tally, _ naming: Naming) -> [Hop] {
    var found: [TaskHistory.Pair: Hop] = [:]
    for (key, count) in tally.history.hops {
      var hop =
        found[key.pair]
        ?? Hop(
          from: executorName(recording, key.pair.from), to: executorName(recording, key.pair.to), count: 0,
          perSecondMax: tally.history.hopsPerSecond[key.pair]?.values.max() ?? 0, sites: [])
      let name = naming[recording.functions[key.function].address]
      hop.count += count
      hop.sites.append(Hop.Site(function: name.function, file: name.file, line: name.line, count: count))
      found[key.pair] = hop
    }
    return found.values.map { hop in
      var hop = hop
      hop.sites.sort { ($1.count, $0.function, $0.line) < ($0.count, $1.function, $1.line) }
      return hop
    }.sorted { ($1.count, $0.from, $0.to) < ($0.count, $1.from, $1.to) }
  }

  /// Where tasks were made, the most first. Sites on one line are one.
  private static func creations(_ history: TaskHistory, _ naming: Naming) -> [Tasks.Site] {
    var merged: [Place: [UInt64: Int]] = [:]
    for (origin, seconds) in history.creations {
      guard let site = naming.origin(origin)?.site else { continue }
      merged[site, default: [:]].merge(seconds, uniquingKeysWith: +)
    }
    return merged.map { site, seconds in
      Tasks.Site(
        function: site.function, file: site.file, line: site.line, count: seconds.values.reduce(0, +),
        perSecondMax: seconds.values.max() ?? 0)
    }.sorted { ($1.count, $0.file, $0.line, $0.function) < ($0.count, $1.file, $1.line, $1.function) }
  }

  private static func interleavings(
    _ recording: Recording, _ history: TaskHistory, _ naming: Naming
  ) -> [Interleaving] {
    var merged: [Interleaving: Int] = [:]
    for (key, count) in history.interleavings {
      var suspended = naming[recording.functions[key.function].address]
      if suspended.isLibrary {
        // Its own await is no decision of the program's; the one around it may be.
        guard key.resumes < recording.functions.count,
          naming[recording.functions[key.resumes].address].key == suspended.key
        else { continue }
        suspended = naming[key.waiting]
        guard !suspended.isLibrary, !suspended.key.isEmpty else { continue }
      }
      let by = naming[recording.functions[key.by].address]
      let interleaving = Interleaving(
        executor: executorName(recording, key.executorType), suspended: suspended.function, file: suspended.file,
        line: suspended.line, resume: suspended.resume, by: by.function, count: 0, path: suspended.path,
        key: suspended.key)
      merged[interleaving, default: 0] += count
    }
    return merged.map { interleaving, count in
      var interleaving = interleaving
      interleaving.count = count
      return interleaving
    }.sorted {
      ($1.count, $0.executor, $0.suspended, $0.line, $0.by + $0.key)
        < ($0.count, $1.executor, $1.suspended, $1.line, $1.by + $1.key)
    }
  }

  private static func starved(_ recording: Recording, _ naming: Naming) -> [Pool.Starvation] {
    recording.starvations.map { starvation in
      let stretches = withUnsafeBytes(of: starvation.blockers) {
        Array($0.bindMemory(to: UInt64.self).prefix(Int(min(starvation.count, UInt32(MAINSTAY_BLOCKERS)))))
      }
      let blockers = stretches.compactMap { stretch -> RunSummary.Sample? in
        Stacks(of: stretch, in: recording, naming).samples.first
      }
      return Pool.Starvation(
        startSeconds: recording.clock.secondsSinceStart(starvation.start),
        lengthSeconds: recording.clock.seconds(starvation.end - starvation.start),
        queuedJobs: Int(clamping: starvation.queued), blockers: blockers)
    }
  }

  // MARK: What was not seen

  private static func notVisible(_ recording: Recording, _ stalls: [Stall], _ naming: Naming) -> [String] {
    let header = recording.header
    var notes: [String] = []
    func note(_ count: UInt64, _ one: String, _ many: String) {
      if count > 0 { notes.append(count == 1 ? "1 \(one)" : "\(DurationText.count(Int(clamping: count))) \(many)") }
    }
    note(
      header.unseen_blocks, "block of the main queue with a quality of service of its own",
      "blocks of the main queue with a quality of service of their own")
    note(header.lost_threads, "thread beyond the recorder's table", "threads beyond the recorder's table")
    note(
      header.lost_executors, "look-up of an actor beyond the recorder's table: counted for its type only",
      "look-ups of actors beyond the recorder's table: counted for their types only")
    note(
      header.lost_functions, "look-up of a function beyond the recorder's table",
      "look-ups of functions beyond the recorder's table")
    if !recording.gaps.isEmpty {
      let seconds = recording.gaps.map { recording.clock.seconds($0.upperBound - $0.lowerBound) }.reduce(0, +)
      notes.append("\(DurationText.seconds(seconds)) in which the whole process did not run: not counted as stalls")
    }
    if header.folded_records > 0 {
      notes.append(
        "single records of \(DurationText.count(Int(clamping: header.folded_records))) of the jobs: their totals are exact, "
          + "hops among them are not counted (raise --memory to keep all)")
    }
    if header.lost_samples > 0, stalls.contains(where: \.samples.isEmpty) {
      notes.append(
        "why some stalls were long: their threads gave no stack, because the program blocks or handles SIGPROF itself, or "
          + "the machine was too busy")
    }
    notes.append(contentsOf: naming.problems)
    return notes
  }
}

extension RunSummary.SelfCheck {
  init(_ recording: Recording) {
    let seen = recording.header.capabilities
    complete = seen & MAINSTAY_CAN_SEE_ALL.rawValue == MAINSTAY_CAN_SEE_ALL.rawValue
    let names: [(mainstay_capability, String)] = [
      (MAINSTAY_CAN_SEE_ENQUEUE, "when jobs are enqueued"), (MAINSTAY_CAN_SEE_START, "when jobs start"),
      (MAINSTAY_CAN_SEE_SUSPEND, "why tasks suspend"), (MAINSTAY_CAN_SEE_COMPLETION, "when tasks complete"),
      (MAINSTAY_CAN_SEE_INLINE_HOP, "inline hops"), (MAINSTAY_CAN_SEE_CONTINUATION, "continuations"),
      (MAINSTAY_CAN_SEE_CANCELLATION, "cancellation"), (MAINSTAY_CAN_SEE_CREATION, "where tasks are created"),
      (MAINSTAY_CAN_SEE_RETURN, "when jobs return"), (MAINSTAY_CAN_SEE_BLOCKS, "blocks of the main queue"),
      (MAINSTAY_CAN_SEE_FUNCTION, "the functions of jobs"), (MAINSTAY_CAN_SEE_QUEUE, "the length of queues"),
    ]
    missing = names.filter { seen & $0.0.rawValue == 0 }.map(\.1)
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

extension RunSummary.MainQueueUse {
  init(_ recording: Recording, _ tally: Tally) {
    blocks = tally.mainBlocks.count
    let main = recording.executors.first { $0.ready != 0 && $0.type == UInt16(MAINSTAY_EXECUTOR_MAIN.rawValue) }
    let waiting = main.map { Int(Int32(bitPattern: $0.enqueued &- $0.started)) } ?? 0
    queuedJobs = max(0, waiting) + Int(counted: recording.header.queued_blocks)
    let ran = tally.executors[Int(MAINSTAY_EXECUTOR_MAIN.rawValue)].use.count + blocks
    drained = queuedJobs == 0 || ran > 0
    let since = max(main?.since ?? 0, tally.lastMainStart)
    oldestSeconds =
      queuedJobs == 0 || recording.header.latest.ticks <= since || since == 0
      ? 0 : recording.clock.seconds(recording.header.latest.ticks - since)
  }
}

extension RunSummary.Executor {
  init(name: String, kind: Kind) {
    self.init(
      name: name, kind: kind, instances: 0, jobs: 0, busySeconds: 0, worstMilliseconds: 0, waitP50Milliseconds: 0,
      waitP99Milliseconds: 0, queueMax: 0)
  }

  /// The main actor first, the pool last.
  var order: Int { kind == .mainActor ? 0 : kind == .pool ? 2 : 1 }
}

extension RunSummary.Function {
  struct Identity: Hashable {
    var key: String
    var function: String
    var line: Int
    var resume: Int?
    var executor: String

    /// What orders functions with the same time, so that output does not depend on a dictionary's order.
    var text: String { "\(function) \(line) \(resume ?? 0) \(executor) \(key)" }
  }

  init(_ name: Naming.Name, executor: String) {
    self.init(
      function: name.function, executor: executor, file: name.file, line: name.line, resume: name.resume, jobs: 0,
      totalMilliseconds: 0, worstMilliseconds: 0, path: name.path, key: name.key, position: name.position)
  }
}

extension RunSummary.Stall {
  init(
    kind: Kind, startSeconds: Double, lengthMilliseconds: Double, droppedFrames: Int, name: Naming.Name, task: UInt64,
    priority: UInt8, createdAt: RunSummary.Place?, inheritedFrom: String?, stacks: Stacks, open: Bool
  ) {
    var name = name
    var callers = stacks.callers
    // What the library resumes goes on in the program within the same job.
    if name.isLibrary, let caller = callers.firstIndex(where: { !$0.isLibrary }) {
      name = callers[caller]
      callers.removeFirst(caller + 1)
    }
    if name.path.isEmpty, let function = stacks.outermost {
      (name.function, name.path, name.line) = (function.function, function.path, function.line)
    }
    self.init(
      kind: kind, startSeconds: startSeconds, lengthMilliseconds: lengthMilliseconds, droppedFrames: droppedFrames,
      function: name.function, file: name.file, line: name.line, task: task,
      priority: Self.name(ofPriority: priority), createdAt: createdAt, inheritedFrom: inheritedFrom,
      asyncCallers: stacks.waiting(callers, for: name).map(\.place), samples: stacks.samples, resume: name.resume,
      position: name.position,
      path: name.path, key: name.key, open: open)
  }

  /// As `TaskPriority` names them.
  private static func name(ofPriority priority: UInt8) -> String {
    switch priority {
    case 0: "unspecified"
    case 0x09: "background"
    case 0x11: "utility"
    case 0x15: "medium"
    case 0x19: "high"
    case 0x21: "userInteractive"
    default: String(priority)
    }
  }
}

extension RunSummary.Train {
  init(_ train: TrainTally.Train, _ recording: Recording, _ naming: Naming) {
    let functions = train.functions.sorted {
      ($1.value, $0.key.function, $0.key.origin) < ($0.value, $1.key.function, $1.key.origin)
    }
    self.init(
      startSeconds: recording.clock.secondsSinceStart(train.start),
      lengthMilliseconds: recording.clock.milliseconds(train.end - train.start), jobs: train.jobs,
      functions: functions.prefix(3).map {
        naming.name(recording.functions[$0.key.function].address, origin: $0.key.origin).function
      })
  }
}

extension RunSummary.PendingContinuation {
  /// Nil for what the library itself waits in: a sleep, the next element of a stream.
  init?(_ wait: TaskHistory.Wait, _ recording: Recording, _ naming: Naming) {
    let resumes = naming[recording.functions[wait.resumes < recording.functions.count ? wait.resumes : 0].address]
    guard !resumes.isLibrary || resumes.function.contains("Continuation(") else { return nil }
    let waiting = resumes.isLibrary ? naming[wait.waiting] : resumes
    self.init(
      task: wait.task, seconds: recording.clock.seconds(max(recording.header.latest.ticks, wait.since) - wait.since),
      function: waiting.function, file: waiting.file, line: waiting.line,
      createdAt: naming.origin(wait.origin)?.site)
  }
}
