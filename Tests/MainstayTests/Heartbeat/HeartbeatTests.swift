import Dispatch
import Mainstay
import Testing

/// Lateness has a lower bound that holds on any machine, however busy; upper bounds are the benchmark's.
@Suite("A heartbeat", .serialized, .timeLimit(.minutes(60)))
@MainActor
struct HeartbeatTests {
  @Test("sees a planted stall to within one interval of its length", arguments: [5, 20, 80, 210])
  func stall(milliseconds: Int) async {
    let heartbeat = Heartbeat()
    heartbeat.start()
    await beats(heartbeat, atLeast: 1)
    let blocked = block(milliseconds: milliseconds)
    let report = await heartbeat.stop()
    #expect(report.worst + report.interval >= blocked)
    #expect(report.missed >= milliseconds / 2 - 2)
    #expect(report.droppedFrames >= FrameBudget.hz60.droppedFrames(for: .milliseconds(milliseconds - 2)))
    #expect(report.p99 <= report.worst)
    #expect(report.p50 <= report.p90 && report.p90 <= report.p99)
  }

  @Test("counts a stall that ends in the call of stop or of report")
  func overdue() async {
    let heartbeat = Heartbeat()
    heartbeat.start()
    let blocked = block(milliseconds: 30)
    #expect(heartbeat.report.worst + .milliseconds(2) >= blocked)
    #expect(heartbeat.report.beats == 1, "reading the report is no beat")
    #expect(heartbeat.report.beats == 1)
    let report = await heartbeat.stop()
    #expect(report.worst + .milliseconds(2) >= blocked)
  }

  @Test("calls a blocked main actor blocked")
  func diagnosis() async {
    let heartbeat = Heartbeat()
    heartbeat.start()
    await beats(heartbeat, atLeast: 1)
    _ = block(milliseconds: 60)
    let report = await heartbeat.stop()
    #expect([.mainActorBlocked, .mainActorBlockedAndPoolStarved].contains(report.diagnosis))
    #expect(report.description.contains("mainActorBlocked"))
  }

  @Test("measures a saturated pool apart from the main actor")
  func saturatedPool() async {
    let heartbeat = Heartbeat()
    heartbeat.start()
    // More work than the pool has threads for, each piece bounded, until a probe has waited in line behind it.
    var decodes: [Task<Void, Never>] = []
    while heartbeat.report.poolLateness <= .milliseconds(100) {
      for _ in 0..<20 {
        decodes.append(Task.detached(priority: .medium) { if !Task.isCancelled { spin(milliseconds: 15) } })
      }
      await beats(heartbeat, atLeast: heartbeat.report.beats + 10)
    }
    let report = await heartbeat.stop()
    #expect(report.poolLateness > .milliseconds(100))
    #expect([.poolStarved, .mainActorBlockedAndPoolStarved].contains(report.diagnosis))
    for decode in decodes { decode.cancel() }
  }

  @Test("a stall action is told once a stall, with its lateness, and not about shorter ones")
  func onStall() async {
    let heartbeat = Heartbeat()
    let told = Locked<[Duration]>([])
    let began = ContinuousClock.now
    heartbeat.onStall(over: .milliseconds(500)) { lateness in told.change { $0.append(lateness) } }
    heartbeat.start()
    await beats(heartbeat, atLeast: 1)
    let blocked = block(milliseconds: 600)
    while told.value.isEmpty { await mainQueueTurn() }
    _ = await heartbeat.stop()
    let rest = began.duration(to: .now) - blocked
    #expect(told.value.contains { $0 + .milliseconds(2) >= blocked })
    #expect(told.value.allSatisfy { $0 > .milliseconds(500) })
    // A machine that stands still makes stalls of its own, but none that is longer than everything that was not planted.
    if rest <= .milliseconds(500) { #expect(told.value.count == 1) }
  }

  @Test("after stop no action is called and the report stays as it was")
  func stopped() async {
    let heartbeat = Heartbeat()
    let told = Locked(0)
    heartbeat.onStall(over: .nanoseconds(1)) { _ in told.change { $0 += 1 } }
    heartbeat.start(interval: .milliseconds(1))
    await beats(heartbeat, atLeast: 3)
    let report = await heartbeat.stop()
    let count = told.value
    for _ in 0..<50 { await mainQueueTurn() }
    _ = block(milliseconds: 5)
    await mainQueueTurn()
    #expect(told.value == count)
    #expect(heartbeat.report == report)
    #expect(await heartbeat.stop() == report)
  }

  @Test("started again, it begins with an empty report")
  func restarted() async {
    let heartbeat = Heartbeat()
    heartbeat.start()
    _ = block(milliseconds: 40)
    // None of its beats is due in here, however long the machine stands still.
    heartbeat.start(interval: .seconds(60))
    #expect(heartbeat.report.beats == 0)
    #expect(heartbeat.report.worst == .zero)
    #expect(await heartbeat.stop().interval == .seconds(60))
  }

  @Test("never started, it reports nothing")
  func neverStarted() async {
    let heartbeat = Heartbeat()
    #expect(heartbeat.report.beats == 0)
    let report = await heartbeat.stop()
    #expect(report.beats == 0)
    #expect(report.diagnosis == .responsive)
  }

  @Test("released while beating, it ends")
  func released() async {
    weak var gone: Heartbeat?
    do {
      let heartbeat = Heartbeat()
      heartbeat.start(interval: .milliseconds(1))
      await beats(heartbeat, atLeast: 1)
      gone = heartbeat
    }
    // The thread that beats may hold it at this very moment.
    while gone != nil { await mainQueueTurn() }
  }

  @Test(
    "an interval that is no heartbeat stops the program and says which are",
    arguments: [
      Duration.zero, .milliseconds(-2), .nanoseconds(1), .seconds(61), .seconds(1_000_000_000_000),
    ])
  func absurdInterval(interval: Duration) async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [interval] in
      await Heartbeat().start(interval: interval)
    }
    expectMessage(exit, "use an interval from 0.1 ms to one minute")
  }

  @Test("a stall length of zero or less stops the program", arguments: [Duration.zero, .seconds(-1)])
  func absurdStall(over: Duration) async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [over] in
      await Heartbeat().onStall(over: over) { _ in }
    }
    expectMessage(exit, "use a stall length above zero")
  }
}

@Suite("An actor's heartbeat")
struct ActorHeartbeatTests {
  actor Subject {
    func work(milliseconds: Int) { spin(milliseconds: milliseconds) }
  }

  @Test("sees how long work waits for a busy actor")
  func busy() async {
    let subject = Subject()
    let heartbeat = ActorHeartbeat(on: subject)
    heartbeat.start(interval: .milliseconds(1))
    while heartbeat.report.worst < .milliseconds(50) { await subject.work(milliseconds: 60) }
    let report = await heartbeat.stop()
    #expect(report.worst >= .milliseconds(50))
    #expect(report.missed >= 49)
    #expect(report.beats >= 1)
    #expect(report.p50 <= report.p99 && report.p99 <= report.worst)
  }

  @Test("beats on a free actor, and stays as it was once stopped")
  func free() async {
    let heartbeat = ActorHeartbeat(on: Subject())
    heartbeat.start(interval: .milliseconds(1))
    while heartbeat.report.beats < 5 { await pause() }
    let report = await heartbeat.stop()
    for _ in 0..<20 { await Task.yield() }
    #expect(heartbeat.report == report)
    #expect(await heartbeat.stop() == report)
  }

  @Test("measures the main actor too")
  @MainActor func mainActor() async {
    let heartbeat = ActorHeartbeat(on: MainActor.shared)
    heartbeat.start(interval: .milliseconds(1))
    while heartbeat.report.beats < 2 { await pause() }
    while heartbeat.report.worst < .milliseconds(20) {
      _ = block(milliseconds: 30)
      await mainQueueTurn()
    }
    #expect(await heartbeat.stop().worst >= .milliseconds(20))
  }

  @Test("never started, it reports nothing; started again, it begins anew")
  func restarts() async {
    let heartbeat = ActorHeartbeat(on: Subject())
    #expect(await heartbeat.stop().beats == 0)
    heartbeat.start(interval: .milliseconds(1))
    while heartbeat.report.beats < 3 { await pause() }
    heartbeat.start(interval: .seconds(60))
    #expect(heartbeat.report.beats <= 1)
    #expect(await heartbeat.stop().interval == .seconds(60))
  }

  @Test(
    "an interval that is no heartbeat stops the program", arguments: [Duration.zero, .seconds(-1), .seconds(3_600)])
  func absurdInterval(interval: Duration) async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [interval] in
      ActorHeartbeat(on: Subject()).start(interval: interval)
    }
    expectMessage(exit, "use an interval from 0.1 ms to one minute")
  }
}

/// Keeps the calling thread busy for at least this long, and says for how long it was.
@discardableResult
private func spin(milliseconds: Int) -> Duration {
  let clock = ContinuousClock()
  let start = clock.now
  while start.duration(to: clock.now) < .milliseconds(milliseconds) {}
  return start.duration(to: clock.now)
}

/// Keeps the main actor busy.
@MainActor private func block(milliseconds: Int) -> Duration {
  spin(milliseconds: milliseconds)
}

/// Lets the main actor run until a heartbeat has beaten often enough.
@MainActor private func beats(_ heartbeat: Heartbeat, atLeast count: Int) async {
  while heartbeat.report.beats < count { await mainQueueTurn() }
}
