/// When a call must have its answer at the latest.

/// One moment for all that a call is made of: its attempts, the pauses between them, and what a store waits for.
///
/// It comes down to the store with the task. A store heeds it where it waits for what may never come; what it does not
/// wait for in vain it finishes, because half of a transfer would be worse than a late one.
public enum CallDeadline {
  /// The moment of the call that this task makes; nil when it has all the time in the world.
  @TaskLocal public static var instant: ContinuousClock.Instant?

  /// When someone must have answered whom the call asks before it does anything: a fifth of what is left of its time stays
  /// for that. Nil when it has all the time in the world.
  public static var ofAnswers: ContinuousClock.Instant? {
    instant.map { instant in
      let now = ContinuousClock.now
      return now + now.duration(to: instant) * 4 / 5
    }
  }

  /// So much later than now, or what is left of a call that this one is part of.
  public static func after(_ length: Duration) -> ContinuousClock.Instant {
    let own = ContinuousClock.now + length
    return instant.map { min($0, own) } ?? own
  }
}
