import Testing

@testable import Mainstay

@Suite("A beat schedule")
struct BeatScheduleTests {
  @Test("a beat on time is not late and misses nothing")
  func onTime() {
    var schedule = BeatSchedule(start: 1_000, interval: 10)
    #expect(schedule.serve(at: 1_009) == nil)
    #expect(schedule.serve(at: 1_010) == .init(lateness: 0, missed: 0))
    #expect(schedule.serve(at: 1_015) == nil)
    #expect(schedule.serve(at: 1_023) == .init(lateness: 3, missed: 0))
    #expect(schedule.due == 1_030)
  }

  @Test(
    "a stall is seen within one interval of its length, wherever in the interval it begins",
    arguments: [5, 20, 55, 80, 210])
  func stalls(milliseconds: UInt64) throws {
    let interval: UInt64 = 2_000_000
    let length = milliseconds * 1_000_000
    for phase in stride(from: 0, to: interval, by: 50_000) {
      var schedule = BeatSchedule(start: 0, interval: interval)
      _ = schedule.serve(at: interval)
      // Blocked from `phase` after a beat, for `length`; the timer fires as soon as the queue is free.
      let served = schedule.serve(at: interval + phase + length)
      let beat = try #require(served)
      #expect(beat.lateness <= length)
      #expect(beat.lateness + interval >= length)
      #expect(beat.missed == beat.lateness / interval)
    }
  }

  @Test("after a stall the grid is where it was")
  func keepsItsGrid() {
    var schedule = BeatSchedule(start: 0, interval: 10)
    _ = schedule.serve(at: 57)
    #expect(schedule.due == 60)
    #expect(schedule.serve(at: 59) == nil)
  }

  @Test("every instant is served or missed, never both and never neither")
  func accountsForAll() {
    var generator = Seeded(6)
    var schedule = BeatSchedule(start: 0, interval: 7)
    var now: UInt64 = 0
    var accounted: UInt64 = 0
    for _ in 0..<10_000 {
      now += UInt64.random(in: 1...50, using: &generator)
      if let beat = schedule.serve(at: now) { accounted += 1 + beat.missed }
    }
    #expect(accounted == now / 7)
  }
}
