import FeedImplementations
import ForeignFeed
import Synchronization
import Testing

/// What every implementation promises. One suite for all of them.
@MainActor
@Suite("A foreign feed", .timeLimit(.minutes(30)))
struct FeedControllerTests {
  private let arrivals = Arrivals<FeedSnapshot>()
  private let offMain = Arrivals<Bool>()

  /// Notes states, and whether each came off the main actor.
  private var note: OnState {
    { [arrivals, offMain] state in
      offMain.append(!MainQueuePort.isCurrent)
      arrivals.append(state.snapshot)
    }
  }

  private var sequences: [Int] { arrivals.values.map(\.sequence) }

  @Test(
    "every implementation is tested: 'make kotlin' adds Kotlin", .enabled(if: FeedImplementation.kotlin.absence == nil))
  func everyImplementation() {
    #expect(FeedImplementation.available == FeedImplementation.allCases)
  }

  @Test(
    "tells an observer on the main actor of the first state once, before observe returns",
    arguments: FeedImplementation.available)
  func firstState(implementation: FeedImplementation) throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe(note)
    #expect(arrivals.values == [FeedSnapshot()])
    #expect(offMain.values == [false])
    subscription.cancel()
    controller.close()
  }

  @Test(
    "tells it of what is published on the main actor before publish returns", arguments: FeedImplementation.available)
  func inline(implementation: FeedImplementation) throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe(note)
    try controller.publish(FeedUpdate(.loading, progress: 0.25, title: "Größe 📱 null\0byte"))
    #expect(arrivals.values.count == 2)
    #expect(
      arrivals.values.last
        == FeedSnapshot(sequence: 1, phase: .loading, progress: 0.25, title: "Größe 📱 null\0byte"))
    try controller.publish(FeedUpdate(.loaded, progress: 1))
    try controller.publish(FeedUpdate(.failed, progress: 0))
    #expect(arrivals.values.map(\.phase) == [.loading, .loading, .loaded, .failed])
    subscription.cancel()
    controller.close()
  }

  @Test("tells it of what is published elsewhere on the main actor, later", arguments: FeedImplementation.available)
  func fromAWorker(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe(note)
    try controller.publishFromWorker(FeedUpdate(.loaded, progress: 1))
    // The main actor was not given up yet: nothing can have come.
    #expect(sequences == [0])
    await arrivals.wait(for: 2)
    #expect(sequences == [0, 1])
    #expect(offMain.values == [false, false])
    subscription.cancel()
    controller.close()
  }

  @Test("tells an observer off main of everything, never on the main actor", arguments: FeedImplementation.available)
  func offMain(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    try controller.publish(FeedUpdate(.loading, progress: 0.1))
    let subscription = try controller.observeOffMain(note)
    for _ in 0..<100 { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    await arrivals.wait(for: 101)
    #expect(sequences == Array(1...101), "the state of that moment first, and once")
    #expect(offMain.values.allSatisfy { $0 })
    subscription.cancel()
    controller.close()
  }

  @Test(
    "tells both observers of every update of four threads, once and in order", arguments: FeedImplementation.available)
  func fourThreads(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe(note)
    let others = Arrivals<Int>()
    let other = try controller.observeOffMain { others.append($0.sequence) }
    await onForeignThreads(4) {
      for _ in 0..<250 { try? controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    }
    await arrivals.wait(for: 1001)
    await others.wait(for: 1001)
    #expect(sequences == Array(0...1000))
    #expect(others.values == Array(0...1000))
    #expect(offMain.values.allSatisfy { !$0 })
    subscription.cancel()
    other.cancel()
    controller.close()
  }

  @Test("updates of threads that have ended arrive all the same", arguments: FeedImplementation.available)
  func deadThreads(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe(note)
    for _ in 0..<30 {
      await onForeignThreads(1) { try? controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    }
    await arrivals.wait(for: 31)
    #expect(sequences == Array(0...30))
    #expect(offMain.values.allSatisfy { !$0 })
    subscription.cancel()
    controller.close()
  }

  @Test(
    "an update made in a callback follows that callback, on main and off it", arguments: FeedImplementation.available)
  func reentrant(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let depth = Mutex(0)
    let nested = Mutex(false)
    let publishAgain: OnState = { [arrivals] state in
      let isNested = depth.withLock {
        $0 += 1
        return $0 > 1
      }
      if isNested { nested.withLock { $0 = true } }
      if state.sequence < 5 { try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
      depth.withLock { $0 -= 1 }
      arrivals.append(state.snapshot)
    }
    let subscription = try controller.observe(publishAgain)
    #expect(sequences == Array(0...5), "all before observe returned")
    subscription.cancel()
    let other = try controller.observeOffMain(note)
    await arrivals.wait(for: 7)
    #expect(sequences == [0, 1, 2, 3, 4, 5, 5])
    #expect(nested.withLock { !$0 }, "callbacks do not overlap")
    other.cancel()
    controller.close()
  }

  @Test(
    "can be played from within: progress goes from 0 to 1, and the last state is loaded",
    arguments: FeedImplementation.available)
  func played(implementation: FeedImplementation) async throws {
    let controller = try implementation.makeController()
    let subscription = try controller.observe(note)
    try controller.play(40, every: .microseconds(100))
    await arrivals.wait(for: 41)
    #expect(sequences == Array(0...40))
    #expect(arrivals.values.map(\.progress) == (0...40).map { Double($0) / 40 })
    #expect(arrivals.values.map(\.phase) == Array(repeating: .loading, count: 40) + [.loaded])
    try controller.play(1000, every: .zero)
    await arrivals.wait(for: 1041)
    #expect(sequences == Array(0...1040))
    subscription.cancel()
    controller.close()
  }

  @Test("refuses a progress that is none, and says which", arguments: FeedImplementation.available)
  func invalid(implementation: FeedImplementation) throws {
    let controller = try implementation.makeController()
    for progress in [1.5, -0.001, .infinity] {
      #expect(throws: FeedError.invalidProgress(progress)) {
        try controller.publish(FeedUpdate(.loading, progress: progress))
      }
      #expect(throws: FeedError.invalidProgress(progress)) {
        try controller.publishFromWorker(FeedUpdate(.loading, progress: progress))
      }
    }
    #expect(throws: FeedError.self) { try controller.publish(FeedUpdate(.loading, progress: .nan)) }
    #expect(throws: FeedError.invalidCount(-1)) { try controller.play(-1, every: .zero) }
    controller.close()
  }
}
