import Foundation
import Mainstay
import Testing

@Suite("A journal with a store")
@WalletActor
struct DurabilityTests {
  private func key(_ index: Int) -> String { "k\(index)" }

  @Test("performs without waiting for a slow store, and commits what gathered in one group")
  func groups() async throws {
    let store = StoreDouble(isOpen: false)
    let journal = Journal(store: store)
    for index in 0..<100 { try journal.perform(id: key(index), index) { _ in index * 2 } }
    #expect(journal.uncommitted == 100)
    let waiting = Task { @WalletActor in try await journal.committed("k99") }
    while !store.gate.isAwaited { await pause() }
    #expect(store.state.value.durable.isEmpty)
    store.gate.open()
    #expect(try await waiting.value == 198)
    #expect(journal.uncommitted == 0)
    let batches = store.state.value.batches
    #expect(batches.flatMap { $0 } == (0..<100).map(key), "every entry once, in order")
    #expect(batches.count <= 3, "the first alone, and what gathered behind it")
  }

  @Test("committed returns only after the commit that holds the entry")
  func committedWaits() async throws {
    let store = StoreDouble(isOpen: false)
    let journal = Journal(store: store)
    try journal.perform(id: "a", 1) { _ in 10 }
    let returned = Locked(false)
    let waiting = Task { @WalletActor in
      let receipt = try await journal.committed("a")
      returned.change { $0 = true }
      return receipt
    }
    while !store.gate.isAwaited { await pause() }
    for _ in 0..<100 { await Task.yield() }
    #expect(!returned.value)
    #expect(try journal.perform(id: "a", 1) { _ in 0 } == 10, "a retry is answered from memory meanwhile")
    store.gate.open()
    #expect(try await waiting.value == 10)
    #expect(store.state.value.durable.map(\.receipt) == [10])
    #expect(try await journal.committed("a") == 10)
  }

  @Test("flush waits for everything performed so far")
  func flush() async throws {
    let store = StoreDouble()
    let journal = Journal(store: store)
    for index in 0..<20 { try journal.perform(id: key(index), index) { _ in index } }
    try await journal.flush()
    #expect(store.state.value.durable.count == 20)
    try await journal.flush()
  }

  @Test("a failed commit fails everyone who waits and poisons the journal")
  func poisons() async throws {
    let store = StoreDouble(isOpen: false)
    store.state.change { $0.commitsUntilFailure = 0 }
    let journal = Journal(store: store)
    for index in 0..<3 { try journal.perform(id: key(index), index) { _ in index } }
    let waiting = (0..<3).map { index in Task { @WalletActor in try await journal.committed(key(index)) } }
    while !store.gate.isAwaited { await pause() }
    store.gate.open()
    for task in waiting {
      await #expect(throws: JournalError.poisoned(cause: "Failed()")) { try await task.value }
    }
    #expect(journal.isPoisoned)
    var ran = false
    #expect(throws: JournalError.poisoned(cause: "Failed()")) {
      try journal.perform(id: "new", 1) { _ in
        ran = true
        return 1
      }
    }
    #expect(!ran)
    #expect(throws: JournalError.self) { try journal.perform(id: "k0", 0) { _ in 0 } }
    await #expect(throws: JournalError.self) { try await journal.committed("k0") }
    await #expect(throws: JournalError.self) { try await journal.flush() }
    #expect(store.state.value.batches.flatMap { $0 }.contains("new") == false)
  }

  @Test("a commit that fails while nobody waits poisons the next call")
  func poisonsUnawaited() async throws {
    let store = StoreDouble()
    store.state.change { $0.commitsUntilFailure = 0 }
    let journal = Journal(store: store)
    try journal.perform(id: "a", 1) { _ in 1 }
    while !journal.isPoisoned { await pause() }
    #expect(throws: JournalError.poisoned(cause: "Failed()")) { try journal.perform(id: "b", 2) { _ in 2 } }
  }

  @Test("a store that fails during a unit of work rolls it back")
  func failsMeanwhile() async throws {
    let store = StoreDouble(isOpen: false)
    store.state.change { $0.commitsUntilFailure = 0 }
    let outcome = Locked<(value: Int, error: JournalError?)>((-1, nil))
    // On a thread of its own: the unit of work waits for the pool, so it must not hold one of its threads.
    await onForeignThread {
      let journal = Journal(store: store)
      var value = 0
      _ = try? journal.perform(id: "a", 1) { _ in 1 }
      while !store.gate.isAwaited { sched_yield() }
      do {
        try journal.perform(id: "b", 2) { undo in
          value = 1
          undo.onRollback { value = 0 }
          store.gate.open()
          while !journal.isPoisoned { sched_yield() }
          return 2
        }
      } catch {
        outcome.change { [value] in $0 = (value, error as? JournalError) }
      }
    }
    #expect(outcome.value.value == 0)
    #expect(outcome.value.error == .poisoned(cause: "Failed()"))
  }

  @Test("a store that throws a cancellation of its own poisons like any other failure")
  func storeCancels() async throws {
    let store = StoreDouble()
    store.state.change { state in
      state.commitsUntilFailure = 0
      state.failure = CancellationError()
    }
    let journal = Journal(store: store)
    try journal.perform(id: "a", 1) { _ in 1 }
    await #expect(throws: JournalError.self) { try await journal.committed("a") }
    #expect(journal.isPoisoned)
  }

  @Test("reloading starts from what the store holds, and rebuilds the domain from it")
  func reload() async throws {
    let store = StoreDouble()
    let journal = Journal(store: store)
    var sum = 0
    func add(_ id: String, _ amount: Int) throws {
      try journal.perform(id: id, amount) { undo in
        sum += amount
        undo.onRollback { sum -= amount }
        return sum
      }
    }
    try add("a", 5)
    try await journal.flush()
    store.state.change { $0.commitsUntilFailure = 0 }
    try add("b", 7)
    await #expect(throws: JournalError.self) { try await journal.committed("b") }
    #expect(sum == 12, "memory is ahead of the truth")

    store.state.change { $0.commitsUntilFailure = nil }
    try await journal.reload { entries in sum = entries.map(\.request).reduce(0, +) }
    #expect(sum == 5)
    #expect(!journal.isPoisoned)
    #expect(try await journal.committed("a") == 5)
    try add("a", 5)
    #expect(sum == 5, "the key of the earlier life is recognised")
    try add("b", 7)
    #expect(try await journal.committed("b") == 12)
  }

  @Test("a second journal on the same in-memory store replays the keys of the first")
  func restart() async throws {
    let store = InMemoryStore<String, Int, Int>()
    let first = Journal(store: store)
    for index in 0..<10 { try first.perform(id: key(index), index) { _ in index * 3 } }
    let second = Journal(store: store)
    var rebuilt: [Int] = []
    try await second.reload { rebuilt = $0.map(\.receipt) }
    #expect(rebuilt == (0..<10).map { $0 * 3 })
    #expect(try second.perform(id: "k4", 4) { _ in -1 } == 12)
    #expect(throws: JournalError.keyReused(key: "k4")) { try second.perform(id: "k4", 5) { _ in -1 } }
  }

  @Test("every call during a reload is refused")
  func duringReload() async throws {
    let store = StoreDouble(isOpen: false)
    let journal = Journal(store: store)
    try journal.perform(id: "a", 1) { _ in 1 }
    let reloading = Task { @WalletActor in try await journal.reload { _ in } }
    while !store.gate.isAwaited { await pause() }
    while (try? journal.perform(id: "a", 1) { _ in 1 }) != nil { await pause() }
    #expect(throws: JournalError.reloading) { try journal.perform(id: "b", 2) { _ in 2 } }
    await #expect(throws: JournalError.reloading) { try await journal.committed("a") }
    await #expect(throws: JournalError.reloading) { try await journal.reload { _ in } }
    store.gate.open()
    try await reloading.value
    #expect(try journal.perform(id: "a", 1) { _ in 2 } == 1)
  }

  @Test("a store that returns garbage, or cannot be read, leaves the journal poisoned until it can")
  func garbage() async throws {
    let store = StoreDouble()
    let journal = Journal(store: store)
    let entry = JournalEntry(key: "a", request: 1, receipt: 1, recordedAt: 0)
    store.state.change { $0.durable = [entry, entry] }
    var rebuilt = false
    await #expect(throws: JournalError.damagedStore(reason: "the key 'a' occurs twice")) {
      try await journal.reload { _ in rebuilt = true }
    }
    #expect(!rebuilt)
    #expect(journal.isPoisoned)
    #expect(throws: JournalError.self) { try journal.perform(id: "b", 1) { _ in 1 } }

    store.state.change { $0.failsToLoad = true }
    await #expect(throws: StoreDouble.Failed.self) { try await journal.reload { _ in } }
    store.state.change { state in
      state.failsToLoad = false
      state.durable = [entry]
    }
    struct CannotRebuild: Error {}
    await #expect(throws: CannotRebuild.self) { try await journal.reload { _ in throw CannotRebuild() } }
    #expect(journal.isPoisoned)
    try await journal.reload { _ in }
    #expect(try journal.perform(id: "a", 1) { _ in 9 } == 1)
  }

  @Test("cancelling a wait ends the wait and leaves the commit alone")
  func cancelledWait() async throws {
    let store = StoreDouble(isOpen: false)
    let journal = Journal(store: store)
    try journal.perform(id: "a", 1) { _ in 1 }
    let waiting = Task { @WalletActor in try await journal.committed("a") }
    while !store.gate.isAwaited { await pause() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(!journal.isPoisoned)
    store.gate.open()
    #expect(try await journal.committed("a") == 1)
  }

  @Test("a journal that is released still commits what was performed")
  func released() async throws {
    let store = StoreDouble(isOpen: false)
    do {
      let journal = Journal(store: store)
      for index in 0..<5 { try journal.perform(id: key(index), index) { _ in index } }
    }
    store.gate.open()
    while store.state.value.durable.count < 5 { await pause() }
    #expect(store.state.value.durable.map(\.key) == (0..<5).map(key))
  }
}

@Suite("Retention")
@WalletActor
struct RetentionTests {
  @Test("forever keeps every key")
  func forever() throws {
    let journal = Journal<Int, Int, Int>()
    for index in 0..<5_000 { try journal.perform(id: index, index) { _ in index } }
    #expect(journal.count == 5_000)
  }

  @Test("the latest keys are replayed, older ones are performed again")
  func latest() throws {
    let journal = Journal<Int, Int, String>(retention: .latest(3))
    for index in 0..<5_000 { try journal.perform(id: index, index) { _ in "first" } }
    #expect(journal.count == 3)
    #expect(try journal.perform(id: 4_997, 4_997) { _ in "again" } == "first")
    #expect(try journal.perform(id: 4_996, 4_996) { _ in "again" } == "again")
    #expect(journal.count == 3)
  }

  /// A key whose hashes nearly all collide.
  struct Crowded: Hashable, Sendable {
    var number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
  }

  @Test("keys whose hashes collide are told apart, whichever of them are forgotten", arguments: [1, 7, 100])
  func collisions(kept: Int) throws {
    let journal = Journal<Crowded, Int, Int>(retention: .latest(kept))
    var remembered: [Int] = []
    var generator = Numbers(state: UInt64(kept))
    for round in 0..<3_000 {
      let number = Int.random(in: 0..<(2 * kept), using: &generator)
      let isKnown = remembered.contains(number)
      var wasPerformed = false
      try journal.perform(id: Crowded(number: number), number) { _ in
        wasPerformed = true
        return round
      }
      #expect(wasPerformed != isKnown, "round \(round)")
      if !isKnown { remembered = (remembered + [number]).suffix(kept) }
      #expect(journal.count == remembered.count)
    }
  }

  /// The same numbers every time.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test("the store is told what is forgotten, and a key performed again is kept")
  func toldToTheStore() async throws {
    let memory = InMemoryStore<Int, Int, Int>()
    let journal = Journal(store: memory, retention: .latest(2))
    for index in [1, 2, 3, 4, 1, 5] { try journal.perform(id: index, index) { _ in index } }
    #expect(try await memory.load().map(\.key) == [1, 5])

    let store = StoreDouble()
    let durable = Journal(store: store, retention: .latest(2))
    for index in 0..<6 {
      try durable.perform(id: "\(index)", index) { _ in index }
      try await durable.flush()
    }
    // The last key to forget is told with the entry that displaced it, or with the commit after that one.
    let forgotten = store.state.value.forgotten
    #expect(forgotten == ["0", "1", "2"] || forgotten == ["0", "1", "2", "3"])
    #expect(store.state.value.durable.map(\.key) == (forgotten.count..<6).map(String.init))
  }

  @Test("nothing is forgotten before it is durable")
  func notBeforeDurable() async throws {
    let store = StoreDouble(isOpen: false)
    let journal = Journal(store: store, retention: .latest(1))
    for index in 0..<10 { try journal.perform(id: "\(index)", index) { _ in index } }
    #expect(journal.count == 10)
    let first = Task { @WalletActor in try await journal.committed("0") }
    while !store.gate.isAwaited { await pause() }
    store.gate.open()
    #expect(try await first.value == 0)
    try await journal.flush()
    try journal.perform(id: "10", 10) { _ in 10 }
    #expect(journal.count <= 2)
  }

  @Test("an age keeps young keys and forgets old ones when the journal is reloaded")
  func age() async throws {
    let store = StoreDouble()
    store.state.change { state in
      state.durable = [JournalEntry(key: "ancient", request: 1, receipt: 1, recordedAt: 0)]
    }
    let journal = Journal(store: store, retention: .age(.seconds(3_600)))
    try journal.perform(id: "young", 2) { _ in 2 }
    try await journal.flush()
    try await journal.reload { _ in }
    #expect(journal.count == 1)
    #expect(try journal.perform(id: "young", 2) { _ in 0 } == 2)
    #expect(try journal.perform(id: "ancient", 1) { _ in 5 } == 5)
  }

  @Test("a rule that keeps nothing stops the program and says so", arguments: [0, -1])
  nonisolated func absurd(count: Int) async {
    let latest = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [count] in
      _ = Journal<Int, Int, Int>(retention: .latest(count))
    }
    expectMessage(latest, "keep at least one")
    let age = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [count] in
      _ = Journal<Int, Int, Int>(retention: .age(.seconds(count)))
    }
    expectMessage(age, "use an age above zero")
  }
}

@Suite("A journal's errors")
struct JournalErrorTests {
  @Test(
    "name the thing and say what to do next",
    arguments: [
      (.nested(key: "k1"), ["k1", "finish the outer one first"]),
      (.keyReused(key: "k1"), ["k1", "needs a new key"]),
      (.unknownKey(key: "k1"), ["k1", "perform it first"]),
      (.poisoned(cause: "disk full"), ["disk full", "reload"]),
      (.reloading, ["try again"]),
      (.damagedStore(reason: "the key 'k1' occurs twice"), ["k1", "restore it"]),
    ] as [(JournalError, [String])])
  func messages(error: JournalError, parts: [String]) {
    for part in parts { #expect(error.description.contains(part)) }
  }
}
