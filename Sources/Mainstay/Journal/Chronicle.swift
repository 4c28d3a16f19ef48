/// The order in which keys were completed, and which of them retention no longer keeps.

/// A queue of keys, oldest first, for a journal that does not keep every key.
@usableFromInline
struct Chronicle<Key: Hashable & Sendable> {
  private struct Line {
    var key: Key
    var number: UInt64
    var at: Int
  }
  private let retention: Retention
  private var lines: [Line] = []
  /// Lines before this one are forgotten; they are dropped together, so that forgetting costs constant time.
  private var oldest = 0

  init(_ retention: Retention) {
    self.retention = retention
  }

  mutating func append(_ key: Key, number: UInt64, at now: Int) {
    lines.append(Line(key: key, number: number, at: now))
  }

  mutating func restart<Request, Receipt>(with entries: [JournalEntry<Key, Request, Receipt>]) {
    lines = entries.map { Line(key: $0.key, number: 0, at: $0.recordedAt) }
    oldest = 0
  }

  /// Takes the keys that the rule no longer keeps, oldest first, and stops at the first that is not durable.
  mutating func expire(at now: Int, durable: UInt64) -> [Key] {
    var forgotten: [Key] = []
    while oldest < lines.count, lines[oldest].number <= durable, isExpired(lines[oldest], at: now) {
      forgotten.append(lines[oldest].key)
      oldest += 1
    }
    if oldest > 1_024, oldest * 2 > lines.count {
      lines.removeFirst(oldest)
      oldest = 0
    }
    return forgotten
  }

  private func isExpired(_ line: Line, at now: Int) -> Bool {
    switch retention {
    case .forever: false
    case .latest(let count): lines.count - oldest > count
    // In whole seconds an entry is at most one second younger than it looks, so only a greater age has passed.
    case .age(let age): Duration.seconds(now - line.at) > age
    }
  }
}
