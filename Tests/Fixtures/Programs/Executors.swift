import Dispatch
import Foundation

/// Every kind of executor. What runs on each is a known number of jobs.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "indexing")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

actor Indexer {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var words = 0

  func index() -> Int {
    words += 1
    return words
  }
}

@globalActor
actor Library {
  static let shared = Library()
}

@Library
final class Shelf {
  private var books = 0

  nonisolated init() {}

  @inline(never)
  func add() -> Int {
    books += 1
    return books
  }
}

actor Box<Content: Sendable> {
  private var content: [Content] = []

  func put(_ item: Content) -> Int {
    content.append(item)
    return content.count
  }
}

actor Outer {
  private let inner = Inner()
  private var seen = 0

  /// Hops to another actor and back without leaving the thread.
  func visit(_ times: Int) async -> Int {
    for _ in 0..<times { seen += await inner.visit() }
    return seen
  }
}

actor Inner {
  private var visits = 0

  func visit() -> Int {
    visits += 1
    return visits > 0 ? 1 : 0
  }
}

/// Something that only the main actor may do: the compiler may not leave out the hop back to it.
@MainActor @inline(never)
func note(_ value: Int) { if value < 0 { print(value) } }

@main
struct Executors {
  @MainActor
  static func main() async {
    var last = 0
    let indexer = Indexer()
    for _ in 0..<30 {
      last = await indexer.index()
      note(last)
    }
    print("indexed \(last)")
    let shelf = Shelf()
    for _ in 0..<40 {
      last = await shelf.add()
      note(last)
    }
    print("shelved \(last)")
    let numbers = Box<Int>()
    let texts = Box<String>()
    for number in 0..<50 {
      last = await numbers.put(number)
      note(last)
      last += await texts.put("text")
      note(last)
    }
    print("put \(last)")
    let outer = Outer()
    print("visited \(await outer.visit(60))")
    // The pool: a detached task that goes nowhere else.
    print("computed \(await Task.detached { (1...1000).reduce(0, +) }.value)")
  }
}
