import FeedImplementations
import ForeignFeed
import Testing

@MainActor
@Suite(
  "An exception of Kotlin's", .timeLimit(.minutes(30)),
  .enabled(if: FeedImplementation.kotlin.absence == nil, "run 'make kotlin'"))
struct KotlinExceptionTests {
  @Test("inside a callback is an error there, and the feed and the machine go on")
  func outOfMemory() throws {
    let controller = try FeedImplementation.kotlin.makeController()
    // More than the machine may have.
    let title = String(repeating: "x", count: 140_000_000)
    let arrivals = Arrivals<Int>()
    let failing = try controller.observe { state in
      arrivals.append(state.sequence)
      if state.sequence == 1 { try controller.publish(FeedUpdate(.loading, progress: 0.5, title: title)) }
    }
    let others = Arrivals<Int>()
    let other = try controller.observe { others.append($0.sequence) }
    for _ in 0..<3 { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    #expect(arrivals.values == [0, 1])
    #expect(failing.failure as? FeedError == .noResources)
    #expect(others.values == [0, 1, 2, 3])
    other.cancel()
    controller.close()
  }
}
