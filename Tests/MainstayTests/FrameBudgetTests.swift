import Mainstay
import Testing

@Suite("A frame budget")
struct FrameBudgetTests {
  @Test(
    "drops ceil(T/Tf) - 1 frames, as the formula says",
    arguments: [
      (0, 60, 0), (16, 60, 0), (17, 60, 1), (20, 60, 1), (55, 60, 3), (80, 60, 4), (210, 60, 12),
      (8, 120, 0), (9, 120, 1), (80, 120, 9),
    ])
  func droppedFrames(milliseconds: Int, hertz: Int, dropped: Int) {
    #expect(FrameBudget(hertz: hertz).droppedFrames(for: .milliseconds(milliseconds)) == dropped)
  }

  @Test("a job of exactly n intervals drops n - 1 frames", arguments: 1...20)
  func exactMultiples(n: Int) {
    let budget = FrameBudget(interval: .microseconds(16_667))
    #expect(budget.droppedFrames(for: .microseconds(16_667 * n)) == n - 1)
    #expect(budget.droppedFrames(for: .microseconds(16_667 * n) + .nanoseconds(1)) == n)
  }

  @Test("60 Hz is 16.667 ms and 120 Hz is 8.333 ms")
  func named() {
    #expect(FrameBudget.hz60.interval / .milliseconds(1) > 16.6666)
    #expect(FrameBudget.hz60.interval / .milliseconds(1) < 16.6667)
    #expect(FrameBudget.hz120 == FrameBudget(hertz: 120))
  }

  @Test("a rate that is none stops the program and says which are", arguments: [0, -60, 1_000_001, Int.min, Int.max])
  func absurdRate(hertz: Int) async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [hertz] in
      _ = FrameBudget(hertz: hertz)
    }
    expectMessage(exit, "\(hertz) Hz is not a refresh rate; use 1 to 1,000,000")
  }

  @Test(
    "an interval of zero or less stops the program and says so",
    arguments: [Duration.zero, .nanoseconds(-1), .seconds(-1_000_000_000_000)])
  func absurdInterval(interval: Duration) async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [interval] in
      _ = FrameBudget(interval: interval)
    }
    expectMessage(exit, "is no budget; it must be longer than zero")
  }

  @Test("the shortest and the longest interval there are serve every piece that takes one")
  @MainActor func extremes() async throws {
    let shortest = FrameBudget(interval: Duration(secondsComponent: 0, attosecondsComponent: 1))
    let longest = FrameBudget(interval: .seconds(Int64.max))
    #expect(shortest.droppedFrames(for: .seconds(Int64.max)) == Int.max - 1)
    #expect(longest.droppedFrames(for: .seconds(1_000)) == 0)
    for budget in [shortest, longest] {
      var walked: [Int] = []
      try await FrameSlicer(budget: budget).forEach(0..<100) { walked.append($0) }
      #expect(walked == Array(0..<100))
      let applied = Locked<[Int]>([])
      let done = Gate()
      let boundary = HoppingBoundary<Int>(
        "a budget of \(budget.interval)", budget: budget,
        apply: { value in
          applied.change { $0.append(value) }
          if value == 99 { done.open() }
        })
      for value in 0..<100 { boundary.send(value) }
      await done.wait()
      #expect(applied.value == Array(0..<100))
      let heartbeat = Heartbeat(budget: budget)
      heartbeat.start()
      let report = await heartbeat.stop()
      #expect(report.budget == budget && report.droppedFrames >= 0)
    }
  }

  @Test("a length beyond every clock is counted, not overflowed")
  func enormous() {
    #expect(FrameBudget.hz120.droppedFrames(for: .seconds(Int64.max / 4)) > 1_000_000_000)
  }
}
