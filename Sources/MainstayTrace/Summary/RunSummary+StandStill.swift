import CMainstayTrace

/// The other ways to stand still: a starved pool, a main queue that nobody drains, trains, continuations never resumed.
extension RunSummary {
  static func starved(_ recording: Recording, _ naming: Naming) -> [Pool.Starvation] {
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
