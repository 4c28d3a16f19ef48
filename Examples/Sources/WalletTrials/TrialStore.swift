/// Where a trial's wallet is kept.
import WalletKit
import WalletStore

/// A database that a trial and the programs that it starts share.
public enum TrialStore: Sendable, Hashable {
  /// One process at a time.
  case sqlite(path: String)
  /// As many as there are.
  case postgres(conninfo: String)

  /// What `wallet` is told.
  var arguments: [String] {
    switch self {
    case .sqlite(let path): ["--store", path]
    case .postgres(let conninfo): ["--postgres", conninfo]
    }
  }

  /// Opens the wallet, and closes it after `use`.
  func withWallet<Value: Sendable>(
    _ desk: ApprovalDesk, _ use: (any TransferStore) async throws -> Value
  ) async throws -> Value {
    switch self {
    case .sqlite(let path):
      let store = try await SQLiteJournalStore.open(path: path)
      defer { store.close() }
      return try await use(try await WalletService.open(store: store, desk: desk))
    case .postgres(let conninfo):
      let store = try await PostgresTransferStore.open(conninfo, connections: 8, desk: desk)
      defer { store.close() }
      return try await use(store)
    }
  }
}

/// What `wallet load` says of a transfer, in one line: its key, and its receipt or `refused`.
public struct LoadAnswer: Sendable, Hashable {
  public var key: String
  public var number: Int64?
  public var balance: Int64?

  public init(_ key: TransferKey, _ answer: Result<LedgerEntry, WalletError>) {
    self.key = key.name
    if case .success(let entry) = answer { (number, balance) = (entry.number, entry.balance.minorUnits) }
  }

  public init(_ entry: LedgerEntry) {
    (key, number, balance) = (entry.key.name, entry.number, entry.balance.minorUnits)
  }

  init?(line: String) {
    let words = line.split(separator: " ")
    guard words.count >= 2 else { return nil }
    key = String(words[0])
    if words.count == 3 { (number, balance) = (Int64(words[1]), Int64(words[2])) }
  }

  public var line: String {
    if let number, let balance { "\(key) \(number) \(balance)" } else { "\(key) refused" }
  }

  var isReceipt: Bool { number != nil }
}
