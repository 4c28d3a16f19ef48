/// When a heartbeat is due, and how late and how often it was not served: the arithmetic, without a clock.

/// A grid of instants one interval apart; all times in nanoseconds of one clock.
struct BeatSchedule: Sendable, Equatable {
  /// A beat that was served.
  struct Beat: Equatable {
    /// Nanoseconds from the instant it was due until it was served.
    var lateness: UInt64
    /// The further instants that passed unserved in that time.
    var missed: UInt64
  }

  let interval: UInt64
  private(set) var due: UInt64

  /// The first beat is due one interval after `start`.
  init(start: UInt64, interval: UInt64) {
    precondition(interval > 0)
    self.interval = interval
    self.due = start + interval
  }

  /// Leaves out the instants up to one of them, which passed while there was nothing to serve.
  mutating func skip(through instant: UInt64) {
    due = max(due, instant + interval)
  }

  /// Serves the oldest instant that is due and skips the others; nil when none is.
  ///
  /// While a thread is blocked its timer does not fire, and afterwards it fires once. The lateness is measured from
  /// the first instant that was missed, so a stall of length `T` is seen as more than `T - interval` and at most `T`.
  mutating func serve(at now: UInt64) -> Beat? {
    guard now >= due else { return nil }
    let lateness = now - due
    let missed = lateness / interval
    due += (missed + 1) * interval
    return Beat(lateness: lateness, missed: missed)
  }
}
