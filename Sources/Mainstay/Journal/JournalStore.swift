/// Where a journal's entries become durable.

/// One completed unit of work.
public struct JournalEntry<Key: Hashable & Sendable, Request: Equatable & Sendable, Receipt: Sendable>: Sendable {
  /// What the client calls it: the idempotency key.
  public let key: Key
  /// What was asked for.
  public let request: Request
  /// What was answered.
  public let receipt: Receipt
  /// When it was performed, in whole seconds since 1970-01-01 UTC.
  public let recordedAt: Int

  /// An entry, as a store reads it back.
  @inlinable
  public init(key: Key, request: Request, receipt: Receipt, recordedAt: Int) {
    self.key = key
    self.request = request
    self.receipt = receipt
    self.recordedAt = recordedAt
  }
}

/// Makes a journal's entries durable. One process owns the store while a journal uses it.
///
/// The journal calls `commit` with everything that was performed while the last commit was under way: a group commit,
/// one at a time, in the order the units of work were performed. `perform` never waits for it.
///
/// A store shared by several processes cannot be used this way, because the journal decides in memory: such a store
/// must decide inside its own transaction.
public protocol JournalStore<Key, Request, Receipt>: Sendable {
  /// The idempotency key.
  associatedtype Key: Hashable & Sendable
  /// What a unit of work is asked for.
  associatedtype Request: Equatable & Sendable
  /// What it answers.
  associatedtype Receipt: Sendable

  /// The committed entries, in the order they were committed.
  ///
  /// Each key at most once. Called by ``Journal/reload(_:)``, never while a commit is under way.
  func load() async throws -> [JournalEntry<Key, Request, Receipt>]

  /// Makes the entries durable, all or none, and drops the keys that retention has forgotten.
  ///
  /// Returning means durable. Throwing means that nothing is known: the journal is poisoned until it is reloaded, and
  /// makes no further call but `load`.
  ///
  /// - Parameters:
  ///   - entries: at least one, in order.
  ///   - forgotten: keys of earlier entries that may be dropped, before `entries` are written: a forgotten key may
  ///     have been performed again. Dropping them later, or never, is allowed.
  func commit(_ entries: [JournalEntry<Key, Request, Receipt>], forgetting forgotten: [Key]) async throws
}
