/// A histogram of latencies in bounded memory: at most 1 % off at any percentile, exact in count and worst.

/// Log-linear buckets: 64 to every power of two, so a bucket is at most 1/64 wide and its middle at most 0.8 % off.
///
/// It grows to the longest latency seen and never beyond 2,368 buckets (19 kB); a latency over 73 minutes counts as
/// 73 minutes in the percentiles, and exactly in `worst`.
@usableFromInline
struct LatencyHistogram: Sendable, Equatable {
  private static let bitsPerOctave: UInt64 = 6
  private static let longest: UInt64 = 1 << 42 - 1

  private var buckets: [UInt64] = []
  private(set) var count: UInt64 = 0
  private(set) var worst: UInt64 = 0
  private var least: UInt64 = .max

  @usableFromInline
  init() {}

  /// The memory it takes: buckets of 8 bytes.
  var bucketCount: Int { buckets.count }

  /// Counts one latency, in nanoseconds, or several that are equal.
  @usableFromInline
  mutating func record(_ nanoseconds: UInt64, times: UInt64 = 1) {
    guard times > 0 else { return }
    add(nanoseconds, times: times)
    least = min(least, nanoseconds)
  }

  /// Counts a train of latencies, `first`, `first - step`, `first - 2 * step` and so on, without walking it.
  ///
  /// The beats that a blocked actor missed form such a train: each would have waited one interval less than the one
  /// before it. Leaving them out would make a stall of any length one sample among many.
  mutating func recordTrain(first: UInt64, step: UInt64, count: UInt64) {
    precondition(step > 0)
    var remaining = count
    var latency = first
    while remaining > 0 {
      let floor = Self.floor(ofBucket: Self.bucket(of: latency))
      let together = min(remaining, (min(latency, Self.longest) - min(floor, latency)) / step + 1)
      add(latency, times: together)
      remaining -= together
      let (next, underflow) = latency.subtractingReportingOverflow(together &* step)
      guard remaining > 0 else {
        least = min(least, latency - min(latency, (together - 1) * step))
        break
      }
      latency = underflow ? 0 : next
    }
  }

  /// The latency that `share` (0 to 1) of all latencies do not exceed, by nearest rank; 0 when nothing was counted.
  func percentile(_ share: Double) -> UInt64 {
    guard count > 0 else { return 0 }
    let rank = min(max(UInt64((share * Double(count)).rounded(.up)), 1), count)
    if rank == count { return worst }
    var passed: UInt64 = 0
    for (index, inBucket) in buckets.enumerated() {
      passed += inBucket
      if passed >= rank { return min(max(Self.middle(ofBucket: index), least), worst) }
    }
    return worst
  }

  /// True when the histogram cannot tell the two apart.
  static func sharesBucket(_ one: UInt64, _ other: UInt64) -> Bool {
    bucket(of: one) == bucket(of: other)
  }

  /// Adds the latencies of another histogram to this one.
  mutating func merge(_ other: LatencyHistogram) {
    if other.buckets.count > buckets.count { grow(to: other.buckets.count) }
    for (index, inBucket) in other.buckets.enumerated() { buckets[index] += inBucket }
    count += other.count
    worst = max(worst, other.worst)
    least = min(least, other.least)
  }

  private mutating func add(_ nanoseconds: UInt64, times: UInt64) {
    let index = Self.bucket(of: nanoseconds)
    if index >= buckets.count { grow(to: index + 1) }
    buckets[index] += times
    count += times
    if nanoseconds > worst { worst = nanoseconds }
  }

  private mutating func grow(to count: Int) {
    buckets.append(contentsOf: repeatElement(0, count: count - buckets.count))
  }

  private static func bucket(of nanoseconds: UInt64) -> Int {
    let bounded = min(nanoseconds, longest)
    guard bounded >= 1 << bitsPerOctave else { return Int(bounded) }
    let shift = UInt64(63 - bounded.leadingZeroBitCount) - bitsPerOctave
    return Int(shift << bitsPerOctave + bounded >> shift)
  }

  private static func floor(ofBucket index: Int) -> UInt64 {
    let index = UInt64(index)
    guard index >= 2 << bitsPerOctave else { return index }
    let shift = index >> bitsPerOctave - 1
    return (index - shift << bitsPerOctave) << shift
  }

  private static func middle(ofBucket index: Int) -> UInt64 {
    let shift = index < 2 << Int(bitsPerOctave) ? 0 : UInt64(index) >> bitsPerOctave - 1
    return floor(ofBucket: index) + (1 << shift) / 2
  }
}
