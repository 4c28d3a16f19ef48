/// The wallet that a command line names.
import WalletKit
import WalletStore

/// Opens it, and closes it after `use`.
enum OpenWallet {
  static func with<Value: Sendable>(
    _ line: CommandLineArguments, connections: Int = 4,
    _ use: (any TransferStore, ApprovalDesk) async throws -> Value
  ) async throws -> Value {
    let desk = ApprovalDesk(checker: LimitChecker(limit: try fraudLimit(line)))
    if let conninfo = line.option("--postgres") {
      let store = try await PostgresTransferStore.open(conninfo, connections: connections, desk: desk)
      defer { store.close() }
      return try await use(store, desk)
    }
    let store = try await file(line)
    defer { store.close() }
    return try await use(try await WalletService.open(store: store, desk: desk), desk)
  }

  /// The SQLite file. What only looks at a wallet, or changes one that is there, makes none where a name is mistyped.
  static func file(_ line: CommandLineArguments) async throws -> SQLiteJournalStore {
    try await SQLiteJournalStore.open(
      path: line.option("--store") ?? "wallet.sqlite", creating: ["open", "load"].contains(line.command.name))
  }

  /// In minor units: the same number for every currency, as the check's own service would have it.
  private static func fraudLimit(_ line: CommandLineArguments) throws -> Int64 {
    guard let text = line.option("--fraud-limit") else { return .max }
    guard let money = try? Money(parsing: text, .euro), money.minorUnits > 0 else {
      throw UsageError("--fraud-limit is an amount above zero, not \"\(text)\"")
    }
    return money.minorUnits
  }
}
