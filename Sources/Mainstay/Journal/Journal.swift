/// Units of work for any isolation domain: whole or not at all, once a key, and durable before they are answered.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Runs units of work: rolled back when they fail, replayed when they are retried, durable before their receipt leaves.
///
/// An actor keeps other work out of a synchronous block, and nothing more: it does not take back the debit when the
/// credit throws, and it does not know a retry from a second order. A journal does. It is deliberately not `Sendable`:
/// it belongs to the domain of the object that owns it, be that a global actor, an actor, the main actor or a `Mutex`,
/// and the compiler keeps it there.
///
/// ```swift
/// @WalletActor final class Wallet {
///   private let journal = Journal<UUID, Transfer, Receipt>(store: sqlite)
///
///   func transfer(_ id: UUID, _ transfer: Transfer) async throws -> Receipt {
///     _ = try journal.perform(id: id, transfer) { undo in
///       try debit(transfer.amount, from: transfer.sender, undo: &undo)
///       return try credit(transfer.amount, to: transfer.recipient, undo: &undo)
///     }
///     return try await journal.committed(id)      // only now may the receipt leave
///   }
/// }
/// ```
///
/// `perform` changes memory and queues the entry, synchronously and wholly. `committed` returns when the commit that
/// holds the entry is durable. A failed commit poisons the journal: memory is ahead of the truth, so every later call
/// throws until ``reload(_:)``. A read that must not see uncommitted state waits for `committed` of what it saw, or for
/// ``flush()``.
///
/// A `Task` started inside a unit of work compiles, runs later, and is not rolled back.
public final class Journal<Key: Hashable & Sendable, Request: Equatable & Sendable, Receipt: Sendable> {
  /// One completed unit of work of this journal.
  public typealias Entry = JournalEntry<Key, Request, Receipt>

  /// Without payload, so that setting it twice in `perform` costs nothing.
  @usableFromInline
  enum Phase {
    case ready
    case performing
    case reloading
    /// Reloading failed; `reloadFailure` says why.
    case poisoned
  }

  @usableFromInline
  struct Completed {
    @usableFromInline let request: Request
    @usableFromInline let receipt: Receipt
    /// Its number in the queue of commits; 0 for what was durable from the start.
    @usableFromInline let number: UInt64

    @inlinable
    init(request: Request, receipt: Receipt, number: UInt64) {
      self.request = request
      self.receipt = receipt
      self.number = number
    }
  }

  /// Where entries go: into memory at once, or to a store in groups.
  @usableFromInline
  enum Durability {
    case memory(InMemoryStore<Key, Request, Receipt>)
    case store(GroupCommit<Key, Request, Receipt>)
  }

  @usableFromInline var phase = Phase.ready
  @usableFromInline var completed: [Key: Completed] = [:]
  @usableFromInline var chronicle: Chronicle<Key>?
  @usableFromInline var durability: Durability
  private let store: any JournalStore<Key, Request, Receipt>
  private var reloadFailure = ""

  /// A journal without entries.
  ///
  /// A store that holds entries already must be read with ``reload(_:)`` before the first `perform`, or keys of an
  /// earlier life are not recognised.
  ///
  /// - Parameters:
  ///   - store: where entries become durable; the default forgets them with the process.
  ///   - retention: how long keys can be replayed.
  public init(
    store: any JournalStore<Key, Request, Receipt> = InMemoryStore(), retention: Retention = .forever
  ) {
    retention.validate()
    self.store = store
    chronicle = retention == .forever ? nil : Chronicle(retention)
    durability = Self.durability(of: store)
  }

  private static func durability(of store: any JournalStore<Key, Request, Receipt>) -> Durability {
    if let memory = store as? InMemoryStore<Key, Request, Receipt> { return .memory(memory) }
    return .store(GroupCommit(store))
  }

  /// Runs a unit of work, or replays its receipt if this key and request are completed already.
  ///
  /// The closure runs synchronously in the isolation of the caller, so nothing comes between its steps. If it throws,
  /// the steps of its ``Undo`` run in reverse order, the key stays unused, and the error is rethrown. Does not wait for
  /// the store.
  ///
  /// - Parameters:
  ///   - key: names the unit of work; a client that retries repeats it.
  ///   - request: what is asked for. The same key with another request is a mistake and throws.
  ///   - body: does the work and registers how to take it back.
  /// - Returns: the receipt, which may leave the process only after ``committed(_:)``.
  /// - Throws: what `body` throws, and `JournalError` for a reused key, a nested call, a poisoned or a reloading journal.
  /// - Complexity: constant, amortised.
  @inlinable
  @discardableResult
  public func perform(
    id key: Key, _ request: Request, _ body: (inout Undo) throws -> Receipt
  ) throws -> Receipt {
    guard phase == .ready, !hasFailed else { throw refusal(of: key) }
    if let done = completed[key] {
      guard done.request == request else { throw JournalError.keyReused(key: "\(key)") }
      return done.receipt
    }
    phase = .performing
    var undo = Undo()
    do {
      let receipt = try body(&undo)
      try complete(key, request, receipt)
      phase = .ready
      return receipt
    } catch {
      undo.rollBack()
      phase = .ready
      throw error
    }
  }

  /// Returns the receipt of a completed unit of work once it is durable.
  ///
  /// Runs in the isolation of the caller. With an ``InMemoryStore`` it does not suspend.
  ///
  /// - Throws: `JournalError.unknownKey`, `.poisoned` if the commit failed, `.reloading`; `CancellationError` if the
  ///   waiting task is cancelled, which leaves the commit alone.
  nonisolated(nonsending) public func committed(_ id: Key) async throws -> Receipt {
    switch phase {
    case .ready, .performing: break
    case .reloading, .poisoned: throw refusal(of: id)
    }
    guard let done = completed[id] else { throw hasFailed ? refusal(of: id) : JournalError.unknownKey(key: "\(id)") }
    try await durably { commits in try await commits.waitUntilDurable(done.number) }
    return done.receipt
  }

  /// Returns when everything performed until now is durable.
  ///
  /// - Throws: as ``committed(_:)``.
  nonisolated(nonsending) public func flush() async throws {
    try await durably { commits in try await commits.waitForAll() }
  }

  /// Forgets memory and starts from what the store holds: at start, and after a failed commit.
  ///
  /// Waits for the commit under way, then loads. Until it returns, every other call throws. If loading or `rebuild`
  /// throws, the journal is poisoned and may be reloaded again.
  ///
  /// - Parameter rebuild: makes the domain's own state from the entries, in the order they were committed. It runs
  ///   synchronously in the isolation of the caller, and nothing of the journal can run between it and the return.
  /// - Throws: what the store or `rebuild` throws; `JournalError.damagedStore` if a key occurs twice.
  nonisolated(nonsending) public func reload(_ rebuild: ([Entry]) throws -> Void) async throws {
    switch phase {
    case .ready, .poisoned: break
    case .reloading: throw JournalError.reloading
    case .performing: throw JournalError.nested(key: "reload")
    }
    phase = .reloading
    do {
      if case .store(let commits) = durability { try await commits.waitUntilIdle() }
      let entries = try await store.load()
      let loaded = try Self.index(entries)
      try rebuild(entries)
      completed = loaded
      durability = Self.durability(of: store)
      chronicle?.restart(with: entries)
      expire()
      phase = .ready
    } catch {
      phase = .poisoned
      reloadFailure = "\(error)"
      throw error
    }
  }

  /// The units of work that were performed and are not durable yet. 0 with an ``InMemoryStore``.
  public var uncommitted: Int {
    if case .store(let commits) = durability { commits.uncommitted } else { 0 }
  }

  /// The number of keys that can be replayed.
  public var count: Int { completed.count }

  /// True when a commit failed: every call throws until ``reload(_:)``.
  public var isPoisoned: Bool { phase == .poisoned || hasFailed }
}

/// A journal belongs to one isolation domain. Handing it to another would let two tasks perform at once.
@available(*, unavailable)
extension Journal: Sendable {}

extension Journal {
  @inlinable
  var hasFailed: Bool {
    if case .store(let commits) = durability { commits.hasFailed } else { false }
  }

  /// Records a finished unit of work; throws if the store failed in the meantime.
  @inlinable
  func complete(_ key: Key, _ request: Request, _ receipt: Receipt) throws {
    let now = time(nil)
    let entry = Entry(key: key, request: request, receipt: receipt, recordedAt: now)
    let number: UInt64
    switch durability {
    case .memory(let memory):
      memory.append(entry)
      number = 0
    case .store(let commits):
      guard let queued = commits.enqueue(entry) else { throw commits.poison }
      number = queued
    }
    completed[key] = Completed(request: request, receipt: receipt, number: number)
    if chronicle != nil { remember(key, number: number, at: now) }
  }

  @usableFromInline
  func remember(_ key: Key, number: UInt64, at now: Int) {
    chronicle?.append(key, number: number, at: now)
    expire()
  }

  /// Forgets what retention no longer keeps, as far as it is durable.
  private func expire() {
    guard chronicle != nil else { return }
    let durable: UInt64 = if case .store(let commits) = durability { commits.durable } else { .max }
    let forgotten = chronicle?.expire(at: time(nil), durable: durable) ?? []
    guard !forgotten.isEmpty else { return }
    for key in forgotten { completed[key] = nil }
    switch durability {
    case .memory(let memory): memory.forget(forgotten)
    case .store(let commits): commits.forget(forgotten)
    }
  }

  /// Why a call is refused now.
  @usableFromInline
  func refusal(of key: Key) -> JournalError {
    switch phase {
    case .performing: .nested(key: "\(key)")
    case .reloading: .reloading
    case .poisoned: .poisoned(cause: reloadFailure)
    case .ready:
      if case .store(let commits) = durability, commits.hasFailed { commits.poison } else { .unknownKey(key: "\(key)") }
    }
  }

  /// Waits for the store, and turns its failure into a poisoned journal.
  private nonisolated(nonsending) func durably(
    _ wait: nonisolated(nonsending) (GroupCommit<Key, Request, Receipt>) async throws -> Void
  ) async throws {
    guard case .store(let commits) = durability else { return }
    do {
      try await wait(commits)
    } catch {
      // The wait was cancelled, or the store failed; a store may fail with a cancellation of its own.
      throw commits.hasFailed ? commits.poison : error
    }
  }

  private static func index(_ entries: [Entry]) throws -> [Key: Completed] {
    var index: [Key: Completed] = [:]
    index.reserveCapacity(entries.count)
    for entry in entries {
      let done = Completed(request: entry.request, receipt: entry.receipt, number: 0)
      guard index.updateValue(done, forKey: entry.key) == nil else {
        throw JournalError.damagedStore(reason: "the key '\(entry.key)' occurs twice")
      }
    }
    return index
  }
}
