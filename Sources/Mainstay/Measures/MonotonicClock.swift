/// The clock behind every measurement of the library: nanoseconds that never run backwards.

import Dispatch

/// Nanoseconds of the clock that Dispatch's timers keep, so that a timer's lateness is a difference of two readings.
///
/// `ContinuousClock` would do elsewhere, but its 128-bit durations cost more than the work some readings time.
@usableFromInline
enum MonotonicClock {
  /// Nanoseconds since an arbitrary start; stands still while the machine sleeps.
  @inlinable
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

extension Duration {
  /// A duration from a difference of two clock readings.
  @usableFromInline
  init(clockNanoseconds nanoseconds: UInt64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest) * 1_000_000_000)
  }

  /// Whole nanoseconds, rounded down, from 0 to 292 years: what the clock can be asked to wait for.
  @usableFromInline
  var clockNanoseconds: UInt64 {
    guard self > .zero else { return 0 }
    return UInt64(clamping: min(attoseconds / 1_000_000_000, Int128(Int64.max)))
  }
}
