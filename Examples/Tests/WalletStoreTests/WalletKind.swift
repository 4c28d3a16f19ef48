import Foundation
import Testing
import WalletKit
import WalletStore
import WalletTrials

/// The wallets that must behave alike.
enum WalletKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite, postgres

  var testDescription: String { rawValue }

  /// Those that can be tried here.
  static var here: [WalletKind] { allCases.filter { $0 != .postgres || TestPostgres.isHere } }

  /// Opens a new wallet, and removes what it kept after `use`.
  func with<Value: Sendable>(
    _ desk: ApprovalDesk, rules: TransferRules = TransferRules(), clock: WalletClock = .system,
    _ use: (any TransferStore) async throws -> Value
  ) async throws -> Value {
    switch self {
    case .memory:
      return try await use(try await WalletService.open(desk: desk, rules: rules, clock: clock))
    case .sqlite:
      return try await TestFolder.with { folder in
        let store = try await SQLiteJournalStore.open(path: folder + "/wallet.sqlite")
        defer { store.close() }
        return try await use(try await WalletService.open(store: store, desk: desk, rules: rules, clock: clock))
      }
    case .postgres:
      let store = try await PostgresTransferStore.open(
        try await TestPostgres.database(), desk: desk, rules: rules, clock: clock)
      defer { store.close() }
      return try await use(store)
    }
  }
}

/// A folder that is removed again.
enum TestFolder {
  static func with<Value: Sendable>(_ use: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wallet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await use(folder.path)
  }
}

/// The server that `scripts/postgres run` started.
enum TestPostgres {
  /// Its connection string.
  static let conninfo = ProcessInfo.processInfo.environment["WALLET_POSTGRES"]

  /// Where there is none, its tests are skipped; in CI they must not be.
  static var isHere: Bool { conninfo != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

  static let comment: Comment = "make test starts a server; scripts/postgres run does so by hand"

  /// An empty database of its own for a test.
  static func database() async throws -> String {
    let conninfo = try #require(conninfo, "WALLET_POSTGRES is not set: run the tests with scripts/postgres run")
    return try await PostgresTransferStore.makeDatabase(
      "t" + UUID().uuidString.replacing("-", with: "").lowercased(), on: conninfo)
  }
}
