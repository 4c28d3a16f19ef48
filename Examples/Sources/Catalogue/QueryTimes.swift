/// How long the searches of a catalogue took.
import Synchronization

public final class QueryTimes: Sendable {
  private let lengths = Mutex<[Duration]>([])

  public init() {}

  /// Runs `search` where it is called, and keeps its length.
  public func measure<Value>(_ search: () throws -> Value) rethrows -> Value {
    let start = ContinuousClock.now
    defer {
      let length = start.duration(to: .now)
      lengths.withLock { $0.append(length) }
    }
    return try search()
  }

  public var count: Int { lengths.withLock { $0.count } }

  /// The longest search; zero when there was none.
  public var worst: Duration { lengths.withLock { $0.max() ?? .zero } }

  /// The length that half of the searches did not exceed; zero when there was none.
  public var median: Duration {
    lengths.withLock { lengths in
      lengths.isEmpty ? .zero : lengths.sorted()[(lengths.count - 1) / 2]
    }
  }
}
