/// The main actor's pulse: how late it is, measured from a timer on its own queue.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Beats on the main actor and records how late each beat was.
///
/// While something occupies the main actor no beat can run, so the lateness of the next one is how long it was
/// occupied. The beats come from a timer on the main queue. A loop around `Task.sleep` would wait for a thread of the
/// pool before it comes back to the main actor, and then call a busy pool a busy main actor; here the pool is measured
/// apart, by empty tasks: every 20 ms while the process is busy, more rarely while it is not. An instant at which the
/// process has verifiably done nothing since a beat counts as a beat, though it wakes nobody.
///
/// ```swift
/// let heartbeat = Heartbeat()
/// heartbeat.start()
/// await model.load()
/// print(await heartbeat.stop())
/// ```
///
/// At the default interval it costs about 1 % of one core in an idle program, and 1.5 % in a busy one.
@MainActor
public final class Heartbeat {
  private let budget: FrameBudget
  private var pulse: Pulse?
  private var stallActions: [(over: UInt64, action: @MainActor (Duration) -> Void)] = []

  /// A heartbeat that does not beat yet.
  ///
  /// - Parameter budget: the frame interval that stalls and dropped frames are judged by.
  public init(budget: FrameBudget = .hz60) {
    self.budget = budget
  }

  /// Starts to beat. A heartbeat that beats already starts anew, with an empty report.
  ///
  /// - Parameter interval: the time between beats, from 0.1 ms to one minute; the resolution of the report. Another
  ///   value is a mistake of the program and traps.
  public func start(interval: Duration = .milliseconds(2)) {
    guard interval >= .microseconds(100), interval <= .seconds(60) else {
      fatalError("Heartbeat: cannot beat every \(interval); use an interval from 0.1 ms to one minute")
    }
    let start = MonotonicClock.now
    var pulse = Pulse(schedule: BeatSchedule(start: start, interval: interval.clockNanoseconds))
    pulse.timer = MainQueueTimer(start: start, interval: pulse.schedule.interval) { [weak self] in self?.beat() }
    self.pulse = pulse
  }

  /// Stops beating and returns the report of the run; an empty one if the heartbeat was never started.
  ///
  /// What kept the main actor busy until this call counts, also when no beat could run since. When it returns, no
  /// stall action will be called any more.
  public func stop() async -> HeartbeatReport {
    beat()
    pulse?.timer = nil
    let report = report
    pulse?.final = report
    return report
  }

  /// The report until now. A beat that is overdue counts with its lateness until now.
  public var report: HeartbeatReport {
    guard let pulse else { return makeReport(Pulse(schedule: BeatSchedule(start: 0, interval: 1)), interval: .zero) }
    if let final = pulse.final { return final }
    var current = pulse
    if let idle = pulse.timer?.idle { current.count(idle) }
    if let overdue = current.schedule.serve(at: MonotonicClock.now) { current.count(overdue) }
    return makeReport(current, interval: Duration(clockNanoseconds: current.schedule.interval))
  }

  /// Calls an action on the main actor after each stall, with the lateness measured: once a stall, as soon as it ends.
  ///
  /// Actions are kept for the life of the heartbeat, and run in the order they were added. What an action does itself
  /// delays the next beat, so it should be short.
  ///
  /// - Parameters:
  ///   - over: the shortest lateness to be told about; longer than zero. Another value traps.
  ///   - action: what to do with the lateness.
  public func onStall(over: Duration, _ action: @escaping @MainActor (Duration) -> Void) {
    guard over > .zero else {
      fatalError("Heartbeat: every beat is later than \(over); use a stall length above zero")
    }
    stallActions.append((over.clockNanoseconds, action))
  }

  private func beat() {
    guard let timer = pulse?.timer else { return }
    pulse?.count(timer.takeIdle())
    let now = MonotonicClock.now
    guard let beat = pulse?.schedule.serve(at: now) else { return }
    pulse?.count(beat)
    pulse?.askThePool(at: now)
    for stall in stallActions where beat.lateness >= stall.over {
      stall.action(Duration(clockNanoseconds: beat.lateness))
    }
  }

  private func makeReport(_ pulse: Pulse, interval: Duration) -> HeartbeatReport {
    HeartbeatReport(
      interval: interval, budget: budget, beats: pulse.beats, missed: Int(clamping: pulse.missed),
      lateness: LatencySummary(pulse.lateness), pool: LatencySummary(pulse.probe.waits(at: MonotonicClock.now)))
  }
}

/// What a started heartbeat has. It survives `stop`, so that the last report can still be read.
private struct Pulse {
  var schedule: BeatSchedule
  var lateness = LatencyHistogram()
  var beats = 0
  var missed: UInt64 = 0
  /// When the pool is looked at again, a nanosecond of the clock.
  var nextLook: UInt64 = 0
  var looksUntilProbe = 0
  /// What the process had used when it was last looked at, in ticks of `clock`.
  var processorTime = clock()
  let probe = PoolProbe()
  var timer: MainQueueTimer?
  /// The last report; nil while running.
  var final: HeartbeatReport?

  mutating func count(_ beat: BeatSchedule.Beat) {
    beats += 1
    missed += beat.missed
    lateness.recordTrain(first: beat.lateness, step: schedule.interval, count: beat.missed + 1)
  }

  mutating func count(_ idle: IdleInstants) {
    beats += Int(clamping: idle.lateness.count)
    lateness.merge(idle.lateness)
    schedule.skip(through: idle.through)
  }

  /// Asks the pool at every priority each 20 ms while the process is busy, and at one in turn each 200 ms while not.
  ///
  /// Busy is a millisecond of processor time in 20 ms; the heartbeat itself uses a fifth of one. Waking a thread of an
  /// idle pool costs as much as five beats, and a pool that is given work shows in the processor time. One whose
  /// threads have been blocked for long does not, which is why an idle process is asked too.
  mutating func askThePool(at now: UInt64) {
    guard now >= nextLook else { return }
    nextLook = now + 20_000_000
    looksUntilProbe -= 1
    let used = clock()
    defer { processorTime = used }
    let isBusy = used - processorTime >= CLOCKS_PER_SEC / 1_000
    guard isBusy || looksUntilProbe <= 0 else { return }
    looksUntilProbe = 10
    if isBusy { probe.sendAll() } else { probe.sendNext() }
  }
}
