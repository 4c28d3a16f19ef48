/// How long work waits for a thread of the global concurrent executor, the pool, measured by sending it some.

import Synchronization

/// Sends empty tasks to the pool and measures how long each waits, one at a time for every priority.
///
/// The pool is one queue a priority on Linux: twenty long tasks of medium priority keep only others of medium
/// priority waiting, so each must be asked.
final class PoolProbe: Sendable {
  private static let priorities: [TaskPriority] = [.high, .medium, .low]

  private struct State {
    var waits = LatencyHistogram()
    /// When the probe that is under way was sent, a priority.
    var underWay: [UInt64?] = Array(repeating: nil, count: PoolProbe.priorities.count)
    var turn = 0
  }
  private let state = Mutex(State())

  /// Sends a probe at every priority that has none under way.
  func sendAll() {
    for index in Self.priorities.indices { send(index) }
  }

  /// Sends a probe at the next priority in turn, unless it has one under way.
  func sendNext() {
    let index = state.withLock { state in
      state.turn = (state.turn + 1) % Self.priorities.count
      return state.turn
    }
    send(index)
  }

  private func send(_ index: Int) {
    let isFree = state.withLock { state in
      guard state.underWay[index] == nil else { return false }
      state.underWay[index] = MonotonicClock.now
      return true
    }
    guard isFree else { return }
    Task.detached(priority: Self.priorities[index]) { self.arrive(index) }
  }

  private func arrive(_ index: Int) {
    let now = MonotonicClock.now
    state.withLock { state in
      guard let sent = state.underWay[index] else { return }
      state.underWay[index] = nil
      state.waits.record(now - min(now, sent))
    }
  }

  /// The waits until now. A probe still under way counts with the time it has waited already if that is the worst.
  func waits(at now: UInt64) -> LatencyHistogram {
    state.withLock { state in
      var waits = state.waits
      let longest = state.underWay.compactMap { $0 }.map { now - min(now, $0) }.max() ?? 0
      if longest > waits.worst { waits.record(longest) }
      return waits
    }
  }
}
