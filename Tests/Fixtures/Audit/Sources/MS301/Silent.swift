/// All mutable state under one lock, and the invariant stated.
import Foundation
import Synchronization

/// `token` and `attempts` are touched with `lock` held only.
final class GuardedSession: @unchecked Sendable {
  private let lock = NSLock()
  private var token: String?
  private var attempts = 0

  func refresh(_ new: String) {
    lock.withLock {
      token = new
      count()
    }
  }
  var current: String? {
    lock.lock()
    defer { lock.unlock() }
    return token
  }
  private func count() { attempts += 1 }
}

/// Immutable after init: nothing to protect.
final class Settings: @unchecked Sendable {
  let name: String
  init(name: String) { self.name = name }
}

/// The mutex holds the state, so nothing is unchecked at all.
final class Box: Sendable {
  private let value = Mutex(0)
  func set(_ new: Int) { value.withLock { $0 = new } }
}

/// Everything runs on `queue`, which is serial.
final class Recorder: @unchecked Sendable {
  private let queue = DispatchQueue(label: "recorder")
  private var lines: [String] = []
  func add(_ line: String) { queue.async { self.lines.append(line) } }
  var all: [String] { queue.sync { lines } }
}
