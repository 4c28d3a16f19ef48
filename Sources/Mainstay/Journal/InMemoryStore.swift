/// A store that lasts as long as the process.

import Synchronization

/// Keeps entries in memory. They are committed as soon as they are performed, without a task or a wait.
///
/// A second journal made with the same store and reloaded starts where the first ended, which is how a test plays a
/// restart.
public final class InMemoryStore<Key: Hashable & Sendable, Request: Equatable & Sendable, Receipt: Sendable>:
  JournalStore
{
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var units: [CompletedUnit<Key, Request, Receipt>] = []
    @usableFromInline var forgotten: Set<Key> = []

    @usableFromInline
    init() {}
  }
  @usableFromInline let contents = Mutex(Contents())

  /// An empty store.
  public init() {}

  /// The entries, in the order they were committed. Does not wait.
  public func load() async throws -> [JournalEntry<Key, Request, Receipt>] {
    contents.withLock { contents in
      contents.compact()
      return contents.units.map(\.entry)
    }
  }

  /// Keeps the entries. Does not wait and does not fail.
  public func commit(_ entries: [JournalEntry<Key, Request, Receipt>], forgetting forgotten: [Key]) async throws {
    forget(forgotten)
    for entry in entries { append(CompletedUnit(entry, hash: entry.key.hashValue, number: 0)) }
  }

  @inlinable
  func append(_ unit: CompletedUnit<Key, Request, Receipt>) {
    contents.withLock { contents in
      // A forgotten key that is performed again must not be dropped with its old entry.
      if !contents.forgotten.isEmpty, contents.forgotten.contains(unit.entry.key) { contents.compact() }
      contents.units.append(unit)
    }
  }

  @usableFromInline
  func forget(_ keys: [Key]) {
    contents.withLock { contents in
      contents.forgotten.formUnion(keys)
      // Compacting once half is forgotten keeps the cost of forgetting constant.
      if contents.forgotten.count * 2 > contents.units.count { contents.compact() }
    }
  }
}

extension InMemoryStore.Contents {
  @usableFromInline
  mutating func compact() {
    guard !forgotten.isEmpty else { return }
    units.removeAll { forgotten.contains($0.entry.key) }
    forgotten = []
  }
}
