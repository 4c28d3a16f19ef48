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

  @usableFromInline typealias Unit = CompletedUnit<Key, Request, Receipt>

  /// Where entries go: into memory at once, or to a store in groups.
  @usableFromInline
  enum Durability {
    case memory(InMemoryStore<Key, Request, Receipt>)
    case store(GroupCommit<Key, Request, Receipt>)
  }

  // Exclusivity is not checked while the program runs, which would cost more than the rest of `perform`: the journal is
  // in one domain, and no code of a client runs during a change of these. What such code could reach, `phase` refuses.
  @exclusivity(unchecked) @usableFromInline var phase = Phase.ready
  @exclusivity(unchecked) @usableFromInline var completed = CompletedUnits<Key, Request, Receipt>()
  /// The unit of work that was completed last: its client is about to ask for its receipt.
  @exclusivity(unchecked) @usableFromInline var newest: Unit?
  /// Room for the steps of an `Undo`, used again by every unit of work.
  @exclusivity(unchecked) @usableFromInline var room: [() -> Void] = []
  @exclusivity(unchecked) @usableFromInline var chronicle: Chronicle<Key, Request, Receipt>?
  @exclusivity(unchecked) @usableFromInline var durability: Durability
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
    let hash = key.hashValue
    if let done = completed.find(key, hash: hash) {
      guard done.entry.request == request else { throw JournalError.keyReused(key: "\(key)") }
      return done.entry.receipt
    }
    phase = .performing
    var undo = Undo(in: &room)
    do {
      let receipt = try body(&undo)
      try complete(key, hash, request, receipt)
      undo.forget(leaving: &room)
      phase = .ready
      return receipt
    } catch {
      undo.rollBack()
      undo.forget(leaving: &room)
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
  @inlinable
  nonisolated(nonsending) public func committed(_ id: Key) async throws -> Receipt {
    let done = try unit(completedAs: id)
    if case .store(let commits) = durability { try await waitUntilDurable(done.number, in: commits) }
    return done.entry.receipt
  }

  /// Returns when everything performed until now is durable.
  ///
  /// - Throws: as ``committed(_:)``.
  nonisolated(nonsending) public func flush() async throws {
    if case .store(let commits) = durability { try await waitUntilDurable(nil, in: commits) }
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
      completed = loaded.table
      newest = nil
      durability = Self.durability(of: store)
      chronicle?.restart(with: loaded.units)
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
  func complete(_ key: Key, _ hash: Int, _ request: Request, _ receipt: Receipt) throws {
    let entry = Entry(key: key, request: request, receipt: receipt, recordedAt: time(nil))
    let unit: Unit
    switch durability {
    case .memory(let memory):
      unit = Unit(entry, hash: hash, number: 0)
      memory.append(unit)
    case .store(let commits):
      guard let number = commits.enqueue(entry) else { throw commits.poison }
      unit = Unit(entry, hash: hash, number: number)
    }
    completed.insert(unit)
    newest = unit
    if chronicle != nil { remember(unit) }
  }

  /// The unit of work with this key, if a receipt can be asked for now.
  @inlinable
  func unit(completedAs key: Key) throws -> Unit {
    guard phase == .ready || phase == .performing else { throw refusal(of: key) }
    if let newest, newest.entry.key == key { return newest }
    guard let done = completed.find(key, hash: key.hashValue) else {
      throw hasFailed ? refusal(of: key) : JournalError.unknownKey(key: "\(key)")
    }
    return done
  }

  @usableFromInline
  func remember(_ unit: Unit) {
    chronicle?.append(unit)
    expire()
  }

  /// Forgets what retention no longer keeps, as far as it is durable.
  private func expire() {
    guard chronicle != nil else { return }
    let durable: UInt64 = if case .store(let commits) = durability { commits.durable } else { .max }
    let forgotten = chronicle?.expire(at: time(nil), durable: durable) ?? []
    guard !forgotten.isEmpty else { return }
    for unit in forgotten { completed.remove(unit) }
    let keys = forgotten.map(\.entry.key)
    switch durability {
    case .memory(let memory): memory.forget(keys)
    case .store(let commits): commits.forget(keys)
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

  /// Waits for the store to have one entry, or all of them until now, and turns its failure into a poisoned journal.
  @usableFromInline
  nonisolated(nonsending) func waitUntilDurable(
    _ number: UInt64?, in commits: GroupCommit<Key, Request, Receipt>
  ) async throws {
    do {
      if let number { try await commits.waitUntilDurable(number) } else { try await commits.waitForAll() }
    } catch {
      // The wait was cancelled, or the store failed; a store may fail with a cancellation of its own.
      throw commits.hasFailed ? commits.poison : error
    }
  }

  private static func index(
    _ entries: [Entry]
  ) throws -> (table: CompletedUnits<Key, Request, Receipt>, units: [Unit]) {
    var table = CompletedUnits<Key, Request, Receipt>()
    let units = entries.map { Unit($0, hash: $0.key.hashValue, number: 0) }
    for unit in units {
      guard table.find(unit.entry.key, hash: unit.hash) == nil else {
        throw JournalError.damagedStore(reason: "the key '\(unit.entry.key)' occurs twice")
      }
      table.insert(unit)
    }
    return (table, units)
  }
}
