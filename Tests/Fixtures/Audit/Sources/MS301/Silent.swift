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

/// The condition protects every field, also where a check reads it.
final class Turnstile: @unchecked Sendable {
  private let condition = NSCondition()
  private var owner: ObjectIdentifier?
  private var waiting = 0

  func enter() {
    let current = ObjectIdentifier(Thread.current)
    condition.lock()
    precondition(owner != current, "a turnstile lets one in at a time")
    waiting += 1
    while owner != nil { condition.wait() }
    waiting -= 1
    owner = current
    condition.unlock()
  }

  func leave() {
    condition.lock()
    owner = nil
    if waiting > 0 { condition.signal() }
    condition.unlock()
  }
}

/// Sendable because its one owner, the transport's actor, makes every call: nothing else may touch it.
final class Negotiation: @unchecked Sendable {
  private var step = 0
  func advance() { step += 1 }
}

/// Set once, by the initialiser alone.
final class Reroot: @unchecked Sendable {
  private var base: [String]
  init(base: [String]) { self.base = base }
  func path(_ name: String) -> String { (base + [name]).joined(separator: "/") }
}

/// Stops the program anywhere but on its queue, before it touches anything.
final class Checked: @unchecked Sendable {
  private let queue = DispatchQueue(label: "checked")
  private var count = 0

  func add() {
    dispatchPrecondition(condition: .onQueue(queue))
    count += 1
  }
}

/// Says by an assertion where its state belongs, although not in every function: who touches it unchecked knows.
final class PartlyChecked: @unchecked Sendable {
  private let queue = DispatchQueue(label: "partly checked")
  private var waiting: [Int] = []

  func enqueue(_ item: Int) {
    dispatchPrecondition(condition: .onQueue(queue))
    waiting.append(item)
  }
  func isEmpty() -> Bool { waiting.isEmpty }
}

/// On a queue again, which something of its own name hands the work to.
protocol Serialising: Sendable {
  func dispatch(_ work: @escaping @Sendable () -> Void)
}

struct QueueSerialiser: Serialising {
  let queue = DispatchQueue(label: "serialiser")
  func dispatch(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

final class Sessions: @unchecked Sendable {
  private let serialiser: any Serialising = QueueSerialiser()
  private var open: [Int] = []
  func add(_ session: Int) { serialiser.dispatch { self.open.append(session) } }
  func remove(_ session: Int) { serialiser.dispatch { self.open.removeAll { $0 == session } } }
}

/// A lock by another name, and one of another system.
extension NSRecursiveLock {
  func synchronized<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

final class Subscription: @unchecked Sendable {
  private var lock = NSRecursiveLock()
  private var handler: (() -> Void)?
  func start(_ handler: @escaping () -> Void) { lock.synchronized { self.handler = handler } }
  func cancel() { lock.synchronized { handler = nil } }
}

final class ReadersAndWriters: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  private var isShared = false

  func read() {
    AcquireSRWLockShared(lock)
    isShared = true
    ReleaseSRWLockShared(lock)
  }
  func write() {
    AcquireSRWLockExclusive(lock)
    isShared = false
    ReleaseSRWLockExclusive(lock)
  }
}

private func AcquireSRWLockShared(_ lock: UnsafeMutablePointer<Int>) {}
private func AcquireSRWLockExclusive(_ lock: UnsafeMutablePointer<Int>) {}
private func ReleaseSRWLockShared(_ lock: UnsafeMutablePointer<Int>) {}
private func ReleaseSRWLockExclusive(_ lock: UnsafeMutablePointer<Int>) {}

/// Set once by the initialiser, whoever looks at all of it after that.
final class Loops: @unchecked Sendable {
  private var names: [String]
  init(_ count: Int) {
    names = []
    names = (0..<count).map { "loop \($0)" }
  }
  func all() -> [String] { names.map { $0 + "!" } }
  func size() -> Int { names.count }
  func first(_ prefix: String) -> String? {
    for name in names where name.hasPrefix(prefix) { return name }
    return nil
  }
}

/// Says from when on nobody changes it: until then one owner alone has it.
final class Definition: @unchecked Sendable {
  let name: String
  /// The fields. They may be added to during setup, and must not be modified once the schema is in use.
  var fields: [String] = []
  init(name: String) { self.name = name }
}

final class Lexeme: @unchecked Sendable {
  // Sendable because it is not mutated after it has been read, which the lexer alone does.
  let text: String
  var next: Lexeme?
  init(text: String) { self.text = text }
}

final class OnePass: @unchecked Sendable {
  // Unchecked, because iterators are not Sendable so that a sequence has no two concurrent consumers.
  //
  // This one has one: whoever asks second is stopped.
  private var base: IndexingIterator<[Int]>
  init(_ base: IndexingIterator<[Int]>) { self.base = base }
  func next() -> Int? { base.next() }
}

/// The main actor keeps what is in it and in what inherits from it: there is nothing left to promise.
@MainActor
class ScreenStep: @unchecked Sendable {
  var title = ""
  weak var next: ScreenStep?
  func run() { title = "ran" }
}

final class LastStep: ScreenStep, @unchecked Sendable {
  private var runs = 0
  override func run() { runs += 1 }
}

/// A pair of objects is joined before anybody knows them.
final class Pipe: @unchecked Sendable {
  private let lock = NSLock()
  private var deliver: (@Sendable (String) -> Void)?
  private var pending: [String] = []

  static func pair() -> (Pipe, Pipe) {
    let near = Pipe()
    let far = Pipe()
    near.deliver = { [weak far] text in far?.keep(text) }
    far.deliver = { [weak near] text in near?.keep(text) }
    return (near, far)
  }

  func send(_ text: String) { deliver?(text) }
  private func keep(_ text: String) { lock.withLock { pending.append(text) } }
}

/// One of those who listen.
final class Listener: @unchecked Sendable {
  /// Only the owning actor changes this, when it has something new.
  var seen = 0
  func see(_ value: Int) { seen = value }
}

/// `count` is touched with `lock` held only: who does not get it goes away.
final class Trying: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func add() -> Bool {
    guard lock.try() else { return false }
    defer { lock.unlock() }
    count += 1
    return true
  }
}
