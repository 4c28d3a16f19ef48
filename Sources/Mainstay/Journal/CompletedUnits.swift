/// The completed units of work of a journal, found by their keys.

/// One of them. Made once and never changed: the journal finds it by key, a store in memory keeps it in order, and
/// neither copies it.
@usableFromInline
final class CompletedUnit<Key: Hashable & Sendable, Request: Equatable & Sendable, Receipt: Sendable>: Sendable {
  @usableFromInline let entry: JournalEntry<Key, Request, Receipt>
  /// The hash of the key, calculated once.
  @usableFromInline let hash: Int
  /// Its number in the queue of commits; 0 for what was durable from the start.
  @usableFromInline let number: UInt64

  @inlinable
  init(_ entry: JournalEntry<Key, Request, Receipt>, hash: Int, number: UInt64) {
    self.entry = entry
    self.hash = hash
    self.number = number
  }
}

/// A hash table with linear probing.
///
/// A dictionary would hash the key again to insert what it has just not found, and every key when it grows. Here a unit
/// of work hashes its key once.
@usableFromInline
struct CompletedUnits<Key: Hashable & Sendable, Request: Equatable & Sendable, Receipt: Sendable> {
  @usableFromInline typealias Unit = CompletedUnit<Key, Request, Receipt>

  @usableFromInline
  struct Slot {
    /// Beside the unit, so that a search touches no other unit than the one it finds.
    @usableFromInline var hash = 0
    @usableFromInline var unit: Unit?

    @inlinable
    init() {}
  }
  /// A power of two, and never more than three quarters of it used; empty until the first unit.
  @usableFromInline var slots: ContiguousArray<Slot> = []
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  func find(_ key: Key, hash: Int) -> Unit? {
    if slots.isEmpty { return nil }
    let mask = slots.count - 1
    var at = hash & mask
    while slots[at].unit != nil {
      if slots[at].hash == hash, let unit = slots[at].unit, unit.entry.key == key { return unit }
      at = (at + 1) & mask
    }
    return nil
  }

  /// Adds a unit whose key is not in the table. Calls nothing of the key.
  @inlinable
  mutating func insert(_ unit: Unit) {
    if count * 4 >= slots.count * 3 { grow() }
    let mask = slots.count - 1
    var at = unit.hash & mask
    while slots[at].unit != nil { at = (at + 1) & mask }
    slots[at].hash = unit.hash
    slots[at].unit = unit
    count += 1
  }

  @inlinable
  mutating func grow() {
    var larger = ContiguousArray(repeating: Slot(), count: max(16, slots.count * 2))
    let mask = larger.count - 1
    for index in slots.indices where slots[index].unit != nil {
      var at = slots[index].hash & mask
      while larger[at].unit != nil { at = (at + 1) & mask }
      swap(&larger[at], &slots[index])
    }
    slots = larger
  }

  /// Removes a unit that is in the table.
  mutating func remove(_ unit: Unit) {
    let mask = slots.count - 1
    var hole = unit.hash & mask
    while slots[hole].unit !== unit { hole = (hole + 1) & mask }
    count -= 1
    // Those behind it move up, so that no search ends at the hole before it has found them.
    var at = hole
    while true {
      slots[hole] = Slot()
      repeat {
        at = (at + 1) & mask
        guard slots[at].unit != nil else { return }
        // It may move unless its own place lies between the hole and where it is.
      } while (at &- slots[at].hash) & mask < (at &- hole) & mask
      slots.swapAt(hole, at)
      hole = at
    }
  }
}
