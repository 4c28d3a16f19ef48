import Dispatch
import Foundation

/// The ways in which a program stands still although no job of it is long; the first argument says which.
@MainActor
final class Meter {
  private var level = 0

  /// One task a buffer: from a thread that is on no actor.
  nonisolated func receive(_ buffers: Int) -> [Task<Void, Never>] {
    (0..<buffers).map { buffer in
      Task { @MainActor in show(buffer) }  // a task a buffer
    }
  }

  @inline(never)
  func show(_ value: Int) { level = value }

  @inline(never)
  func step(_ milliseconds: Int) {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
    while DispatchTime.now().uptimeNanoseconds < end {}
  }
}

/// Two refreshes overlap, and the older one finishes last.
@MainActor
final class Feed {
  private(set) var order: [Int] = []

  /// Ends after something else has, however long that takes.
  func refresh(_ number: Int, after others: AsyncStream<Void>) -> Task<Void, Never> {
    Task {  // a refresh
      await pause(30)
      for await _ in others {}
      order.append(number)
    }
  }
}

@inline(never)
func pause(_ milliseconds: Int) async {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { continuation.resume() }
  }
}

/// Keeps what nobody resumes: a checked continuation would complain when it goes away.
nonisolated(unsafe) var forgotten: [UnsafeContinuation<Void, Never>] = []

final class Uploader: Sendable {
  func start() -> Task<Void, Never> {
    Task.detached { await self.waitForReply() }  // the upload
  }

  @inline(never)
  func waitForReply() async {
    await withUnsafeContinuation { forgotten.append($0) }  // never resumed
    await pause(1)
  }
}

actor Turnstile {
  private var passed = 0

  @inline(never)
  func pass() -> Int {
    passed += 1
    return passed
  }
}

let released = DispatchSemaphore(value: 0)

@inline(never)
func holdThread() {
  released.wait()  // holds a thread
}

@main
struct StandStill {
  static func main() async {
    switch CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "" {
    case "buffers":
      let meter = Meter()
      for task in await Task.detached(operation: { meter.receive(5000) }).value { await task.value }
    case "train":
      let meter = Meter()
      let jobs = (0..<60).map { _ in Task { @MainActor in meter.step(8) } }
      for job in jobs { await job.value }
    case "refreshes":
      let feed = Feed()
      let (newerEnds, end) = AsyncStream.makeStream(of: Void.self)
      let older = feed.refresh(1, after: newerEnds)
      await feed.refresh(2, after: AsyncStream { $0.finish() }).value
      end.finish()
      await older.value
      print(feed.order)
    case "continuation":
      _ = Uploader().start()
      await pause(400)
      print("waiting")
      fflush(nil)
      // Until somebody closes the input.
      while readLine() != nil {}
    case "semaphores":
      let processors = ProcessInfo.processInfo.activeProcessorCount
      let tasks = (0..<processors + 3).map { _ in Task.detached { holdThread() } }
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.6)
        for _ in tasks { released.signal() }
      }
      for task in tasks { await task.value }
    case "contended":
      let turnstile = Turnstile()
      let gate = Turnstile()
      await withTaskGroup(of: Void.self) { group in
        // The actor is held until every caller has asked.
        group.addTask { await turnstile.hold(until: 256) }
        for _ in 0..<256 {
          group.addTask {
            _ = await gate.pass()
            Asked.count.increment()
            _ = await turnstile.pass()
          }
        }
      }
      print(await turnstile.pass())
    default: exit(64)
    }
  }
}

enum Asked {
  static let count = Counter()
}

final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0
  func increment() { lock.withLock { value += 1 } }
  var current: Int { lock.withLock { value } }
}

extension Turnstile {
  /// Blocks its own thread only, while the others' enqueue.
  func hold(until count: Int) {
    while Asked.count.current < count { Thread.sleep(forTimeInterval: 0.001) }
    Thread.sleep(forTimeInterval: 0.02)
  }
}
