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
