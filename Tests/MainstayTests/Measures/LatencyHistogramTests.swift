import Testing

@testable import Mainstay

@Suite("A latency histogram")
struct LatencyHistogramTests {
  @Test("keeps every percentile within 1 % of the exact one", arguments: [1, 2, 3])
  func accuracy(seed: UInt64) {
    var generator = Seeded(seed)
    var histogram = LatencyHistogram()
    // Latencies from nanoseconds to minutes, as many of each magnitude.
    let latencies = (0..<20_000).map { _ in
      UInt64.random(in: 1..<1 << UInt64.random(in: 1...40, using: &generator), using: &generator)
    }
    for latency in latencies { histogram.record(latency) }
    let sorted = latencies.sorted()
    for share in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999] {
      let exact = Double(sorted[Int((share * 20_000).rounded(.up)) - 1])
      #expect(abs(Double(histogram.percentile(share)) - exact) <= 0.01 * exact)
    }
    #expect(histogram.percentile(1) == sorted.last)
    #expect(histogram.worst == sorted.last)
    #expect(histogram.count == 20_000)
  }

  @Test("answers 0 before anything was counted")
  func empty() {
    let summary = LatencySummary(LatencyHistogram())
    #expect(summary.count == 0)
    #expect(summary.worst == .zero)
    #expect(summary.p99 == .zero)
  }

  @Test(
    "never answers beyond the least and the worst it has seen", arguments: [1, 63, 64, 65, 127, 128, 129, 1_000_003])
  func single(latency: UInt64) {
    var histogram = LatencyHistogram()
    histogram.record(latency)
    for share in [0, 0.5, 1] { #expect(histogram.percentile(share) == latency) }
  }

  @Test("takes the longest latency there can be in bounded memory, and keeps the worst exact")
  func enormous() {
    var histogram = LatencyHistogram()
    histogram.record(.max)
    histogram.record(1)
    #expect(histogram.worst == .max)
    #expect(histogram.percentile(0.5) == 1)
    #expect(MemoryLayout<UInt64>.size * histogram.bucketCount <= 19_000)
  }

  @Test(
    "counts a train of latencies as if each had been recorded",
    arguments: [
      (first: 80_000_000, step: 2_000_000, count: 41), (first: 5, step: 1, count: 6),
      (first: 1_000_000, step: 3, count: 300_000),
      (first: 7, step: 100, count: 1), (first: 0, step: 10, count: 1),
    ] as [(UInt64, UInt64, UInt64)])
  func train(first: UInt64, step: UInt64, count: UInt64) {
    var together = LatencyHistogram()
    together.recordTrain(first: first, step: step, count: count)
    var oneByOne = LatencyHistogram()
    for index in 0..<count { oneByOne.record(first - index * step) }
    #expect(together == oneByOne)
  }

  @Test("merging two gives what one would have counted")
  func merge() {
    var first = LatencyHistogram()
    var second = LatencyHistogram()
    var both = LatencyHistogram()
    for latency in UInt64(1)...500 {
      first.record(latency * 1_000)
      second.record(latency * 77)
      both.record(latency * 1_000)
      both.record(latency * 77)
    }
    first.merge(second)
    #expect(first == both)
  }
}

/// A small generator with a seed, so that a failure can be repeated (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
