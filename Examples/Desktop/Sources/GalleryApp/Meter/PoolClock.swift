/// How late the pool is just now: one empty task at a time.
import Dispatch
import Synchronization

nonisolated final class PoolClock: Sendable {
  private struct State {
    var sent: UInt64?
    var last = Duration.zero
  }
  private let state = Mutex(State())

  /// How long the task that was sent last has waited, or waited until it ran; then sends another when there is none.
  func ask() -> Duration {
    let now = DispatchTime.now().uptimeNanoseconds
    let (lateness, isFree) = state.withLock { state in
      let lateness = state.sent.map { max(state.last, .nanoseconds(Int64(now - $0))) } ?? state.last
      let isFree = state.sent == nil
      if isFree { state.sent = now }
      return (lateness, isFree)
    }
    if isFree { Task.detached(priority: .medium) { self.arrive() } }
    return lateness
  }

  private func arrive() {
    let now = DispatchTime.now().uptimeNanoseconds
    state.withLock { state in
      guard let sent = state.sent else { return }
      state.last = .nanoseconds(Int64(now - sent))
      state.sent = nil
    }
  }
}
