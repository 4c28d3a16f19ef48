/// Promises that nothing keeps.
import Foundation

/// The lock protects everything in here, or so this comment says.
final class Session: @unchecked Sendable {  // expect: unchecked_sendable
  private let lock = NSLock()
  private var token: String?

  func refresh(_ new: String) { token = new }
  var current: String? { lock.withLock { token } }
}

final class Cache {  // expect: unchecked_sendable
  private var entries: [String: Int] = [:]
  func store(_ value: Int, for key: String) { entries[key] = value }
  func value(for key: String) -> Int? { entries[key] }
}
extension Cache: @unchecked Sendable {}

/// Locked in one place, and reached past the lock in a helper that others call.
final class Counter: @unchecked Sendable {  // expect: unchecked_sendable
  private let lock = NSLock()
  private var count = 0

  func add() {
    lock.lock()
    increase()
    lock.unlock()
  }
  func addTwice() {
    increase()
    increase()
  }
  private func increase() { count += 1 }
}
