/// A boundary whose callers may be on any thread: values are applied on the main actor in the order they were sent.

import Dispatch
import Synchronization

/// A place where values arrive from any thread and are applied on the main actor, in order.
///
/// A task for each value costs several times as much, promises no order, and floods the main actor. Here values wait in
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
  /// The record's, kept here because the drain writes near the record's.
  @usableFromInline let isSurveyed: Bool
  @usableFromInline let isFinished = Atomic<Bool>(false)
  /// What waits: `idle`, `drainPending`, or the address of the newest parcel, which leads to the older ones.
  ///
  /// A lock here would be the slowest part: on Linux it is handed from one waiting thread to the next, and four
  /// senders then cost twenty times as much as one. Senders only ever put one parcel in front of the others, and the
  /// drain only ever takes all of them, so one exchange is enough.
  ///
  /// Kept a cache line away from what is read for every value, before it, and from what the drain writes, behind it.
  private let spaceBefore = CacheLine()
  @usableFromInline let waiting = Atomic<UInt>(0)
  private let spaceBehind = CacheLine()
  @usableFromInline let refused = Atomic<Int>(0)
  @usableFromInline let mergedOnMain = Atomic<Int>(0)
  @usableFromInline let mergedOffMain = Atomic<Int>(0)
  private let spaceBeforeBatch = CacheLine()
  /// What the current drain took. Only the drain touches it, and at most one drain is pending.
  @MainActor @usableFromInline var batch = Batch()

  @usableFromInline typealias Link = UnsafeMutablePointer<Parcel>

  @usableFromInline
  struct Parcel {
    @usableFromInline let value: Value
    /// When it was sent; 0 if its wait is not measured.
    @usableFromInline let sent: UInt64
    @usableFromInline let isFromMain: Bool
    /// The parcel sent before this one; once in order, the one after it.
    @usableFromInline var next: Link?

    @inlinable
    init(value: Value, sent: UInt64, isFromMain: Bool) {
      self.value = value
      self.sent = sent
      self.isFromMain = isFromMain
    }
  }

  @usableFromInline
  struct Batch {
    /// Taken, newest first.
    @usableFromInline var unordered: Link?
    /// In the order of sending.
    @usableFromInline var next: Link?
    @usableFromInline var counts = SendCounts()
    @usableFromInline var latencies = LatencyRun()

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
    self.isSurveyed = record.isSurveyed
    self.delivery = delivery
    self.apply = apply
    self.slice = (budget.interval / 8).clockNanoseconds
  }

  deinit {
    // Nothing waits any more: a pending drain would have kept the boundary alive.
    record.add(senderCounts())
  }

  /// Sends a value to the main actor. Returns at once, on any thread; never blocks on the main actor.
  ///
  /// Values of one thread are applied in the order of their calls; values of several threads in the order in which
  /// the calls took the queue. After ``finish()`` the value is dropped and counted as refused.
  @inlinable
  public func send(_ value: Value) {
    guard !isFinished.load(ordering: .acquiring) else {
      refused.wrappingAdd(1, ordering: .relaxed)
      return
    }
    let isFromMain = isSurveyed && isSentFromMain()
    let parcel = Link.allocate(capacity: 1)
    let sent = isTimed(parcel) ? MonotonicClock.now : 0
    parcel.initialize(to: Parcel(value: value, sent: sent, isFromMain: isFromMain))
    let before = delivery == .latest ? replaceWaiting(with: parcel) : putInFront(parcel)
    if before == Self.idle { scheduleDrain() }
  }

  /// Whether the wait of this parcel is measured: one in eight, and each that finds nothing waiting.
  ///
  /// Reading the clock is a fifth of a send. The allocator's addresses choose as well as any counter, and are nobody's
  /// to share.
  @inlinable
  func isTimed(_ parcel: Link) -> Bool {
    UInt(bitPattern: parcel) >> 4 & 7 == 0 || waiting.load(ordering: .relaxed) <= Self.drainPending
  }

  /// Puts a parcel in front of those that wait; returns what was there.
  @inlinable
  func putInFront(_ parcel: Link) -> UInt {
    var before = waiting.load(ordering: .relaxed)
    while true {
      parcel.pointee.next = Self.link(before)
      let (exchanged, found) = waiting.weakCompareExchange(
        expected: before, desired: UInt(bitPattern: parcel), successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed)
      if exchanged { return before }
      before = found
    }
  }

  /// Merges the parcel that waits into a newer one; returns what was there.
  @inlinable
  func replaceWaiting(with parcel: Link) -> UInt {
    let before = waiting.exchange(UInt(bitPattern: parcel), ordering: .acquiringAndReleasing)
    if let merged = Self.link(before) {
      if merged.pointee.isFromMain {
        mergedOnMain.wrappingAdd(1, ordering: .relaxed)
      } else {
        mergedOffMain.wrappingAdd(1, ordering: .relaxed)
      }
      merged.deinitialize(count: 1)
      merged.deallocate()
    }
    return before
  }

  /// Ends the boundary: values that wait are dropped, values sent from now on are refused.
  ///
  /// May be called on any thread and more than once. Once it has returned on the main actor nothing is applied any
  /// more, not even when it was called from `apply`; on another thread one value may be in the middle of being applied.
  public func finish() {
    isFinished.store(true, ordering: .releasing)
    // A drain is pending while anything waits, and stays so: it drops what it had taken.
    var before = waiting.load(ordering: .relaxed)
    while let newest = Self.link(before) {
      let (exchanged, found) = waiting.weakCompareExchange(
        expected: before, desired: Self.drainPending, successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed)
      if exchanged { return record.add(Self.drop(newest)) }
      before = found
    }
  }

  // MARK: Draining

  @usableFromInline static var idle: UInt { 0 }
  @usableFromInline static var drainPending: UInt { 1 }

  /// The newest parcel, if any waits. Parcels are aligned, so an address is neither of the two marks.
  @inlinable
  static func link(_ waiting: UInt) -> Link? {
    waiting > drainPending ? Link(bitPattern: waiting) : nil
  }

  /// Whether the sender is on the main actor; if not, the queue it is on is counted. Asked in survey mode only, because
  /// it costs a third of a send.
  @usableFromInline
  func isSentFromMain() -> Bool {
    if MainQueue.isCurrent || MainQueue.isCurrentBehindAnotherQueue { return true }
    record.countSender(Whereabouts.current)
    return false
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
      if batch.unordered != nil {
        guard putInOrder(until: end) else { return pause() }
      }
      while let link = batch.next {
        guard !isFinished.load(ordering: .acquiring) else { break }
        let parcel = link.move()
        link.deallocate()
        batch.next = parcel.next
        if parcel.sent != 0 { batch.latencies.add(now &- min(now, parcel.sent), to: record) }
        apply(parcel.value)
        now = MonotonicClock.now
        if now >= end { return pause() }
      }
      guard refill() else { return }
    }
  }

  /// Gives the main actor back and comes again.
  @MainActor
  @usableFromInline
  func pause() {
    batch.latencies.flush(to: record)
    scheduleDrain()
  }

  /// Takes what was sent since the last time. False when there is nothing: then no drain is pending any more.
  @MainActor
  @usableFromInline
  func refill() -> Bool {
    batch.latencies.flush(to: record)
    if let left = batch.next {
      // The boundary was finished in the middle of a batch.
      batch.next = nil
      record.add(Self.drop(left, isCounted: true))
    }
    record.add(senderCounts())
    while true {
      if let newest = Self.link(waiting.exchange(Self.drainPending, ordering: .acquiringAndReleasing)) {
        batch.unordered = newest
        return true
      }
      let (exchanged, _) = waiting.compareExchange(
        expected: Self.drainPending, desired: Self.idle, ordering: .acquiringAndReleasing)
      if exchanged { return false }
    }
  }

  /// Turns the chain of taken parcels round, oldest first. False if the slice was over before its end.
  @MainActor
  @usableFromInline
  func putInOrder(until end: UInt64) -> Bool {
    var turned = 0
    while let link = batch.unordered {
      batch.unordered = link.pointee.next
      link.pointee.next = batch.next
      batch.next = link
      batch.counts.count(isFromMain: link.pointee.isFromMain)
      turned += 1
      if turned % 1_024 == 0, MonotonicClock.now >= end { return false }
    }
    batch.counts.longestQueue = batch.counts.callbacks
    record.add(batch.counts)
    batch.counts = SendCounts()
    return true
  }

  /// What senders counted since the last time.
  private func senderCounts() -> SendCounts {
    var counts = SendCounts()
    counts.refused = refused.exchange(0, ordering: .relaxed)
    counts.onMain = mergedOnMain.exchange(0, ordering: .relaxed)
    counts.merged = counts.onMain + mergedOffMain.exchange(0, ordering: .relaxed)
    counts.callbacks = counts.merged
    return counts
  }

  /// Releases a chain of parcels that will not be applied, and counts them unless that was done.
  private static func drop(_ first: Link, isCounted: Bool = false) -> SendCounts {
    var counts = SendCounts()
    var next: Link? = first
    while let link = next {
      let parcel = link.move()
      link.deallocate()
      if !isCounted { counts.count(isFromMain: parcel.isFromMain) }
      next = parcel.next
    }
    return counts
  }
}

/// Room that keeps what stands before it and after it on different cache lines, of 64 bytes or of 128.
private struct CacheLine: Sendable {
  private let bytes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
  private let more: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
}
