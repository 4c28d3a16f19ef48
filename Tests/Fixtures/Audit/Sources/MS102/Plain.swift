/// Waits that hold no thread of the pool, and locks that are let go at once.
import Dispatch
import Foundation
import Synchronization

final class Table: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private let unfair = Mutex([String: Int]())
  private var values: [String: Int] = [:]

  func set(_ key: String, _ value: Int) {
    lock.lock()
    values[key] = value
    lock.unlock()
    unfair.withLock { $0[key] = value }
  }

  func get(_ key: String) -> Int? {
    lock.withLock { values[key] }
  }
}

/// A lock of one's own, taken and let go in one synchronous function.
final class Own: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func acquire() { lock.lock() }
  func release() { lock.unlock() }
  func increment() {
    acquire()
    defer { release() }
    count += 1
  }
}

actor Uses {
  let table = Table()
  let own = Own()
  func set() {
    table.set("a", 1)
    own.increment()
    _ = table.get("a")
  }
}

/// Callbacks that run on threads and queues of their own.
func elsewhere(_ ready: DispatchSemaphore) async -> Int {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      ready.wait()
      continuation.resume(returning: 1)
    }
  }
}

func onOperation(_ ready: DispatchSemaphore) async {
  let operations = OperationQueue()
  operations.addOperation { ready.wait() }
  Thread { ready.wait() }.start()
  DispatchQueue.concurrentPerform(iterations: 1) { _ in }
  ready.signal()
}

/// Synchronous code that no async code calls.
func atTheEnd(_ group: DispatchGroup) { group.wait() }

/// Sends, signals and notifications do not wait.
func notify(_ group: DispatchGroup) async {
  group.enter()
  group.leave()
  group.notify(queue: .global()) {}
}
