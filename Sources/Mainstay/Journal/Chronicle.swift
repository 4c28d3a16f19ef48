/// The order in which units of work were completed, and which of them retention no longer keeps.

/// A queue of completed units, oldest first, for a journal that does not keep every key.
@usableFromInline
struct Chronicle<Key: Hashable & Sendable, Request: Equatable & Sendable, Receipt: Sendable> {
  @usableFromInline typealias Unit = CompletedUnit<Key, Request, Receipt>

  private let retention: Retention
  private var units: [Unit] = []
  /// Those before it are forgotten; they are dropped together, so that forgetting costs constant time.
  private var oldest = 0

  init(_ retention: Retention) {
    self.retention = retention
  }

  mutating func append(_ unit: Unit) {
    units.append(unit)
  }

  mutating func restart(with units: [Unit]) {
    self.units = units
    oldest = 0
  }

  /// Takes the units that the rule no longer keeps, oldest first, and stops at the first that is not durable.
  mutating func expire(at now: Int, durable: UInt64) -> [Unit] {
    var forgotten: [Unit] = []
    while oldest < units.count, units[oldest].number <= durable, isExpired(units[oldest], at: now) {
      forgotten.append(units[oldest])
      oldest += 1
    }
    if oldest > 1_024, oldest * 2 > units.count {
      units.removeFirst(oldest)
      oldest = 0
    }
    return forgotten
  }

  private func isExpired(_ unit: Unit, at now: Int) -> Bool {
    switch retention {
    case .forever: false
    case .latest(let count): units.count - oldest > count
    // In whole seconds an entry is at most one second younger than it looks, so only a greater age has passed.
    case .age(let age): Duration.seconds(now - unit.entry.recordedAt) > age
    }
  }
}
