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

/// The main actor keeps the title, and the member that was taken from it is anybody's.
@MainActor
final class CountedStep: @unchecked Sendable {  // expect: unchecked_sendable
  var title = ""
  /// How often it was tapped.
  nonisolated(unsafe) var taps = 0
  nonisolated func tap() { taps += 1 }
}

/// What is joined is given from outside, where others may know it already.
final class Hose: @unchecked Sendable {  // expect: unchecked_sendable
  private var deliver: (@Sendable (String) -> Void)?

  static func join(_ far: Hose) -> Hose {
    let near = Hose()
    far.deliver = { [weak near] text in near?.send(text) }
    return near
  }

  func send(_ text: String) { deliver?(text) }
}

/// What the initialiser hands over runs whenever there is news.
final class Gauge: @unchecked Sendable {  // expect: unchecked_sendable
  private var level = 0

  init(_ center: NotificationCenter) {
    _ = center.addObserver(forName: .init("news"), object: nil, queue: nil) { [weak self] _ in self?.level += 1 }
  }

  var shown: Int { level }
}

/// The one that goes away has touched it already.
final class TriesLate: @unchecked Sendable {  // expect: unchecked_sendable
  private let lock = NSLock()
  private var count = 0
  func add() -> Bool {
    count += 1
    guard lock.try() else { return false }
    defer { lock.unlock() }
    return true
  }
}
