/// Async code and actors' jobs that block their thread.
import Dispatch
import Foundation

/// Starts a task, then waits for it: the thread that waits may be the one the task needs.
func bridge<T: Sendable>(_ work: @escaping @Sendable () async -> T) -> T {
  let group = DispatchGroup()
  nonisolated(unsafe) var result: T?  // written before leave(), read after wait()
  group.enter()
  Task {
    result = await work()
    group.leave()
  }
  group.wait()  // expect: async_blocking error
  guard let result else { fatalError("the task left without a result") }
  return result
}

protocol TokenSource: Sendable { var nonce: String { get } }

struct BridgedToken: TokenSource {
  var nonce: String { bridge { "x" } }
}

func validate(_ source: any TokenSource) async -> Bool { source.nonce == "x" }

/// Directly in async code.
func direct(_ ready: DispatchSemaphore, _ group: DispatchGroup) async {
  ready.wait()  // expect: async_blocking
  group.wait()  // expect: async_blocking
  sleep(1)  // expect: async_blocking
  usleep(10)  // expect: async_blocking
}

func runTool() async throws {
  let process = Process()
  try process.run()
  process.waitUntilExit()  // expect: async_blocking
}

func onMainQueue() async -> Int {
  DispatchQueue.main.sync { 1 }  // expect: async_blocking
}

/// A queue's `sync` around something that blocks: what blocks is the finding.
let queue = DispatchQueue(label: "work")

func throughQueue() async {
  queue.sync {
    _ = usleep(1_000)  // expect: async_blocking
  }
}

/// Around something heavy: the wait for it is the finding.
func heavyQueue(_ url: URL) async -> Data? {
  queue.sync { try? Data(contentsOf: url) }  // expect: async_blocking
}

/// What the compiler refuses directly, through a synchronous function.
func nap() { Thread.sleep(forTimeInterval: 0.1) }  // expect: async_blocking

func tired() async { nap() }

/// An actor's synchronous job holds a thread of the pool all the same.
actor Printer {
  func drain(_ done: DispatchSemaphore) {
    done.wait()  // expect: async_blocking
  }
}

/// A semaphore that an inner task signals.
func fetchNow() async -> Int {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var value = 0  // written before signal(), read after wait()
  Task {
    value = 1
    done.signal()
  }
  done.wait()  // expect: async_blocking error
  return value
}

/// Nobody asked whether there is something to take, or the question itself waits.
func serveUnasked(_ server: Int32) async -> Int32 {
  accept(server, nil, nil)  // expect: async_blocking
}

func serveWaiting(_ server: Int32) async -> Int32 {
  var asked = pollfd(fd: server, events: Int16(POLLIN), revents: 0)
  return poll(&asked, 1, 1_000)  // expect: async_blocking
}

/// A semaphore that somebody else gives back.
final class Answers: Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private let answered = DispatchSemaphore(value: 0)

  func ask() {
    lock.wait()
    answered.wait()  // expect: async_blocking
    lock.signal()
  }
  func answer() { answered.signal() }
}

actor Asker {
  let answers = Answers()
  func ask() { answers.ask() }
}
