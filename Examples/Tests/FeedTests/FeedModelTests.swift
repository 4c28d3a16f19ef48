import Feed
import FeedImplementations
import ForeignFeed
import Mainstay
import Observation
import Testing

@MainActor
@Suite("The feed model", .timeLimit(.minutes(30)))
struct FeedModelTests {
  @Test(
    "has the first state when open returns, and each that is published on main in the same call",
    arguments: FeedImplementation.available)
  func sameCall(implementation: FeedImplementation) throws {
    let controller = try implementation.makeController()
    let model = FeedModel(controller: controller)
    #expect(model.state == nil && !model.isOpen)
    try model.open()
    #expect(model.state == FeedSnapshot())
    try model.open()
    #expect(model.applied == 1, "opening twice subscribes once")
    try controller.publish(FeedUpdate(.loading, progress: 0.5, title: "half"))
    #expect(model.state == FeedSnapshot(sequence: 1, phase: .loading, progress: 0.5, title: "half"))
    model.close()
    controller.close()
  }

  @Test("applies every state of both kinds of callbacks, once", arguments: FeedImplementation.available)
  func both(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let model = FeedModel(controller: controller)
    try model.open()
    try controller.play(500, every: .zero)
    while !model.isLoaded { await mainQueueTurn() }
    #expect(model.applied == 501)
    #expect(model.appliedOffMain == 501)
    #expect(model.state == model.stateOffMain)
    model.close()
    controller.close()
  }

  @Test("applies nothing once it is closed, whatever is on its way", arguments: FeedImplementation.available)
  func closed(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let model = FeedModel(controller: controller)
    try model.open()
    try controller.play(10_000, every: .zero)
    while model.appliedOffMain < 10 { await mainQueueTurn() }
    model.close()
    let (applied, appliedOffMain) = (model.applied, model.appliedOffMain)
    for _ in 0..<100 { await mainQueueTurn() }
    #expect(model.applied == applied)
    #expect(model.appliedOffMain == appliedOffMain)

    try model.open()
    #expect(model.applied == applied + 1, "it can be opened again")
    controller.close()
    let again = model.applied
    let againOffMain = model.appliedOffMain
    model.close()
    for _ in 0..<100 { await mainQueueTurn() }
    #expect(model.applied == again && model.appliedOffMain == againOffMain)
  }

  @Test("closes, and says so, when somebody else closes its feed", arguments: FeedImplementation.available)
  func endedByTheFeed(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let model = FeedModel(controller: controller)
    try model.open()
    #expect(!model.hasEnded)
    await onForeignThreads(1) { controller.close() }
    while !model.hasEnded { await mainQueueTurn() }
    #expect(!model.isOpen)
    let row = Boundaries.report().rows.first { $0.name == "feed endings" }
    #expect(row?.exercised == true)
  }

  @Test("says so when its feed is closed, and stays closed itself", arguments: FeedImplementation.available)
  func closedController(implementation: FeedImplementation) throws {
    let controller = try implementation.makeController()
    controller.close()
    let model = FeedModel(controller: controller)
    #expect(throws: FeedError.closed) { try model.open() }
    #expect(!model.isOpen)
  }

  @Test("is not held by its feed", arguments: FeedImplementation.available)
  func notHeld(implementation: FeedImplementation) throws {
    let controller = try implementation.makeController()
    weak var model: FeedModel?
    do {
      let opened = FeedModel(controller: controller)
      try opened.open()
      model = opened
      #expect(model != nil)
    }
    #expect(model == nil)
    try controller.publish(FeedUpdate(.loaded, progress: 1))
    controller.close()
  }

  @Test("relies on boundaries with the contract that its feed states", arguments: FeedImplementation.available)
  func boundaries(implementation: FeedImplementation) throws {
    let controller = try implementation.makeController()
    let model = FeedModel(controller: controller)
    try model.open()
    let rows = Boundaries.report().rows
    #expect(rows.contains { $0.name == "feed states" && $0.contract == controller.contract.observe && $0.exercised })
    #expect(rows.contains { $0.name == "feed states off main" && $0.contract == controller.contract.observeOffMain })
    model.close()
    controller.close()
  }
}
