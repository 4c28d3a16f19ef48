import Mainstay

/// A store that a test holds back, makes fail, or fills with what no journal wrote.
final class StoreDouble: JournalStore {
  typealias Entry = JournalEntry<String, Int, Int>

  struct Failed: Error {}

  struct State {
    var batches: [[String]] = []
    var durable: [Entry] = []
    var forgotten: [String] = []
    var commitsUntilFailure: Int?
    var failsToLoad = false
    var failure: any Error = Failed()
  }
  let state = Locked(State())
  /// Each commit waits here, so that a test decides when it ends.
  let gate: Gate

  init(isOpen: Bool = true) {
    gate = Gate()
    if isOpen { gate.open() }
  }

  func load() async throws -> [Entry] {
    if state.value.failsToLoad { throw Failed() }
    return state.value.durable
  }

  func commit(_ entries: [Entry], forgetting forgotten: [String]) async throws {
    state.change { $0.batches.append(entries.map(\.key)) }
    await gate.wait()
    let failure: (any Error)? = state.change { state in
      if let left = state.commitsUntilFailure {
        if left == 0 { return state.failure }
        state.commitsUntilFailure = left - 1
      }
      state.durable.removeAll { forgotten.contains($0.key) }
      state.durable += entries
      state.forgotten += forgotten
      return nil
    }
    if let failure { throw failure }
  }
}
