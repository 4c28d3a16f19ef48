import CMainstayTrace
import Testing

@testable import MainstayTrace

@Suite("A histogram")
struct HistogramTests {
  @Test("has a step for every value, in order, at most a 64th of the value wide, up to half a minute")
  func steps() {
    var last: UInt32 = 0
    for value in SpanTests.values.sorted() {
      let step = mainstay_histogram_step(value)
      #expect(step < MAINSTAY_HISTOGRAM_STEPS && step >= last)
      last = step
      guard value < 1 << 36 else {
        #expect(step == MAINSTAY_HISTOGRAM_STEPS - 1)
        continue
      }
      let lower = mainstay_histogram_lower(step)
      let upper = mainstay_histogram_lower(step + 1)
      #expect(lower <= value && value < upper, "\(value) is not in \(lower)..<\(upper)")
      #expect(upper - lower <= max(1, value / 64))
    }
  }

  @Test("has steps that meet without a gap")
  func gaps() {
    for step in 0..<UInt32(MAINSTAY_HISTOGRAM_STEPS) - 1 {
      let lower = mainstay_histogram_lower(step)
      #expect(mainstay_histogram_step(lower) == step)
      #expect(mainstay_histogram_step(mainstay_histogram_lower(step + 1) - 1) == step)
    }
  }

  @Test("gives percentiles within 1 % of the true ones", arguments: [0.5, 0.9, 0.99, 0.999, 1.0])
  func percentiles(share: Double) {
    var dice = SystemlessDice(seed: 11)
    // From a few ticks to half a minute: each octave is as likely as the others.
    let values = (0..<20_000).map { _ -> UInt64 in
      let octave = dice.next() % 34
      return (UInt64(1) << octave) + dice.next() % (UInt64(1) << octave)
    }.sorted()
    var histogram = Histogram()
    for value in values { histogram.add(value) }
    let rank = max(1, Int((share * Double(values.count)).rounded(.up)))
    let truth = Double(values[rank - 1])
    let found = Double(histogram.percentile(share, worst: values[values.count - 1]))
    #expect(abs(found - truth) <= max(1, truth / 100), "\(found) for \(truth)")
  }

  @Test("is what its parts add up to, and never exceeds the worst value")
  func parts() {
    var (first, second, both) = (Histogram(), Histogram(), Histogram())
    for value in SpanTests.values {
      if value % 3 == 0 { first.add(value) } else { second.add(value) }
      both.add(value)
    }
    first.add(second)
    #expect(first.total == both.total)
    for share in [0.1, 0.5, 0.99, 1] {
      #expect(first.percentile(share, worst: .max) == both.percentile(share, worst: .max))
    }
    #expect(both.percentile(1, worst: 5) == 5)
    #expect(Histogram().percentile(0.5, worst: 9) == 0)
  }
}

/// The same numbers every time.
struct SystemlessDice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
