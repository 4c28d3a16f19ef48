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

  @Test("a length beyond every clock is counted, not overflowed")
  func enormous() {
    #expect(FrameBudget.hz120.droppedFrames(for: .seconds(Int64.max / 4)) > 1_000_000_000)
  }
}
