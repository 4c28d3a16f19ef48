import Synchronization

/// What arrived, in order, from whatever thread; and a way to wait until enough has.
final class Arrivals<Value: Sendable>: Sendable {
  private struct Contents {
    var values: [Value] = []
    var waiting: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []
  }
  private let contents = Mutex(Contents())

  var values: [Value] { contents.withLock { $0.values } }

  func append(_ value: Value) {
    let ready = contents.withLock { contents in
      contents.values.append(value)
      let count = contents.values.count
      let ready = contents.waiting.filter { $0.count <= count }.map(\.resume)
      contents.waiting.removeAll { $0.count <= count }
      return ready
    }
    for waiter in ready { waiter.resume() }
  }

  /// Returns when at least `count` values have arrived.
  func wait(for count: Int) async {
    await withCheckedContinuation { waiter in
      let isReady = contents.withLock { contents in
        if contents.values.count < count { contents.waiting.append((count, waiter)) }
        return contents.values.count >= count
      }
      if isReady { waiter.resume() }
    }
  }
}
