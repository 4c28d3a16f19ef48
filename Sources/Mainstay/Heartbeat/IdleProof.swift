/// Tells that the main actor was idle from one instant to the next, without asking it.

#if canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Glibc)
  import Glibc
#endif

/// Decides for each instant of a heartbeat whether the main actor must be asked, from what the process did since the last.
///
/// The kernel counts how often the threads of a process have gone to sleep. When the main actor answers at once and then
/// exactly one thread goes to sleep, it is the one that answered: nothing else ran, so nothing can have been given to the
/// main actor. After two such intervals it is known to wait, and it still does while no thread at all goes to sleep and no
/// processor time is used. Something that starts changes one of the two in its first interval, and is then asked about
/// at the next instant, as if there were no proof. Beats that wake nobody cost a third of those that do.
struct IdleProof: Sendable {
  /// What a process has done.
  struct Activity: Sendable, Equatable {
    /// How often its threads have gone to sleep, or waited for anything else; the observer's left out.
    var sleeps: Int
    /// Microseconds of processor time, with the observer's ten or so an interval.
    var processorTime: Int
  }

  /// Instants in a row that may pass unasked.
  private let unaskedAtMost: Int
  private var last: Activity?
  private var hasAsked = false
  private var quietIntervals = 0
  private var unasked = 0

  /// Asks at least every 20 ms, should a proof ever be wrong.
  init(interval: UInt64) {
    unaskedAtMost = Int(20_000_000 / interval)
  }

  /// True when the main actor must be asked at this instant.
  ///
  /// - Parameters:
  ///   - activity: what the process has done until now; nil where the kernel does not tell.
  ///   - hasAnswered: whether the main actor has answered all that it was asked.
  mutating func mustAsk(after activity: Activity?, hasAnswered: Bool) -> Bool {
    defer { last = activity }
    let isQuiet =
      if let last, let activity, hasAnswered {
        activity.sleeps - last.sleeps == (hasAsked ? 1 : 0)
          && activity.processorTime - last.processorTime < (hasAsked ? 300 : 100)
      } else {
        false
      }
    quietIntervals = isQuiet ? quietIntervals + 1 : 0
    hasAsked = quietIntervals < 2 || unasked >= unaskedAtMost
    unasked = hasAsked ? 0 : unasked + 1
    return hasAsked
  }
}

extension IdleProof.Activity {
  /// What this process has done, with the sleeps of all threads but the calling one; nil where the kernel does not count
  /// them by thread.
  static var seenByThisThread: Self? {
    #if os(Linux) || os(Android)
      // `RUSAGE_SELF` and `RUSAGE_THREAD` of Linux.
      guard let process = sleeps(0), let thread = sleeps(1) else { return nil }
      return Self(sleeps: process - thread, processorTime: Int(clock()))
    #else
      return nil
    #endif
  }

  #if os(Linux) || os(Android)
    private static func sleeps(_ who: CInt) -> Int? {
      // No initialiser of the structure: which module has it differs between builds.
      withUnsafeTemporaryAllocation(of: rusage.self, capacity: 1) { usage in
        guard let base = usage.baseAddress, getrusage(who, base) == 0 else { return nil }
        return Int(base.pointee.ru_nvcsw)
      }
    }
  #endif
}
