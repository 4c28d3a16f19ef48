/// Measures what a person sees: frames, the main actor's jobs, and how late the main actor and the pool are.
import Dispatch
import GLibMainActor
import Mainstay

final class FrameMeter: LoopObserver {
  /// A tenth of a second, as the plot shows it.
  struct Sample {
    var main = Duration.zero
    var pool = Duration.zero
  }

  /// How many samples the plot shows: ten seconds.
  static let samples = 100

  /// Frames a second.
  private(set) var rate = FrameRate()
  /// Frames that were due and not shown, since the application began.
  private(set) var missed = 0
  /// The newest stretch of main-actor jobs that was longer than ``noticeable``. One over the budget stays for two
  /// seconds, so that it can be read, unless a longer one comes.
  private(set) var lastJob: Duration?
  private var lastJobEnded: UInt64 = 0
  private(set) var history: [Sample] = []
  private(set) var budget = FrameBudget.hz60
  /// The longest stretch of jobs and the turns of the loop since they were last taken.
  private var longestJob = Duration.zero
  private var turns: [Duration] = []
  private var keepsTurns = false

  /// Shorter jobs are the meter's own and others that nobody would notice.
  static let noticeable: Duration = .milliseconds(1)

  private let heartbeat = Heartbeat()
  private let pool = PoolClock()
  private var lastFrame: UInt64?
  private var recent: [(time: UInt64, missed: Int)] = []
  private var sample = Sample()
  private var sampleBegan = DispatchTime.now().uptimeNanoseconds

  func start() {
    GLibMainActor.observe(self)
    // Every beat is later than nothing: this is told of each.
    heartbeat.onStall(over: .nanoseconds(1)) { [weak self] lateness in
      guard let self else { return }
      sample.main = max(sample.main, lateness)
    }
    heartbeat.start(interval: .milliseconds(4))
  }

  /// Frames that were due in the last second and not shown.
  var missedInLastSecond: Int { recent.reduce(0) { $0 + $1.missed } }

  func ranJobs(for length: Duration) {
    longestJob = max(longestJob, length)
    guard length >= Self.noticeable else { return }
    let now = DispatchTime.now().uptimeNanoseconds
    if let lastJob, lastJob > budget.interval, length < lastJob, now - lastJobEnded < 2_000_000_000 { return }
    (lastJob, lastJobEnded) = (length, now)
  }

  func turned(for length: Duration) {
    if keepsTurns { turns.append(length) }
  }

  /// Begins to keep the turns of the loop, for ``takeTurns()``.
  func keepTurns() {
    keepsTurns = true
    turns = []
    longestJob = .zero
  }

  /// The turns since ``keepTurns()``, which ends with it.
  func takeTurns() -> [Duration] {
    keepsTurns = false
    defer { turns = [] }
    return turns
  }

  /// The longest stretch of jobs since this was last asked.
  func takeLongestJob() -> Duration {
    defer { longestJob = .zero }
    return longestJob
  }
}

extension FrameMeter {
  /// The frames that were missed when so much time lies between the beginnings of two.
  ///
  /// A frame that begins less than half an interval late has the other half to be drawn in, and is seen in time. After a
  /// longer stretch the frame that ends it is late as well, as `ceil(T/Tf) - 1` says, but for a tenth of an interval: the
  /// loop's own grain, for its timers have milliseconds.
  nonisolated static func missed(between length: Duration, at budget: FrameBudget) -> Int {
    let intervals = length / budget.interval
    return intervals < 1.5 ? 0 : max(0, Int((intervals - 0.1).rounded(.up)) - 1)
  }
}

/// A conformance for the main actor alone: it cannot be handed to code that would call it elsewhere.
extension FrameMeter: @MainActor FrameListener {
  func frameBegan(at time: Int64, interval: Int64) {
    let now = DispatchTime.now().uptimeNanoseconds
    rate.count(frameAt: time)
    if interval > 0 { budget = FrameBudget(interval: .microseconds(interval)) }
    if let lastFrame {
      let gap = Self.missed(between: .nanoseconds(Int64(now - lastFrame)), at: budget)
      missed += gap
      if gap > 0 { recent.append((now, gap)) }
    }
    lastFrame = now
    recent.removeAll { now - $0.time > 1_000_000_000 }
    if now - sampleBegan >= 100_000_000 { endSample(at: now) }
  }

  private func endSample(at now: UInt64) {
    sample.pool = pool.ask()
    if history.count == Self.samples { history.removeFirst() }
    history.append(sample)
    sample = Sample()
    sampleBegan = now
  }
}
