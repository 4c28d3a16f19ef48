import Catalogue
import Dispatch
import Foundation
import Testing

@Suite("Where JSON is decoded", .timeLimit(.minutes(30)))
struct ArticleDecoderTests {
  @Test("the concurrent decoder leaves the main actor")
  @MainActor
  func concurrent() async throws {
    MainQueue.mark()
    #expect(MainQueue.isCurrent, "a main-actor job runs on the main queue")
    let probe = try await ArticleDecoder.decode(ExecutorProbe.self, from: Data("{}".utf8))
    #expect(!probe.wasOnMain)
    #expect(MainQueue.isCurrent)
  }

  @Test("decoding here stays on the main actor")
  @MainActor
  func here() throws {
    MainQueue.mark()
    #expect(try ArticleDecoder.decodeHere(ExecutorProbe.self, from: Data("{}".utf8)).wasOnMain)
  }

  @Test("the concurrent decoder leaves an actor of one's own as well")
  func fromAnActor() async throws {
    let caller = Caller()
    #expect(try await caller.decodeHere().wasOnCaller)
    #expect(try await !caller.decode().wasOnCaller)
  }
}

/// Tells where it was decoded: on the queue of an executor, for a thread belongs to no actor.
private struct ExecutorProbe: Decodable, Sendable {
  let wasOnMain: Bool
  let wasOnCaller: Bool

  init(from decoder: any Decoder) throws {
    wasOnMain = MainQueue.isCurrent
    wasOnCaller = QueueExecutor.isCurrent
  }
}

private enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()

  @MainActor
  static func mark() {
    DispatchQueue.main.setSpecific(key: key, value: true)
  }

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true
  }
}

private actor Caller {
  private let executor = QueueExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func decode() async throws -> ExecutorProbe {
    try await ArticleDecoder.decode(ExecutorProbe.self, from: Data("{}".utf8))
  }

  func decodeHere() throws -> ExecutorProbe {
    try ArticleDecoder.decodeHere(ExecutorProbe.self, from: Data("{}".utf8))
  }
}

/// Runs the jobs of an actor on a queue that can be told apart.
private final class QueueExecutor: SerialExecutor {
  private static let key = DispatchSpecificKey<Bool>()

  private let queue = DispatchQueue(label: "caller")

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true
  }

  init() {
    queue.setSpecific(key: Self.key, value: true)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
