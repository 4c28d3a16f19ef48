/// Brings a journal's entries to its store, as many as are waiting in one commit.

import Synchronization

/// The queue between a journal and its store.
///
/// Entries are enqueued synchronously and numbered. While one commit is under way the next entries gather, and become
/// the next commit. The first commit that fails ends the queue: nothing after it is committed, because entries build
/// on one another.
@usableFromInline
final class GroupCommit<Key: Hashable & Sendable, Request: Equatable & Sendable, Receipt: Sendable>: Sendable {
  @usableFromInline typealias Entry = JournalEntry<Key, Request, Receipt>

  private struct Waiter {
    var number: UInt64
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var forgotten: [Key] = []
    var lastNumber: UInt64 = 0
    var durable: UInt64 = 0
    var isCommitting = false
    var failure: (any Error)?
    var waiters: [UInt64: Waiter] = [:]
    var lastWaiter: UInt64 = 0
  }
  private let store: any JournalStore<Key, Request, Receipt>
  private let state = Mutex(State())
  /// Lets `perform` ask for a failure without the lock.
  private let hasFailedFlag = Atomic<Bool>(false)

  init(_ store: any JournalStore<Key, Request, Receipt>) {
    self.store = store
  }

  /// What a journal throws after a failure.
  @usableFromInline var poison: JournalError {
    .poisoned(cause: state.withLock { $0.failure }.map { "\($0)" } ?? "the commit has not failed")
  }
  @usableFromInline var hasFailed: Bool { hasFailedFlag.load(ordering: .acquiring) }
  /// The number of the last entry that is durable.
  @usableFromInline var durable: UInt64 { state.withLock { $0.durable } }
  /// Entries performed and not yet durable.
  var uncommitted: Int { state.withLock { Int($0.lastNumber - $0.durable) } }

  /// Queues an entry and returns its number; nil after a failure. Never waits.
  @usableFromInline
  func enqueue(_ entry: Entry) -> UInt64? {
    let (number, mustStart): (UInt64?, Bool) = state.withLock { state in
      guard state.failure == nil else { return (nil, false) }
      state.lastNumber += 1
      state.entries.append(entry)
      defer { state.isCommitting = true }
      return (state.lastNumber, !state.isCommitting)
    }
    // Clients wait for their receipts, so commits go ahead of ordinary work.
    if mustStart { Task.detached(priority: .high) { await self.commitAll() } }
    return number
  }

  /// Lets the next commit drop keys. On its own it starts none.
  @usableFromInline
  func forget(_ keys: [Key]) {
    state.withLock { $0.forgotten += keys }
  }

  private func commitAll() async {
    while let batch = nextBatch() {
      do {
        try await store.commit(batch.entries, forgetting: batch.forgotten)
      } catch {
        return fail(error)
      }
      succeed(batch.entries.count)
    }
  }

  private func nextBatch() -> (entries: [Entry], forgotten: [Key])? {
    state.withLock { state in
      guard !state.entries.isEmpty else {
        state.isCommitting = false
        return nil
      }
      defer {
        state.entries = []
        state.forgotten = []
      }
      return (state.entries, state.forgotten)
    }
  }

  private func succeed(_ count: Int) {
    let ready = state.withLock { state in
      state.durable += UInt64(count)
      let ready = state.waiters.filter { $0.value.number <= state.durable }
      for identifier in ready.keys { state.waiters[identifier] = nil }
      return ready.values.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }

  private func fail(_ error: any Error) {
    let waiting = state.withLock { state in
      state.failure = error
      // In here, so that whoever sees the failure finds the journal poisoned.
      hasFailedFlag.store(true, ordering: .releasing)
      state.entries = []
      state.forgotten = []
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.continuation)
    }
    for continuation in waiting { continuation.resume(throwing: error) }
  }

  /// Returns when the entry is durable; throws the store's error if it may not be, `CancellationError` if the
  /// waiting task is cancelled first. Cancelling a wait does not cancel the commit.
  nonisolated(nonsending) func waitUntilDurable(_ number: UInt64) async throws {
    let identifier: UInt64? = try state.withLock { state in
      if number <= state.durable { return nil }
      if let failure = state.failure { throw failure }
      state.lastWaiter += 1
      return state.lastWaiter
    }
    guard let identifier else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        enqueue(Waiter(number: number, continuation: continuation), as: identifier)
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: identifier) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns when everything enqueued until now is durable.
  nonisolated(nonsending) func waitForAll() async throws {
    try await waitUntilDurable(state.withLock { $0.lastNumber })
  }

  /// Returns when no commit is under way and none waits, whether they succeeded or failed.
  nonisolated(nonsending) func waitUntilIdle() async throws {
    do {
      try await waitForAll()
    } catch  where hasFailed {
      // Nothing is committed after a failure.
    }
  }

  private func enqueue(_ waiter: Waiter, as identifier: UInt64) {
    // The commit may have ended, or the task been cancelled, since the wait was decided.
    let outcome: Result<Void, any Error>? = state.withLock { state in
      if waiter.number <= state.durable { return .success(()) }
      if let failure = state.failure { return .failure(failure) }
      if Task.isCancelled { return .failure(CancellationError()) }
      state.waiters[identifier] = waiter
      return nil
    }
    if let outcome { waiter.continuation.resume(with: outcome) }
  }
}
