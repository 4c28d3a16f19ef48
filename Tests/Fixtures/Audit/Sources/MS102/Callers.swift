/// Who may be blocked: every kind of async code and every kind of actor's job.
import Dispatch
import Elsewhere
import Foundation

/// A global actor of one's own.
@globalActor
actor DiskActor { static let shared = DiskActor() }

@DiskActor func drainDisk(_ group: DispatchGroup) {
  group.wait()  // expect: async_blocking
}

/// Child tasks, in groups and by `async let`.
func slow() -> Int { Int(usleep(20)) }  // expect: async_blocking

func children() async -> Int {
  async let first = slow()
  let others = await withTaskGroup(of: Int.self) { group in
    for _ in 0..<3 {
      group.addTask { Int(sleep(1)) }  // expect: async_blocking
    }
    return await group.reduce(0, +)
  }
  return await others + first
}

/// Tasks that nobody awaits.
func spawn(_ ready: DispatchSemaphore) {
  Task.detached { ready.wait() }  // expect: async_blocking
}

/// A getter, an initialiser, a static function, a generic one.
struct Token {
  let text: String
  init(_ ready: DispatchSemaphore) async {
    ready.wait()  // expect: async_blocking
    text = ""
  }
  var remote: String {
    get async {
      usleep(5)  // expect: async_blocking
      return text
    }
  }
  static func fetch<T: Sendable>(_ make: @Sendable () -> T) async -> T {
    sleep(1)  // expect: async_blocking
    return make()
  }
}

/// In `defer`, in a loop over a sequence, in a switch.
func stream(_ values: AsyncStream<Int>, _ group: DispatchGroup) async {
  defer { group.wait() }  // expect: async_blocking
  for await value in values {
    switch value {
    case 0: usleep(1)  // expect: async_blocking
    default: break
    }
  }
}

/// In the body of a continuation, which runs at once.
func bridged(_ ready: DispatchSemaphore) async -> Int {
  await withCheckedContinuation { continuation in
    ready.wait()  // expect: async_blocking
    continuation.resume(returning: 1)
  }
}

/// Through a class, a protocol and a closure that is kept.
class Backend {
  func flush() {}
}
final class DiskBackend: Backend {
  override func flush() { fsync(1) }  // expect: async_blocking
}
protocol Settling: Sendable { func settle() }
struct Sleepy: Settling {
  func settle() { nanosleep([timespec()], nil) }  // expect: async_blocking
}

actor Settler {
  let backend: Backend = DiskBackend()
  let pause: @Sendable () -> Void
  init() {
    pause = { usleep(7) }  // expect: async_blocking
  }
  func settle(_ parts: [any Settling]) {
    backend.flush()
    for part in parts { part.settle() }
    pause()
  }
}

/// A function of an actor that is isolated to a parameter.
func wait(_ counter: isolated Elsewhere.Counter, _ ready: DispatchSemaphore) {
  ready.wait()  // expect: async_blocking
}

/// A subprocess's output, read to its end.
func output() async throws -> Data? {
  let process = Process()
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  return try pipe.fileHandleForReading.readToEnd()  // expect: async_blocking
}

/// A condition, a thread's sleep and a run loop, one synchronous call away from where the compiler refuses them.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpen = false
  func pass() {
    condition.lock()
    while !isOpen { condition.wait() }  // expect: async_blocking
    condition.unlock()
  }
}
func spin() { RunLoop.current.run(until: Date()) }  // expect: async_blocking
func through(_ gate: Gate) async {
  gate.pass()
  spin()
}

/// A lock that is taken for longer than the call: the compiler refuses `lock()` in async code, and this is how it is
/// got around.
final class Held: Sendable {
  private let lock = NSLock()
  func take() { lock.lock() }  // expect: async_blocking
  func leave() { lock.unlock() }
}
func heldAcrossAwait(_ held: Held) async {
  held.take()
  await Task.yield()
  held.leave()
}

/// The main queue, waited for from elsewhere.
actor Poster {
  func post() -> Int { DispatchQueue.main.sync { 2 } }  // expect: async_blocking
}

/// What callers pass to be run in child tasks: written there, by its name, and handed on by another function.
func inParallel<Item: Sendable, Result: Sendable>(
  _ items: [Item], _ work: @escaping @Sendable (Item) -> Result
) async -> [Result] {
  await withTaskGroup(of: Result.self) { group in
    for item in items { group.addTask { work(item) } }
    var results: [Result] = []
    for await result in group { results.append(result) }
    return results
  }
}

func twice(_ names: [String], _ work: @escaping @Sendable (String) -> Int) async -> [Int] {
  await inParallel(names + names, work)
}

private func measured(_ name: String) -> Int { Int(usleep(11)) }  // expect: async_blocking

func parallel(_ names: [String]) async {
  _ = await inParallel(names) { _ in sleep(2) }  // expect: async_blocking
  _ = await twice(names, measured)
}

/// What the protocol's extension does for those who do not do it themselves.
protocol Flushing: Sendable { func flushNow() }
extension Flushing {
  func flushNow() { fsync(2) }  // expect: async_blocking
}
struct PlainFlushing: Flushing {}

actor Flusher {
  let target: any Flushing = PlainFlushing()
  func flush() { target.flushNow() }
}

/// On as many threads as there are, and with a value bound for as long.
enum Tracing { @TaskLocal static var depth = 0 }
func everywhere() async {
  DispatchQueue.concurrentPerform(iterations: 2) { _ in _ = usleep(21) }  // expect: async_blocking
  Tracing.$depth.withValue(1) { _ = usleep(22) }  // expect: async_blocking
}
