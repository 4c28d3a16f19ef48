import Feed
import FeedImplementations
import ForeignFeed
import Testing

/// Counts what exists, in a process of its own.
@Suite("Of a feed", .timeLimit(.minutes(30)))
struct FeedLeakTests {
  @Test(
    "nothing stays: not when it was closed, cancelled, let go, failed or never closed",
    arguments: FeedImplementation.available)
  func nothingStays(implementation: FeedImplementation) async {
    await #expect(processExitsWith: .success) { [implementation = implementation as FeedImplementation] in
      struct Broken: Error {}
      for round in 0..<20 {
        try await MainActor.run {
          let controller = try implementation.makeController()
          let model = FeedModel(controller: controller)
          try model.open()
          var subscriptions = [try controller.observe { if $0.sequence == 3 { throw Broken() } }]
          subscriptions.append(try controller.observeOffMain { _ in })
          subscriptions.append(try controller.observe(on: .main) { _ in })
          for _ in 0..<10 { try controller.publish(FeedUpdate(.loading, progress: 0.5, title: "some title")) }
          try controller.play(100, every: round % 2 == 0 ? .zero : .microseconds(50))
          try controller.publishFromWorker(FeedUpdate(.loading, progress: 0.5))
          // What a page does, in each way of delivery: to its end, stopped, and let go in the middle.
          let page = ProgressModel(implementation, DeliveryWay.allCases[round % 5])
          page.start()
          for _ in 0..<5 {
            page.beginFrame(interval: .zero)
            page.drawFrame()
          }
          if round % 2 == 0 { page.stop() }
          if round % 3 == 0 { subscriptions[1].cancel() }
          if round % 3 == 1 { subscriptions.removeAll() }
          if round % 4 != 3 { controller.close() }
        }
      }
      // What is queued on the main queue holds its observation until its turn, and a thread of a feed lives until it has
      // had its own, whenever that is: what stays is seen when a time has passed that no machine stands still for.
      let end = ContinuousClock.now + .seconds(300)
      while FeedCensus.now != .nothing, .now < end { await mainQueueTurn() }
      #expect(FeedCensus.now == .nothing)
    }
  }
}
