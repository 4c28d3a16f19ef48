/// What one boundary has seen: the only place where deliveries are counted.

import Synchronization

/// The counts of every boundary of one name, contract and source line.
///
/// Boundaries come and go with the objects that own them; their counts must not, so equal boundaries share a record
/// and the registry keeps it for the life of the process.
///
/// A recorder that is present in the process asks for the counts a few times a second, so that a callback costs nothing
/// more; what may be the last that the process does is told at once.
@usableFromInline
final class BoundaryRecord: Sendable {
  let identity: BoundaryIdentity

  /// True in survey mode: violations are recorded and hop instead of trapping.
  @usableFromInline let isSurveyed: Bool

  /// Deliveries on the main actor. Written on the main actor only, so a load and a store need no atomic addition.
  @usableFromInline let deliveredOnMain = Atomic<Int>(0)

  private let rest = Mutex(Rest())

  private struct Rest {
    /// Of hopping boundaries; those of asserted ones are all on main or off main.
    var callbacks = 0
    var onMain = 0
    var offMain = 0
    var cannotTell = 0
    var merged = 0
    var refused = 0
    var inversions = 0
    var longestQueue = 0
    var queues: [String: Int] = [:]
    var latency = LatencyHistogram()
    /// Numbers asserted deliveries in survey mode, to see whether hops overtake one another.
    var nextNumber: UInt64 = 0
    var lastApplied: UInt64 = 0

    mutating func count(_ queue: String) {
      let isKnown = queues[queue] != nil || queues.count < namedQueues
      queues[isKnown ? queue : furtherQueues, default: 0] += 1
    }
  }

  /// Queues named one by one; more of them are counted under `furtherQueues`.
  private static let namedQueues = 64
  private static let furtherQueues = "(further queues)"

  init(_ identity: BoundaryIdentity, isSurveyed: Bool) {
    self.identity = identity
    self.isSurveyed = isSurveyed
  }

  // MARK: Asserted boundaries

  /// Counts a delivery in the place it was promised for. On the main actor only.
  @inlinable
  func countOnMain() {
    deliveredOnMain.store(deliveredOnMain.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// Counts a delivery of a surveyed boundary and numbers it, so that its turn can be checked when it is applied.
  ///
  /// - Parameters:
  ///   - queue: where it came from; nil for the main actor.
  ///   - canTell: false when that may be as good as the main actor.
  func countSurveyed(from queue: String?, canTell: Bool = true) -> UInt64 {
    let number = rest.withLock { rest in
      if let queue {
        if canTell { rest.offMain += 1 } else { rest.cannotTell += 1 }
        rest.count(queue)
      } else {
        rest.onMain += 1
      }
      rest.nextNumber += 1
      return rest.nextNumber
    }
    // What follows may trap elsewhere: a closure that inherited an isolation does.
    if queue != nil { BoundaryRecorder.note(row) }
    return number
  }

  /// Tells the recorder of a delivery that ends the program, unless the runtime's own check lets it pass.
  func noteRefused(from queue: String) {
    rest.withLock { rest in
      rest.offMain += 1
      rest.count(queue)
    }
    BoundaryRecorder.note(row)
    rest.withLock { rest in
      rest.offMain -= 1
      rest.queues[queue] = rest.queues[queue].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  /// Notes that a surveyed delivery is being applied; one that is older than the last is an inversion.
  func noteApplied(number: UInt64) {
    rest.withLock { rest in
      if number < rest.lastApplied { rest.inversions += 1 }
      rest.lastApplied = max(rest.lastApplied, number)
    }
  }

  // MARK: Hopping boundaries

  /// Names the queue a surveyed hopping boundary was called from.
  @usableFromInline
  func countSender(_ queue: String) {
    rest.withLock { $0.count(queue) }
  }

  /// Adds what a hopping boundary counted since it last told.
  @usableFromInline
  func add(_ counts: SendCounts) {
    rest.withLock { rest in
      rest.callbacks += counts.callbacks
      if isSurveyed {
        rest.onMain += counts.onMain
        rest.offMain += counts.callbacks - counts.onMain
      }
      rest.merged += counts.merged
      rest.refused += counts.refused
      rest.longestQueue = max(rest.longestQueue, counts.longestQueue)
    }
  }

  /// Counts values about to be applied, and the nanoseconds each waited.
  func countApplied(_ count: UInt64, latency: UInt64) {
    rest.withLock { $0.latency.record(latency, times: count) }
  }

  // MARK: Report

  var row: BoundaryReport.Row {
    rest.withLock { rest in
      let onMain = rest.onMain + deliveredOnMain.load(ordering: .relaxed)
      return BoundaryReport.Row(
        identity: identity,
        callbacks: identity.kind == .hopping ? rest.callbacks : onMain + rest.offMain + rest.cannotTell,
        onMain: onMain, offMain: rest.offMain, cannotTell: rest.cannotTell,
        merged: rest.merged, refused: rest.refused, inversions: rest.inversions, longestQueue: rest.longestQueue,
        queues: rest.queues, latency: rest.latency.count == 0 ? nil : LatencySummary(rest.latency))
    }
  }
}

/// What a hopping boundary counts by itself, so that a sent value touches no shared record.
@usableFromInline
struct SendCounts: Sendable {
  @usableFromInline var callbacks = 0
  /// Of the callbacks; counted in survey mode only.
  @usableFromInline var onMain = 0
  @usableFromInline var merged = 0
  @usableFromInline var refused = 0
  @usableFromInline var longestQueue = 0

  @usableFromInline
  init() {}

  mutating func count(isFromMain: Bool) {
    callbacks += 1
    if isFromMain { onMain += 1 }
  }
}

/// Values applied one after another that waited about as long, gathered so that they are counted together.
///
/// In a burst the waits change slowly, so most values fall into the bucket of the one before them.
@usableFromInline
struct LatencyRun {
  private var latency: UInt64 = 0
  private var count: UInt64 = 0

  @usableFromInline
  mutating func add(_ next: UInt64, to record: BoundaryRecord) {
    if count > 0, LatencyHistogram.sharesBucket(next, latency) {
      count += 1
      // The worst stays exact.
      latency = max(latency, next)
    } else {
      flush(to: record)
      latency = next
      count = 1
    }
  }

  @usableFromInline
  mutating func flush(to record: BoundaryRecord) {
    guard count > 0 else { return }
    record.countApplied(count, latency: latency)
    count = 0
  }

  @usableFromInline
  init() {}
}
