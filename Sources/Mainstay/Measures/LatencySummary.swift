/// What a histogram of latencies says, in five numbers.

/// How late something was: how often it was looked at, and the worst and usual latencies.
///
/// `count` and `worst` are exact; the percentiles are at most 1 % off and never beyond `worst`.
public struct LatencySummary: Sendable, Hashable {
  /// The number of latencies measured.
  public let count: Int
  /// The longest latency.
  public let worst: Duration
  /// The latency that half of them did not exceed.
  public let p50: Duration
  /// The latency that 90 % of them did not exceed.
  public let p90: Duration
  /// The latency that 99 % of them did not exceed.
  public let p99: Duration
  /// The latency that 99.9 % of them did not exceed.
  public let p999: Duration

  init(_ histogram: LatencyHistogram) {
    count = Int(clamping: histogram.count)
    worst = Duration(clockNanoseconds: histogram.worst)
    p50 = Duration(clockNanoseconds: histogram.percentile(0.5))
    p90 = Duration(clockNanoseconds: histogram.percentile(0.9))
    p99 = Duration(clockNanoseconds: histogram.percentile(0.99))
    p999 = Duration(clockNanoseconds: histogram.percentile(0.999))
  }
}
