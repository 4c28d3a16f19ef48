import FeedImplementations
import ForeignFeed
import Synchronization
import Testing

/// How observations and controllers end, whatever is going on meanwhile.
@MainActor
@Suite("A foreign feed ends", .timeLimit(.minutes(30)))
struct FeedEndingTests {
  private let arrivals = Arrivals<Int>()

  private var note: OnState {
    { [arrivals] state in arrivals.append(state.sequence) }
  }

  @Test(
    "an observation at once when it is cancelled, and the second time does nothing",
    arguments: FeedImplementation.available)
  func cancelled(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe(note)
    try controller.publishFromWorker(FeedUpdate(.loading, progress: 0.5))
    await arrivals.wait(for: 2)
    subscription.cancel()
    subscription.cancel()
    #expect(!subscription.isActive)
    try controller.publish(FeedUpdate(.loading, progress: 0.5))
    await mainQueueTurn()
    #expect(arrivals.values == [0, 1])
    #expect(subscription.failure == nil)
    controller.close()
  }

  @Test(
    "an observation that is cancelled in its own callback, on main and off it", arguments: FeedImplementation.available)
  func cancelledWithin(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let handle = Mutex<FeedSubscription?>(nil)
    let cancelWithin: OnState = { [arrivals] state in
      arrivals.append(state.sequence)
      if state.sequence == 2 {
        let own = handle.withLock { $0 }
        own?.cancel()
        own?.cancel()
      }
    }
    let subscription = try controller.observe(cancelWithin)
    handle.withLock { $0 = subscription }
    for _ in 0..<5 { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    #expect(arrivals.values == [0, 1, 2])
    #expect(!subscription.isActive)

    let others = Arrivals<Int>()
    let other = try controller.observeOffMain { state in
      others.append(state.sequence)
      if state.sequence == 7 { handle.withLock { $0 }?.cancel() }
    }
    handle.withLock { $0 = other }
    for _ in 0..<5 { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    await others.wait(for: 3)
    controller.close()
    #expect(others.values == [5, 6, 7])
    handle.withLock { $0 = nil }
  }

  @Test("an observation when its handle is released", arguments: FeedImplementation.available)
  func released(implementation: FeedImplementation) throws {
    let controller = try implementation.makeController()
    var subscription: FeedSubscription? = try controller.observe(note)
    #expect(subscription?.isActive == true)
    subscription = nil
    try controller.publish(FeedUpdate(.loading, progress: 0.5))
    #expect(arrivals.values == [0])
    controller.close()
  }

  @Test(
    "no callback runs once cancel has returned, while another thread publishes", arguments: FeedImplementation.available
  )
  func cancelledMeanwhile(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    for _ in 0..<20 {
      let isCancelled = Mutex(false)
      let late = Mutex(0)
      let seen = Arrivals<Int>()
      let subscription = try controller.observeOffMain { state in
        if isCancelled.withLock({ $0 }) { late.withLock { $0 += 1 } }
        seen.append(state.sequence)
      }
      try controller.play(1000, every: .zero)
      await seen.wait(for: 3)
      subscription.cancel()
      isCancelled.withLock { $0 = true }
      let count = seen.values.count
      await onForeignThreads(1) { try? controller.publish(FeedUpdate(.loading, progress: 0.5)) }
      #expect(late.withLock { $0 } == 0)
      #expect(seen.values.count == count)
    }
    controller.close()
  }

  @Test(
    "an observation whose callback throws, and no other; its handle says what was thrown",
    arguments: FeedImplementation.available)
  func throwing(implementation: FeedImplementation) async throws {
    struct Broken: Error, Equatable { let sequence: Int }
    let controller = try implementation.makeController()
    let failing = try controller.observe { [arrivals] state in
      arrivals.append(state.sequence)
      if state.sequence == 2 { throw Broken(sequence: 2) }
    }
    let others = Arrivals<Int>()
    let other = try controller.observe { others.append($0.sequence) }
    let failed = Arrivals<Int>()
    let failingOffMain = try controller.observeOffMain { state in
      failed.append(state.sequence)
      throw Broken(sequence: state.sequence)
    }
    await failed.wait(for: 1)
    for _ in 0..<4 { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    #expect(arrivals.values == [0, 1, 2])
    #expect(!failing.isActive)
    #expect(failing.failure as? Broken == Broken(sequence: 2))
    #expect(others.values == [0, 1, 2, 3, 4])
    #expect(other.isActive)
    let last = Arrivals<Int>()
    let later = try controller.observeOffMain { last.append($0.sequence) }
    await last.wait(for: 1)
    #expect(failed.values == [0])
    #expect(failingOffMain.failure as? Broken == Broken(sequence: 0))
    later.cancel()
    controller.close()
  }

  @Test(
    "for good when it is closed: nothing arrives, and nothing more can be asked of it",
    arguments: FeedImplementation.available)
  func closed(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe(note)
    let others = Arrivals<Int>()
    let other = try controller.observeOffMain { others.append($0.sequence) }
    try controller.play(10_000, every: .zero)
    await others.wait(for: 10)
    controller.close()
    controller.close()
    let (seen, seenOffMain) = (arrivals.values.count, others.values.count)
    #expect(!subscription.isActive && !other.isActive)
    #expect(throws: FeedError.closed) { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    #expect(throws: FeedError.closed) { try controller.publishFromWorker(FeedUpdate(.loading, progress: 0.5)) }
    #expect(throws: FeedError.closed) { try controller.play(1, every: .zero) }
    #expect(throws: FeedError.closed) { try controller.observe { _ in } }
    #expect(throws: FeedError.closed) { try controller.observeOffMain { _ in } }
    subscription.cancel()
    for _ in 0..<10 { await mainQueueTurn() }
    #expect(arrivals.values.count == seen)
    #expect(others.values.count == seenOffMain)
  }

  @Test("when it is closed in a callback: none begins after that one", arguments: FeedImplementation.available)
  func closedWithin(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe { [arrivals] state in
      arrivals.append(state.sequence)
      if state.sequence == 1 { controller.close() }
    }
    try controller.publish(FeedUpdate(.loading, progress: 0.5))
    #expect(throws: FeedError.closed) { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    #expect(arrivals.values == [0, 1])
    #expect(!subscription.isActive)

    let another = try implementation.makeController()
    let others = Arrivals<Int>()
    let other = try another.observeOffMain { state in
      others.append(state.sequence)
      another.close()
    }
    try? another.publish(FeedUpdate(.loading, progress: 0.5))
    await others.wait(for: 1)
    another.close()
    #expect(others.values.count == 1)
    #expect(!other.isActive)
  }

  @Test(
    "what a callback asks of a closed feed fails in that callback, and is its own affair",
    arguments: FeedImplementation.available)
  func failingWithin(implementation: FeedImplementation) throws {
    let closed = try implementation.makeController()
    closed.close()
    let controller = try implementation.makeController()
    let subscription = try controller.observe { [arrivals] state in
      arrivals.append(state.sequence)
      // The foreign runtime's own failure, in the middle of its callback.
      if state.sequence == 1 { try closed.publish(FeedUpdate(.loading, progress: 0.5)) }
    }
    for _ in 0..<3 { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    #expect(arrivals.values == [0, 1])
    #expect(subscription.failure as? FeedError == .closed)
    let later = try controller.observe(note)
    #expect(arrivals.values == [0, 1, 3])
    later.cancel()
    controller.close()
  }

  @Test(
    "and its handle tells of an ending that was not its own, once and also when it is asked later",
    arguments: FeedImplementation.available)
  func whenEnded(implementation: FeedImplementation) throws {
    struct Broken: Error {}
    let controller = try implementation.makeController()
    let endings = Arrivals<String>()
    let closed = try controller.observe { _ in }
    let cancelled = try controller.observe { _ in }
    let failing = try controller.observe { if $0.sequence == 1 { throw Broken() } }
    var released: FeedSubscription? = try controller.observe { _ in }
    closed.whenEnded { endings.append("closed") }
    cancelled.whenEnded { endings.append("cancelled") }
    failing.whenEnded { endings.append("failed") }
    released?.whenEnded { endings.append("released") }
    cancelled.cancel()
    released = nil
    #expect(endings.values.isEmpty)
    try controller.publish(FeedUpdate(.loading, progress: 0.5))
    #expect(endings.values == ["failed"])
    controller.close()
    #expect(endings.values == ["failed", "closed"])
    closed.cancel()
    closed.whenEnded { endings.append("asked later") }
    cancelled.whenEnded { endings.append("never") }
    #expect(endings.values == ["failed", "closed", "asked later"])
  }

  @Test("and lets go of what its callbacks hold", arguments: FeedImplementation.available)
  func letsGo(implementation: FeedImplementation) async throws {
    final class Held: Sendable {}
    let controller = try implementation.makeController()
    weak var cancelled: Held?
    weak var closed: Held?
    var subscriptions: [FeedSubscription] = []
    do {
      let (first, second) = (Held(), Held())
      (cancelled, closed) = (first, second)
      subscriptions.append(try controller.observe { _ in withExtendedLifetime(first) {} })
      subscriptions.append(try controller.observe { _ in withExtendedLifetime(second) {} })
    }
    #expect(cancelled != nil && closed != nil)
    subscriptions[0].cancel()
    #expect(cancelled == nil, "the handle is still there, what it held is not")
    #expect(closed != nil)
    controller.close()
    #expect(closed == nil)
  }
}
