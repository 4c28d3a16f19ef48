/// The pulse of any actor: how long work for it waits until it runs.

import Synchronization

/// Measures how long a job waits for an actor: from the moment it is enqueued until it runs.
///
/// It asks the actor to run an empty job again and again and times each. Behind a long job of the actor, or behind
/// many, the wait is long. A default actor runs on the pool, so a starved pool shows here as well; compare
/// ``Heartbeat``'s `poolLateness`.
///
/// A plain `let` to start, read and stop from any isolation; it stops when it is released.
public final class ActorHeartbeat: Sendable {
  private let subject: any Actor
  private let run = Mutex<Run?>(nil)

  /// A heartbeat of this actor, which does not beat yet.
  ///
  /// - Parameter actor: the actor to measure. It is kept alive.
  public init(on actor: any Actor) {
    subject = actor
  }

  deinit {
    run.withLock { $0?.end() }
  }

  /// Starts to beat. A heartbeat that beats already starts anew, with an empty report.
  ///
  /// - Parameter interval: the time between two jobs, from 0.1 ms to one minute. Another value is a mistake of the
  ///   program and traps.
  public func start(interval: Duration = .milliseconds(10)) {
    guard interval >= .microseconds(100), interval <= .seconds(60) else {
      fatalError("ActorHeartbeat: cannot beat every \(interval); use an interval from 0.1 ms to one minute")
    }
    let next = Run(interval: interval, on: subject)
    run.withLock { run in
      run?.end()
      run = next
    }
  }

  /// Stops beating and returns the report of the run; an empty one if the heartbeat was never started.
  ///
  /// A job that still waits counts with the time it has waited already. Does not wait for the actor.
  @discardableResult
  public func stop() async -> ActorHeartbeatReport {
    run.withLock { $0?.end() }
    return report
  }

  /// The report until now. A job that still waits counts with its wait until now.
  public var report: ActorHeartbeatReport {
    run.withLock { $0 }?.report ?? ActorHeartbeatReport(interval: .zero, missed: 0, wait: LatencySummary(.init()))
  }
}

/// One run of an actor's heartbeat, from `start` to `stop`.
private final class Run: Sendable {
  fileprivate struct State {
    var waits = LatencyHistogram()
    var missed: UInt64 = 0
    /// When the job that waits was enqueued.
    var enqueued: UInt64?
    var loop: Task<Void, Never>?
    var hasEnded = false
  }
  private let interval: Duration
  private let state = Mutex(State())

  init(interval: Duration, on subject: any Actor) {
    self.interval = interval
    let loop = Task.detached(priority: .high) { [weak self] in
      while !Task.isCancelled {
        let sent = MonotonicClock.now
        self?.state.withLock { $0.enqueued = sent }
        let ran = await Self.visit(subject)
        self?.count(sent: sent, ran: ran)
        try? await Task.sleep(for: interval)
      }
    }
    state.withLock { $0.loop = loop }
  }

  deinit { end() }

  /// Runs on the actor: the hop to get here is what is measured.
  private static func visit(_ actor: isolated any Actor) async -> UInt64 {
    MonotonicClock.now
  }

  private func count(sent: UInt64, ran: UInt64) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.enqueued = nil
      state.count(wait: ran - min(ran, sent), interval: interval.clockNanoseconds)
    }
  }

  func end() {
    let now = MonotonicClock.now
    let loop = state.withLock { state in
      if !state.hasEnded, let enqueued = state.enqueued {
        state.count(wait: now - min(now, enqueued), interval: interval.clockNanoseconds)
      }
      state.enqueued = nil
      state.hasEnded = true
      return state.loop
    }
    loop?.cancel()
  }

  var report: ActorHeartbeatReport {
    let now = MonotonicClock.now
    var current = state.withLock { $0 }
    if let enqueued = current.enqueued {
      current.count(wait: now - min(now, enqueued), interval: interval.clockNanoseconds)
    }
    return ActorHeartbeatReport(
      interval: interval, missed: Int(clamping: current.missed), wait: LatencySummary(current.waits))
  }
}

extension Run.State {
  /// Counts a job and those that would have been enqueued while it waited.
  fileprivate mutating func count(wait: UInt64, interval: UInt64) {
    missed += wait / interval
    waits.recordTrain(first: wait, step: interval, count: wait / interval + 1)
  }
}

/// How long jobs waited for an actor, over the life of an ``ActorHeartbeat``.
public struct ActorHeartbeatReport: Sendable, Hashable {
  /// The time between two jobs.
  public let interval: Duration
  /// The jobs that were not sent because the one before still waited.
  public let missed: Int
  /// The waits, from enqueued to run, with those of the missed jobs as they would have been.
  public let wait: LatencySummary

  /// The jobs that were sent.
  public var beats: Int { wait.count - missed }
  /// The longest wait.
  public var worst: Duration { wait.worst }
  /// The wait that half of the jobs did not exceed.
  public var p50: Duration { wait.p50 }
  /// The wait that 99 % of the jobs did not exceed.
  public var p99: Duration { wait.p99 }
}
