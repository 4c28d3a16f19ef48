import Testing

@testable import GalleryApp

@Suite("The frames a second that the meter shows")
struct FrameRateTests {
  /// The rates after each of some frames, with so many microseconds before each.
  private func rates(_ gaps: [Int64]) -> [Double?] {
    var (rate, time) = (FrameRate(), Int64(5_000_000))
    return gaps.map { gap in
      time += gap
      rate.count(frameAt: time)
      return rate.perSecond
    }
  }

  @Test(
    "are counted over a whole second, and not told before", arguments: [(16_667, 60.0), (8_333, 120), (41_667, 24)])
  func steady(interval: Int64, perSecond: Double) {
    let rates = rates(Array(repeating: interval, count: 300))
    let full = Int((1_000_000 + interval - 1) / interval)
    #expect(rates.prefix(full).allSatisfy { $0 == nil })
    #expect(rates.dropFirst(full).allSatisfy { abs(($0 ?? 0) - perSecond) < 0.01 })
  }

  @Test("never are more than frames came, however fast the first ones follow each other")
  func hasty() {
    let rates = rates(Array(repeating: 2_000, count: 6) + Array(repeating: 16_667, count: 120))
    #expect((rates.compactMap { $0 }.max() ?? 0) < 66)
    #expect(rates.prefix(60).allSatisfy { $0 == nil })
    #expect(abs(((rates.last ?? nil) ?? 0) - 60) < 0.01)
  }

  @Test("fall when frames are missed, also for longer than a second, and rise again")
  func missed() throws {
    let frames = Array(repeating: Int64(16_667), count: 90)
    let rates = rates(frames + [3_000_000] + frames)
    #expect(abs(try #require(rates[90]) - 1_000_000 / 3_000_000) < 0.01)
    #expect(try #require(rates[120]) < 30)
    #expect(abs(((rates.last ?? nil) ?? 0) - 60) < 0.01)
    let half = self.rates(frames + [500_000] + Array(frames.prefix(20)))
    #expect((28...36).contains(try #require(half.last ?? nil)))
  }
}
