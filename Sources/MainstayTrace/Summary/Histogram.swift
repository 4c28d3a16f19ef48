import CMainstayTrace

/// How often values of each size occurred. Percentiles are within 1 % of the value; see mainstay_trace.h for the steps.
struct Histogram {
  private var counts: [UInt64]
  private(set) var total: UInt64 = 0

  init() { counts = Array(repeating: 0, count: Int(MAINSTAY_HISTOGRAM_STEPS)) }

  /// From the recording, where other threads may still be counting.
  init(counts bytes: Slice<UnsafeRawBufferPointer>) {
    self.init()
    let buffer = UnsafeRawBufferPointer(rebasing: bytes)
    for step in counts.indices where (step + 1) * 8 <= buffer.count {
      counts[step] = buffer.loadUnaligned(fromByteOffset: step * 8, as: UInt64.self)
      total &+= counts[step]
    }
  }

  mutating func add(_ ticks: UInt64) {
    counts[Int(mainstay_histogram_step(ticks))] &+= 1
    total &+= 1
  }

  mutating func add(_ other: Histogram) {
    for step in counts.indices { counts[step] &+= other.counts[step] }
    total &+= other.total
  }

  /// The value that this share of all values does not exceed, in ticks: the middle of its step, at most `worst`.
  func percentile(_ share: Double, worst: UInt64) -> UInt64 {
    guard total > 0 else { return 0 }
    let rank = max(1, UInt64((share * Double(total)).rounded(.up)))
    var seen: UInt64 = 0
    for step in counts.indices where counts[step] > 0 {
      seen &+= counts[step]
      guard seen >= rank else { continue }
      if step == counts.count - 1 { return worst }
      let lower = mainstay_histogram_lower(UInt32(step))
      let upper = mainstay_histogram_lower(UInt32(step) + 1)
      return min(worst, lower + (upper - lower) / 2)
    }
    return worst
  }
}
