import Dispatch
import Mainstay
import Synchronization
import Testing

@Suite("A hopping boundary")
struct HoppingBoundaryTests {
  struct Numbered: Sendable {
    var producer: Int
    var number: Int
  }

  /// Receives numbered values and notices every one that is out of order.
  @MainActor final class Sink {
    private(set) var received = 0
    private(set) var inversions = 0
    private var last: [Int: Int] = [:]
    private let expected: Int
    private let done: Gate

    nonisolated init(expecting expected: Int, done: Gate) {
      self.expected = expected
      self.done = done
    }

    func take(_ value: Numbered) {
      if value.number != last[value.producer, default: -1] + 1 { inversions += 1 }
      last[value.producer] = value.number
      received += 1
      if received == expected { done.open() }
    }
  }

  @Test("applies every value once, in the order each thread sent them", arguments: [1, 4])
  func order(producers: Int) async throws {
    let count = 100_000 / producers
    let done = Gate()
    let sink = Sink(expecting: count * producers, done: done)
    let boundary = HoppingBoundary<Numbered>("ordered \(producers)") { sink.take($0) }
    onForeignThreads(producers) { producer in
      for number in 0..<count { boundary.send(Numbered(producer: producer, number: number)) }
    }
    await done.wait()
    await MainActor.run {
      #expect(sink.received == count * producers)
      #expect(sink.inversions == 0)
    }
    let row = try #require(Boundaries.report().rows.first { $0.name == "ordered \(producers)" })
    #expect(row.callbacks == count * producers)
    #expect(row.inversions == 0)
    #expect(row.merged == 0)
    let timed = try #require(row.latency?.count)
    #expect(timed >= 1 && timed <= count * producers)
  }

  @Test("sent on the main actor, a value is applied later, not inside the call")
  @MainActor func sentOnMain() async throws {
    var applied: [Int] = []
    let done = Gate()
    let boundary = HoppingBoundary<Int>("from main") { value in
      applied.append(value)
      if value == 3 { done.open() }
    }
    for value in 1...3 { boundary.send(value) }
    #expect(applied.isEmpty)
    await done.wait()
    #expect(applied == [1, 2, 3])
    let row = try #require(Boundaries.report().rows.first { $0.name == "from main" })
    #expect(row.callbacks == 3)
    #expect((row.latency?.count ?? 0) >= 1, "the first of a burst is always timed")
  }

  @Test("values sent from apply follow those that wait already")
  @MainActor func reentrant() async {
    var applied: [Int] = []
    let done = Gate()
    let sender = Locked<HoppingBoundary<Int>?>(nil)
    let boundary = HoppingBoundary<Int>("reentrant") { value in
      applied.append(value)
      if value < 10 { sender.value?.send(value + 10) }
      if value == 12 { done.open() }
    }
    sender.change { $0 = boundary }
    for value in 1...2 { boundary.send(value) }
    await done.wait()
    #expect(applied == [1, 2, 11, 12])
    sender.change { $0 = nil }
  }

  @Test("with latest, only the newest of the values that wait is applied, and the last one always")
  @MainActor func latest() async throws {
    var applied: [Int] = []
    let done = Gate()
    let boundary = HoppingBoundary<Int>("latest", delivery: .latest) { value in
      applied.append(value)
      if value == 999 { done.open() }
    }
    onForeignThreads(1) { _ in for value in 0..<1_000 { boundary.send(value) } }
    await done.wait()
    #expect(applied == [999], "the main actor was busy here while they were sent")
    let row = try #require(Boundaries.report().rows.first { $0.name == "latest" })
    #expect(row.callbacks == 1_000)
    #expect(row.merged == 999)
  }

  @Test("with latest, what is applied never goes back in time")
  func latestIsOrdered() async {
    let done = Gate()
    let applied = Locked<[Int]>([])
    let boundary = HoppingBoundary<Int>("latest in order", delivery: .latest) { value in
      applied.change { $0.append(value) }
      if value == 49_999 { done.open() }
    }
    onForeignThreads(1) { _ in for value in 0..<50_000 { boundary.send(value) } }
    await done.wait()
    let values = applied.value
    #expect(values == values.sorted())
    #expect(values.last == 49_999)
  }

  @Test("gives the main actor back between slices: other work runs long before a burst is applied")
  @MainActor func sliced() async {
    var applied = 0
    let done = Gate()
    // A budget so small that a slice ends after one value.
    let boundary = HoppingBoundary<Int>("sliced", budget: FrameBudget(interval: .nanoseconds(8))) { value in
      applied += 1
      if value == 999 { done.open() }
    }
    for value in 0..<1_000 { boundary.send(value) }
    let turns = MainQueueTurns()
    await done.wait()
    #expect(applied == 1_000)
    #expect(turns.stop() > 100, "a burst of 1,000 values in one job would have left no turn to others")
  }

  @Test("keeps the order when a slice ends while a burst is being put in order")
  func slicedOrdering() async {
    let done = Gate()
    let sink = Sink(expecting: 20_000, done: done)
    let boundary = HoppingBoundary<Numbered>("sliced ordering", budget: FrameBudget(interval: .nanoseconds(8))) {
      sink.take($0)
    }
    onForeignThreads(1) { _ in
      for number in 0..<20_000 { boundary.send(Numbered(producer: 0, number: number)) }
    }
    await done.wait()
    await MainActor.run { #expect(sink.inversions == 0) }
  }

  @Test("after finish on the main actor nothing is applied, not even what was taken already")
  @MainActor func finishStops() async throws {
    var applied: [Int] = []
    let finisher = Locked<HoppingBoundary<Int>?>(nil)
    // In one slice, however slow the machine is: the turn below is behind that one alone.
    let boundary = HoppingBoundary<Int>("finish", budget: FrameBudget(interval: .seconds(3_600))) { value in
      applied.append(value)
      if value == 2 { finisher.value?.finish() }
    }
    finisher.change { $0 = boundary }
    for value in 1...5 { boundary.send(value) }
    // Behind the drain in the main queue, so the drain has run when this returns.
    await mainQueueTurn()
    #expect(applied == [1, 2])
    finisher.change { $0 = nil }
  }

  @Test("a value sent after finish is refused and counted; finish may be called again")
  @MainActor func sendAfterFinish() async throws {
    var applied = 0
    do {
      let boundary = HoppingBoundary<Int>("refused") { _ in applied += 1 }
      boundary.finish()
      boundary.finish()
      for value in 0..<3 { boundary.send(value) }
    }
    await mainQueueTurn()
    #expect(applied == 0)
    let row = try #require(Boundaries.report().rows.first { $0.name == "refused" })
    #expect(row.refused == 3)
    #expect(row.callbacks == 0)
  }

  @Test("finish from any thread while others send ends the delivery and loses no count")
  func finishWhileSending() async throws {
    let applied = Atomic<Int>(0)
    do {
      let boundary = HoppingBoundary<Int>("raced") { _ in applied.wrappingAdd(1, ordering: .relaxed) }
      onForeignThreads(4) { producer in
        for value in 0..<2_000 {
          if producer == 3, value == 1_000 { boundary.finish() }
          boundary.send(value)
        }
      }
    }
    await MainActor.run {}
    await mainQueueTurn()
    let count = applied.load(ordering: .relaxed)
    await MainActor.run {}
    #expect(applied.load(ordering: .relaxed) == count)
    let row = try #require(Boundaries.report().rows.first { $0.name == "raced" })
    #expect(row.callbacks + row.refused == 8_000)
    #expect(row.refused >= 1_000)
  }

  @Test("released without finish it still applies what was sent to it")
  @MainActor func released() async {
    var applied: [Int] = []
    let done = Gate()
    do {
      let boundary = HoppingBoundary<Int>("released") { value in
        applied.append(value)
        if value == 3 { done.open() }
      }
      for value in 1...3 { boundary.send(value) }
    }
    await done.wait()
    #expect(applied == [1, 2, 3])
  }

  @Test("releases every value it was sent, applied or dropped")
  @MainActor func leaks() async {
    final class Counted: Sendable {
      let live: Locked<Int>
      init(_ live: Locked<Int>) {
        self.live = live
        live.change { $0 += 1 }
      }
      deinit { live.change { $0 -= 1 } }
    }
    let live = Locked(0)
    do {
      let boundary = HoppingBoundary<Counted>("leaks") { _ in }
      for _ in 0..<100 { boundary.send(Counted(live)) }
      await mainQueueTurn()
      for _ in 0..<100 { boundary.send(Counted(live)) }
      boundary.finish()
    }
    await mainQueueTurn()
    #expect(live.value == 0)
  }
}

/// Counts how often a block that queues itself again and again gets its turn on the main queue.
@MainActor private final class MainQueueTurns {
  private var turns = 0
  private var isCounting = true

  init() { queueNext() }

  private func queueNext() {
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        guard self.isCounting else { return }
        self.turns += 1
        self.queueNext()
      }
    }
  }

  func stop() -> Int {
    isCounting = false
    return turns
  }
}
