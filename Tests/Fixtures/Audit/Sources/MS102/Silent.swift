/// Plain locks, queues around short sections, and waits that no async code reaches.
import Dispatch
import Foundation

final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "counter")
  private var value = 0

  func increment() {
    lock.lock()
    defer { lock.unlock() }
    value += 1
  }

  func read() -> Int { queue.sync { value } }
  func locked<T>(_ body: () -> T) -> T { queue.sync { body() } }
}

actor Owner {
  let counter = Counter()
  func tick() -> Int {
    counter.increment()
    return counter.locked { counter.read() }
  }
}

/// A thread of its own may wait.
func startThread(_ ready: DispatchSemaphore) {
  Thread.detachNewThread { ready.wait() }
}

func onQueue(_ ready: DispatchSemaphore) async {
  DispatchQueue.global().async { ready.wait() }
}

func rests() async throws { try await Task.sleep(for: .milliseconds(1)) }
