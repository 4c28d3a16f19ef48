/// Plain locks, queues around short sections, and waits that no async code reaches.
import Dispatch
import Foundation
import Synchronization

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

/// A question that waits for nothing, a lock's own wait, and a lock of a file that is let go.
func isReady(_ semaphore: DispatchSemaphore) -> Bool { semaphore.wait(timeout: .now()) == .success }

final class TicketLock: @unchecked Sendable {
  private let condition = NSCondition()
  private var next = 0
  private var serving = 0

  func lock() {
    condition.lock()
    let ticket = next
    next += 1
    while ticket != serving { condition.wait() }
    condition.unlock()
  }
  func unlock() {
    condition.lock()
    serving += 1
    condition.broadcast()
    condition.unlock()
  }
}

func asks(_ semaphore: DispatchSemaphore, _ ticket: TicketLock, _ file: Int32) async {
  if isReady(semaphore) { count(ticket) }
  letGo(file)
}

private func count(_ ticket: TicketLock) {
  ticket.lock()
  ticket.unlock()
}

private func letGo(_ file: Int32) { flock(file, LOCK_UN) }

/// The form that awaits, where there are two.
final class Barrier: Sendable {
  private let group = DispatchGroup()
  func run(_ body: () -> Void) {
    group.wait()
    body()
  }
  func run(_ body: @Sendable () -> Void) async { body() }
}

func pass(_ barrier: Barrier) async { await barrier.run {} }

/// What was announced is there at once, and a question that does not wait for its answer blocks nobody.
private func ask(_ asked: inout pollfd) -> Int32 { poll(&asked, 1, 0) }

private func take(_ server: Int32) -> Int32 { accept(server, nil, nil) }

func serveAnnounced(_ server: Int32) async {
  while !Task.isCancelled {
    var asked = pollfd(fd: server, events: Int16(POLLIN), revents: 0)
    guard ask(&asked) > 0 else {
      try? await Task.sleep(nanoseconds: 20_000_000)
      continue
    }
    _ = take(server)
  }
}

/// A file that was opened by its name, read in a task that was made to be off every actor: a note.
struct IconFile: Sendable {
  let url: URL

  func kind() -> Data? {
    guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? handle.close() }
    return header(handle)
  }

  private func header(_ handle: FileHandle) -> Data { handle.readData(ofLength: 4) }
}

@MainActor
final class Icon {
  var kind: Data?
  func show(_ file: IconFile) {
    Task.detached {
      let kind = file.kind()
      await self.set(kind)
    }
  }
  private func set(_ kind: Data?) { self.kind = kind }
}

/// A semaphore that is given back where it was taken is a plain lock.
final class Metadata: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var values: [String: Int] = [:]

  func value(_ key: String) -> Int? {
    lock.wait()
    defer { lock.signal() }
    return values[key]
  }
  func set(_ key: String, _ value: Int) {
    lock.wait()
    values[key] = value
    lock.signal()
  }
}

actor Reader {
  let metadata = Metadata()
  func read(_ key: String) -> Int? {
    metadata.set("read", 1)
    return metadata.value(key)
  }
}

/// What is passed to be run on a queue of its own, and what nobody runs.
func onOwnQueue(_ work: @escaping @Sendable () -> Void) async { DispatchQueue.global().async { work() } }

func dropped(_ work: @escaping @Sendable () -> Void) async {}

func passes(_ ready: DispatchSemaphore) async {
  await onOwnQueue { ready.wait() }
  await dropped { ready.wait() }
}

/// Threads of one's own. Who gives them work runs it only where they have ended, and that does nothing.
final class ThreadPool: Sendable {
  struct Item {
    var work: @Sendable (Bool) -> Void
  }

  private let items = Mutex<[Item]?>([])

  func submit(_ work: @escaping @Sendable (Bool) -> Void) {
    let isTaken = items.withLock { items in
      guard items != nil else { return false }
      items?.append(Item(work: work))
      return true
    }
    if !isTaken { work(false) }
  }

  func run(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { done in
      submit { isActive in
        if isActive { body() }
        done.resume()
      }
    }
  }
}

func waits(in pool: ThreadPool, for ready: DispatchSemaphore) async { await pool.run { ready.wait() } }
