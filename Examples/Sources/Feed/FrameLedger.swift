/// When each update became visible: kept frame by frame, without a clock.

/// What one way of delivery did to a run of updates.
///
/// A frame draws what the state is at its end. An update that is applied before the end of the frame in which it was
/// made is 0 frames late. One that a later update replaces before any frame drew it was merged: nobody has seen it.
nonisolated public struct FrameLedger: Sendable {
  private var frame = 0
  private var made: [Int: Int] = [:]
  private var current: Int?
  private var drawn: Int?
  private var newestDrawn = 0
  /// The latest update that was applied; 0 before the first.
  public private(set) var newestApplied = 0
  private var counts: [Int: Int] = [:]

  public private(set) var updates = 0
  /// Updates that a frame drew.
  public private(set) var shown = 0
  /// Updates that a frame passed over, because a later one was in its place. Unlike ``merged`` it does not count those
  /// that are still on their way.
  public private(set) var skipped = 0
  /// Updates that were applied after a later one.
  public private(set) var inversions = 0
  /// Updates that reached the state at all.
  public private(set) var applied = 0

  public init() {}

  /// Notes that an update is being made, in the frame that is drawn next. Updates count from 1.
  public mutating func make(_ update: Int) {
    made[update] = frame
    updates += 1
  }

  /// Notes that the state became what an update made it. Updates that this run did not make are the state before it.
  public mutating func apply(_ update: Int) {
    guard made[update] != nil else { return }
    applied += 1
    if update < newestApplied { inversions += 1 }
    newestApplied = max(newestApplied, update)
    current = update
  }

  /// What one frame drew.
  public struct Frame: Sendable, Hashable {
    /// The update that it was the first to draw; nil when it drew what was there before.
    public var update: Int?
    /// How many frames later than the one in which that update was made.
    public var later = 0
    /// Updates before it that no frame drew, and after it none will.
    public var skipped = 0

    public init(update: Int? = nil, later: Int = 0, skipped: Int = 0) {
      self.update = update
      self.later = later
      self.skipped = skipped
    }
  }

  /// Draws a frame.
  @discardableResult
  public mutating func draw() -> Frame {
    defer { frame += 1 }
    guard let current, current != drawn, let frameMade = made[current] else { return Frame() }
    let new = Frame(update: current, later: frame - frameMade, skipped: max(0, current - newestDrawn - 1))
    shown += 1
    counts[new.later, default: 0] += 1
    skipped += new.skipped
    newestDrawn = max(newestDrawn, current)
    drawn = current
    return new
  }

  /// Updates that no frame drew.
  public var merged: Int { updates - shown }

  /// Frames from the one in which an update was made to the one that drew it, on average over those that were drawn.
  public var averageFramesLater: Double {
    guard shown > 0 else { return 0 }
    return Double(counts.reduce(0) { $0 + $1.key * $1.value }) / Double(shown)
  }

  /// The number of frames that at least 99 of 100 drawn updates were not later than.
  public var p99FramesLater: Int {
    let rank = (shown * 99 + 99) / 100
    var seen = 0
    for (frames, count) in counts.sorted(by: { $0.key < $1.key }) {
      seen += count
      if seen >= rank { return frames }
    }
    return 0
  }

  public var worstFramesLater: Int { counts.keys.max() ?? 0 }
}
