/// A boundary whose callers may be on any thread: values are applied on the main actor in the order they were sent.

import Dispatch
import Synchronization

/// A place where values arrive from any thread and are applied on the main actor, in order.
///
/// A task for each value costs ten times as much, promises no order, and floods the main actor. Here values wait in
/// one queue, at most one drain is pending, and a drain gives the main actor back after an eighth of the frame
/// interval (2.1 ms at 60 Hz), so that a burst of values does not become one long job.
///
/// ```swift
/// let progress = HoppingBoundary<Double>("download progress", delivery: .latest) { model.progress = $0 }
/// downloader.onProgress = { progress.send($0) }      // on whatever thread it likes
/// ```
///
/// A boundary that is released without `finish()` still applies what was sent to it.
public final class HoppingBoundary<Value: Sendable>: Sendable {
  /// Which of the values that arrive faster than they are applied reach the main actor.
  public enum Delivery: Sendable, Hashable {
    /// Every value, in order. The queue has no limit: what must not be lost must be taken as fast as it is sent.
    case everyValue
    /// The newest value; older ones that still wait are merged into it. For state, never for events.
    case latest
  }

  @usableFromInline let record: BoundaryRecord
  @usableFromInline let delivery: Delivery
  @usableFromInline let apply: @MainActor (Value) -> Void
  /// Nanoseconds after which a drain gives the main actor back.
  @usableFromInline let slice: UInt64
  @usableFromInline let inbox = Mutex(Inbox())
  @usableFromInline let isFinished = Atomic<Bool>(false)
  /// What the current drain took from the inbox. Only the drain touches it, and at most one drain is pending.
  @MainActor @usableFromInline var batch = Batch()

  @usableFromInline
  struct Parcel: Sendable {
    @usableFromInline let value: Value
    @usableFromInline let sent: UInt64
    @usableFromInline let number: UInt64

    @inlinable
    init(value: Value, sent: UInt64, number: UInt64) {
      self.value = value
      self.sent = sent
      self.number = number
    }
  }

  @usableFromInline
  struct Inbox: Sendable {
    @usableFromInline var parcels: [Parcel] = []
    @usableFromInline var counts = SendCounts()
    @usableFromInline var lastNumber: UInt64 = 0
    @usableFromInline var isDrainPending = false

    @usableFromInline
    init() {}
  }

  @usableFromInline
  struct Batch {
    @usableFromInline var parcels: [Parcel] = []
    @usableFromInline var next = 0
    @usableFromInline var lastApplied: UInt64 = 0

    @usableFromInline
    init() {}
  }

  /// A boundary that hops.
  ///
  /// - Parameters:
  ///   - name: what arrives here, for reports.
  ///   - contract: what is known about the callers, if anything is.
  ///   - delivery: every value, or the newest of those that wait.
  ///   - budget: the frame interval of the display; a drain takes an eighth of it at a time.
  ///   - apply: what to do with a value, on the main actor.
  ///   - file: the file of the boundary; leave it to the default.
  ///   - line: the line of the boundary; leave it to the default.
  public init(
    _ name: String, contract: String = "", delivery: Delivery = .everyValue, budget: FrameBudget = .hz60,
    apply: @escaping @MainActor (Value) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) {
    let identity = BoundaryIdentity(name: name, contract: contract, file: "\(file)", line: line, kind: .hopping)
    self.record = Boundaries.record(identity)
    self.delivery = delivery
    self.apply = apply
    self.slice = (budget.interval / 8).clockNanoseconds
  }

  deinit {
    // Nothing waits any more: a pending drain would have kept the boundary alive.
    inbox.withLock { record.add($0.counts) }
  }

  /// Sends a value to the main actor. Returns at once, on any thread; never blocks on the main actor.
  ///
  /// Values of one thread are applied in the order of their calls; values of several threads in the order in which
  /// the calls took the queue. After ``finish()`` the value is dropped and counted as refused.
  @inlinable
  public func send(_ value: Value) {
    let sent = MonotonicClock.now
    let isOnMain = MainQueue.isCurrent
    let mustWake = inbox.withLock { inbox in
      guard !isFinished.load(ordering: .relaxed) else {
        inbox.counts.refused += 1
        return false
      }
      if isOnMain { inbox.counts.onMain += 1 } else { inbox.counts.offMain += 1 }
      if delivery == .latest, !inbox.parcels.isEmpty {
        inbox.counts.merged += inbox.parcels.count
        inbox.parcels.removeAll(keepingCapacity: true)
      }
      inbox.lastNumber += 1
      inbox.parcels.append(Parcel(value: value, sent: sent, number: inbox.lastNumber))
      inbox.counts.longestQueue = max(inbox.counts.longestQueue, inbox.parcels.count)
      defer { inbox.isDrainPending = true }
      return !inbox.isDrainPending
    }
    if record.isSurveyed, !isOnMain { countSender() }
    if mustWake { scheduleDrain() }
  }

  /// Ends the boundary: values that wait are dropped, values sent from now on are refused.
  ///
  /// May be called on any thread and more than once. Once it has returned on the main actor nothing is applied any
  /// more, not even when it was called from `apply`; on another thread one value may be in the middle of being applied.
  public func finish() {
    let dropped = inbox.withLock { inbox in
      isFinished.store(true, ordering: .releasing)
      defer { inbox.parcels = [] }
      return inbox.parcels
    }
    // Values are released here, outside the lock: their deinitialisers may send.
    _ = consume dropped
  }

  @usableFromInline
  func countSender() {
    record.countSender(Whereabouts.current)
  }

  /// Queues the one pending drain at the end of the main queue, behind whatever waits there.
  @usableFromInline
  func scheduleDrain() {
    DispatchQueue.main.async { MainActor.assumeIsolated { self.drain() } }
  }

  /// Applies values until none wait or the slice is used up. At least one value a slice.
  @MainActor
  @inlinable
  func drain() {
    // One reading a value: the end of one is the beginning of the next.
    var now = MonotonicClock.now
    let end = now &+ slice
    while true {
      while batch.next < batch.parcels.count, !isFinished.load(ordering: .acquiring) {
        let parcel = batch.parcels[batch.next]
        batch.next += 1
        record.countApplied(latency: now &- min(now, parcel.sent), isInOrder: parcel.number > batch.lastApplied)
        batch.lastApplied = max(batch.lastApplied, parcel.number)
        apply(parcel.value)
        now = MonotonicClock.now
        if now >= end { return scheduleDrain() }
      }
      guard refill() else { return }
    }
  }

  /// Takes what was sent since the last refill. False when there is nothing: then no drain is pending any more.
  @MainActor
  @inlinable
  func refill() -> Bool {
    var emptied = batch.parcels
    batch.parcels = []
    batch.next = 0
    emptied.removeAll(keepingCapacity: emptied.capacity <= Self.parcelsKept)
    let counts = inbox.withLock { inbox in
      swap(&inbox.parcels, &emptied)
      if emptied.isEmpty { inbox.isDrainPending = false }
      defer { inbox.counts = SendCounts() }
      return inbox.counts
    }
    record.add(counts)
    batch.parcels = emptied
    return !batch.parcels.isEmpty
  }

  /// The room kept for the next burst; a larger one gives its memory back.
  @usableFromInline
  static var parcelsKept: Int { 4_096 }
}
