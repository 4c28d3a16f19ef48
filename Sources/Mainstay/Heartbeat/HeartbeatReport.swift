/// What a heartbeat has seen: how late the main actor was, and how late the pool was, apart.

/// The lateness of the main actor and of the pool over the life of a ``Heartbeat``.
///
/// Lateness is the time from the instant a beat was due until it ran. A stall of length `T` shows as a worst lateness
/// above `T` less one interval and, on an idle machine, at most `T`. Percentiles count every beat that was due, the
/// missed ones with the lateness they would have had; otherwise a stall of any length would be one sample among many.
public struct HeartbeatReport: Sendable, Hashable {
  /// The time between two beats.
  public let interval: Duration
  /// The budget the heartbeat was made with.
  public let budget: FrameBudget
  /// The beats that ran.
  public let beats: Int
  /// The beats that were due while the main actor was busy and never ran.
  public let missed: Int
  /// The lateness of all beats due, on the main actor.
  public let lateness: LatencySummary
  /// How long an empty task waited for a thread of the pool, worst of three priorities.
  public let pool: LatencySummary

  /// The worst lateness of the main actor.
  public var worst: Duration { lateness.worst }
  /// The lateness that half of the beats did not exceed.
  public var p50: Duration { lateness.p50 }
  /// The lateness that 90 % of the beats did not exceed.
  public var p90: Duration { lateness.p90 }
  /// The lateness that 99 % of the beats did not exceed.
  public var p99: Duration { lateness.p99 }
  /// The longest wait for a thread of the pool.
  public var poolLateness: Duration { pool.worst }
  /// The frames that a main-actor job as long as the worst lateness drops.
  public var droppedFrames: Int { budget.droppedFrames(for: worst) }

  /// What the two latenesses together say.
  public enum Diagnosis: String, Sendable, Hashable {
    /// Neither the main actor nor the pool kept work waiting.
    case responsive
    /// A main-actor job, or a main-queue block, was longer than the budget.
    case mainActorBlocked
    /// The main actor was free, but the pool's threads were all taken: work off the main actor waits.
    case poolStarved
    /// Both.
    case mainActorBlockedAndPoolStarved
  }

  /// The longest wait for a thread of the pool that is not yet called starved: six frames at 60 Hz.
  public static let poolPatience: Duration = .milliseconds(100)

  /// Whether the main actor was blocked for longer than the budget, and whether the pool was starved.
  public var diagnosis: Diagnosis {
    switch (worst > budget.interval, poolLateness > Self.poolPatience) {
    case (false, false): .responsive
    case (true, false): .mainActorBlocked
    case (false, true): .poolStarved
    case (true, true): .mainActorBlockedAndPoolStarved
    }
  }
}

extension HeartbeatReport: CustomStringConvertible {
  /// One line with its unit in every number.
  public var description: String {
    "\(beats) beats, \(missed) missed; main actor late: worst \(DurationText.of(worst)), p99 \(DurationText.of(p99)), p50 \(DurationText.of(p50))"
      + " (\(droppedFrames) \(droppedFrames == 1 ? "frame" : "frames") dropped); pool late: worst \(DurationText.of(poolLateness)); \(diagnosis.rawValue)"
  }
}
