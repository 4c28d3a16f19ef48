/// How many durable transfers a second: many in one commit, against one commit each.
import Mainstay
import WalletKit
import WalletStore

/// Clients that each wait for their receipt, on a wallet in SQLite.
public struct DurableThroughput: Sendable {
  public struct Result: Sendable, Equatable {
    public var grouped: Double
    public var oneByOne: Double
    public var ratio: Double { grouped / oneByOne }
  }

  public var clients: Int
  public var transfers: Int
  /// Where the files are made; they are removed by the caller.
  public var folder: String

  public init(clients: Int = 64, transfers: Int, folder: String) {
    self.clients = clients
    self.transfers = transfers
    self.folder = folder
  }

  @concurrent
  public func run() async throws -> Result {
    // One by one is slow, and needs fewer to be measured.
    let few = max(clients, transfers / 16)
    let oneByOne = try await measure("one-by-one.sqlite", few) { OneCommitEach(store: $0) }
    let grouped = try await measure("grouped.sqlite", transfers) { $0 }
    return Result(grouped: grouped, oneByOne: oneByOne)
  }

  private func measure(
    _ name: String, _ count: Int,
    _ wrap: (SQLiteJournalStore) -> any JournalStore<TransferKey, WalletRequest, LedgerEntry>
  ) async throws -> Double {
    let store = try await SQLiteJournalStore.open(path: "\(folder)/\(name)")
    defer { store.close() }
    let desk = ApprovalDesk(checker: LimitChecker())
    let plan = try LoadPlan(seed: 3, accounts: 64, startingBalance: 1_000_000_000)
    try await plan.prepare(try await WalletService.open(store: store, desk: desk))
    let wallet = try await WalletService.open(store: wrap(store), desk: desk)
    let clock = ContinuousClock()
    let start = clock.now
    try await Load(plan, transfers: 0..<count, clients: clients, retry: .once).run(on: wallet, desk: desk) { _, _ in }
    let length = start.duration(to: clock.now).components
    return Double(count) / (Double(length.seconds) + Double(length.attoseconds) * 1e-18)
  }
}

/// A store that makes every entry a commit of its own.
private struct OneCommitEach: JournalStore {
  let store: SQLiteJournalStore

  func load() async throws -> [SQLiteJournalStore.Entry] { try await store.load() }

  func commit(_ entries: [SQLiteJournalStore.Entry], forgetting forgotten: [TransferKey]) async throws {
    for entry in entries { try await store.commit([entry], forgetting: forgotten) }
  }
}
