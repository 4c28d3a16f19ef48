import Dispatch
import Feed
import FeedImplementations
import ForeignFeed
import Testing

/// The article's claims about the ways onto the main actor. Frames are made here one by one, so that nothing depends on
/// how fast this machine is.
@MainActor
@Suite("Updates, one a frame", .timeLimit(.minutes(30)))
struct LatencyProbeTests {
  private func settle(_ probe: LatencyProbe) async throws {
    while !DeliveryWay.allCases.allSatisfy({ probe.ledger($0)?.newestApplied == probe.published }) {
      await mainQueueTurn()
    }
  }

  @Test(
    "are visible at once directly and asserted, one frame later by a hop or a task, and none is merged",
    arguments: FeedImplementation.available)
  func steady(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let probe = try LatencyProbe(controller, updates: 60)
    for _ in 0..<60 {
      try probe.frame()
      try await settle(probe)
    }
    #expect(probe.isSettled)
    try probe.frame()
    for way in DeliveryWay.allCases {
      let ledger = try #require(probe.ledger(way))
      let later = way == .direct || way == .asserted ? 0 : 1
      #expect(ledger.averageFramesLater == Double(later) && ledger.worstFramesLater == later, "\(way)")
      #expect(ledger.shown == 60 && ledger.merged == 0 && ledger.inversions == 0, "\(way)")
    }
    probe.end()
    controller.close()
  }

  @Test(
    "are merged by a task for each value when a frame is too long, and not when they are asserted",
    arguments: FeedImplementation.available)
  func hitches(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let probe = try LatencyProbe(controller, updates: 60)
    for _ in 0..<20 {
      // A frame that takes longer than its interval finds the next one queued before anything that it queues itself.
      await withCheckedContinuation { done in
        DispatchQueue.main.async {
          for last in [false, false, true] {
            DispatchQueue.main.async {
              MainActor.assumeIsolated { try? probe.frame() }
              if last { done.resume() }
            }
          }
        }
      }
      try await settle(probe)
    }
    try probe.frame()
    for way in [DeliveryWay.direct, .asserted] {
      let ledger = try #require(probe.ledger(way))
      #expect(ledger.merged == 0 && ledger.averageFramesLater == 0 && ledger.shown == 60, "\(way)")
    }
    let tasks = try #require(probe.ledger(.taskPerValue))
    #expect(tasks.merged == 40, "of each three frames, two showed what was there before")
    #expect(tasks.averageFramesLater >= 1)
    let hops = try #require(probe.ledger(.hoppingEveryValue))
    #expect(hops.inversions == 0 && hops.applied == 60, "a hop is as late, and applies every value in order")
    probe.end()
    controller.close()
  }

  @Test("reach the state in no way once the delivery has ended", arguments: FeedImplementation.available)
  func ended(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    for way in DeliveryWay.allCases {
      var applied = 0
      let delivery = try Delivery(way, of: controller) { _ in applied += 1 }
      try controller.publish(FeedUpdate(.loading, progress: 0.5))
      delivery.end()
      let before = applied
      try controller.publish(FeedUpdate(.loading, progress: 0.5))
      for _ in 0..<10 { await mainQueueTurn() }
      #expect(applied == before, "\(way)")
    }
    controller.close()
  }
}
