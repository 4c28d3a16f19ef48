import Dispatch
import Synchronization

/// A gate that tasks wait at until a test opens it, so that tests order events by state and never by time.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  /// True once something has waited here.
  var isAwaited: Bool { state.withLock { $0.arrivals > 0 } }
  var arrivals: Int { state.withLock { $0.arrivals } }

  /// Ignores cancellation: it models work that does.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

private let mainQueueMark: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

/// True on the main queue, which is the main actor's executor. Independent of the library's own check.
func isOnMainQueue() -> Bool {
  DispatchQueue.getSpecific(key: mainQueueMark) != nil
}

/// Returns when the main queue has run everything that waited in it when this was called.
nonisolated(nonsending) func mainQueueTurn() async {
  await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
}

/// Lets everything else run before a state is looked at again.
///
/// `Task.yield` in a loop keeps a thread of the pool busy, and where the pool has one thread, as on one processor,
/// Dispatch then starts none for tasks of another priority.
func pause() async {
  try? await Task.sleep(for: .milliseconds(1))
}
