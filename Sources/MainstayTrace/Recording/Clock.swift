import CMainstayTrace

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Turns the recording's ticks into nanoseconds: through two moments at which both were read.
struct TickClock: Sendable {
  let start: UInt64
  let nanosecondsPerTick: Double

  /// Nil when the two moments are too close to tell the rate.
  init?(_ started: mainstay_clock, _ latest: mainstay_clock) {
    guard latest.ticks > started.ticks, latest.nanoseconds > started.nanoseconds else { return nil }
    start = started.ticks
    nanosecondsPerTick = Double(latest.nanoseconds - started.nanoseconds) / Double(latest.ticks - started.ticks)
    guard nanosecondsPerTick > 1e-3, nanosecondsPerTick < 1e3 else { return nil }
  }

  /// At most half of what a counter holds, whatever a damaged recording says.
  func ticks(nanoseconds: Double) -> UInt64 { UInt64(min(max(nanoseconds / nanosecondsPerTick, 0), 9e18)) }
  func nanoseconds(_ ticks: UInt64) -> Double { Double(ticks) * nanosecondsPerTick }
  func seconds(_ ticks: UInt64) -> Double { Double(ticks) * nanosecondsPerTick / 1e9 }
  func milliseconds(_ ticks: UInt64) -> Double { Double(ticks) * nanosecondsPerTick / 1e6 }
  /// Exact enough to count frames: within a nanosecond, up to 104 days. What is longer is no length of a job.
  func duration(_ ticks: UInt64) -> Duration {
    .nanoseconds(Int64(min(Double(ticks) * nanosecondsPerTick, 0x1p53).rounded()))
  }
  /// Seconds since the recording started; 0 for what came before it.
  func secondsSinceStart(_ ticks: UInt64) -> Double { ticks > start ? seconds(ticks - start) : 0 }
}

/// CLOCK_MONOTONIC, in nanoseconds.
func monotonicNanoseconds() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
