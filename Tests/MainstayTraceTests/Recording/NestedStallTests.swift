import CMainstayTrace
import Testing

@testable import MainstayTrace

@Suite("Stalls that ran inside others")
struct NestedStallTests {
  private func stall(_ start: UInt64, _ length: UInt64, on tid: UInt32 = 1) -> mainstay_stall {
    var stall = mainstay_stall()
    (stall.start, stall.length, stall.tid) = (start, length, tid)
    return stall
  }

  private func starts(_ stalls: [mainstay_stall], within open: [mainstay_thread] = []) -> [UInt64] {
    stalls.outermost(within: open).map(\.start)
  }

  @Test("one that ran inside another of its thread counts with it, however deep, and the order of all others stays")
  func nested() {
    let stalls = [stall(120, 10), stall(110, 40), stall(500, 10), stall(100, 100), stall(190, 10), stall(200, 5)]
    #expect(starts(stalls) == [500, 100, 200])
  }

  @Test("one of another thread, or one that only follows, is its own")
  func apart() {
    #expect(starts([stall(100, 100), stall(120, 10, on: 2), stall(200, 10)]) == [100, 120, 200])
    #expect(starts([stall(100, 100), stall(150, 100)]) == [100, 150])
    #expect(starts([]) == [])
  }

  @Test("what ran inside a job that has not ended is part of it")
  func open() {
    var thread = mainstay_thread()
    (thread.tid, thread.whole, thread.start) = (1, 300, 350)
    #expect(starts([stall(100, 50), stall(310, 30), stall(310, 30, on: 2)], within: [thread]) == [100, 310])
    thread.start = 0
    #expect(starts([stall(310, 30)], within: [thread]) == [310])
  }

  @Test("a length that no time can have makes no trap")
  func damaged() {
    #expect(starts([stall(100, .max), stall(.max, .max), stall(90, 1)]) == [100, 90])
  }
}
