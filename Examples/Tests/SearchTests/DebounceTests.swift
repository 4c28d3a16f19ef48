import Search
import Synchronization
import Testing

@MainActor
@Suite("A search with a debounce", .timeLimit(.minutes(30)))
struct DebounceTests {
  let service = GatedService()
  let clock = ManualClock()
  let model: SearchModel

  init() {
    model = SearchModel(service: service, debounce: .milliseconds(80), clock: clock)
  }

  @Test("the service is asked for the query that stood still, and for none before it")
  func asksOnce() async {
    for query in ["a", "ac", "act"] {
      model.queryChanged(query)
      #expect(model.phase == .loading(query: query), "the debounce must not delay the phase")
    }
    await clock.sleeps(beyond: 0)
    #expect(await service.asked == [])
    clock.advance(by: .milliseconds(80))
    await service.wasAsked(1)
    await service.answer(0)
    await model.settle()
    #expect(await service.asked == ["act"])
    #expect(model.phase == .loaded(.named("act")))
  }

  @Test("submitting does not wait")
  func submitting() async {
    model.queryChanged("act")
    model.submitSearch()
    await service.wasAsked(1)
    await service.answer(0)
    await model.settle()
    #expect(model.phase == .loaded(.named("act")))
  }
}

/// A clock that stands still until a test moves it.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var cancelled: Set<Int> = []
    var count = 0
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  let minimumResolution: Duration = .nanoseconds(1)

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let (outcome, watchers): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) = state.withLock {
          if $0.cancelled.contains(number) { return (.failure(CancellationError()), []) }
          if deadline <= $0.now { return (.success(()), []) }
          $0.sleepers[number] = (deadline, continuation)
          let watchers = $0.watchers
          $0.watchers = []
          return (nil, watchers)
        }
        for watcher in watchers { watcher.resume() }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(number)
        return state.sleepers.removeValue(forKey: number)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Returns when more than `count` sleepers wait.
  func sleeps(beyond count: Int) async {
    while state.withLock({ $0.sleepers.count <= count }) {
      await withCheckedContinuation { watcher in
        let isThere = state.withLock { state in
          guard state.sleepers.count <= count else { return true }
          state.watchers.append(watcher)
          return false
        }
        if isThere { watcher.resume() }
      }
    }
  }
}
