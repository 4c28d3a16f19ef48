/// What a wallet's tables in PostgreSQL must refuse by themselves.
import Patience
import Testing
import WalletKit
import WalletStore

@Suite(
  "The constraints of a wallet in PostgreSQL", .enabled(if: TestPostgres.isHere, TestPostgres.comment),
  .patient, .timeLimit(.minutes(10)))
struct PostgresGuardsTests {
  private let desk = ApprovalDesk(checker: LimitChecker())

  /// A wallet with one account and one deposit, changed past the wallet.
  private func withWallet(
    after sql: String, _ use: (String, PostgresTransferStore) async throws -> Void
  ) async throws {
    let conninfo = try await TestPostgres.database()
    let store = try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
    defer { store.close() }
    let a = try AccountID("a")
    _ = try await store.openAccount(a, in: .euro, key: TransferKey("open-a"))
    _ = try await store.deposit(Money(minorUnits: 500, .euro), to: a, key: TransferKey("d"))
    try await store.execute(sql)
    try await use(conninfo, store)
  }

  @Test(
    "one that is missing is named when the wallet is opened, and what the error advises puts it back",
    arguments: [
      ("DROP CONSTRAINT ledger_key_key", "ledger", "UNIQUE (key) of ledger"),
      ("DROP CONSTRAINT ledger_pkey", "ledger", "PRIMARY KEY (number) of ledger"),
      ("DROP CONSTRAINT accounts_pkey", "accounts", "PRIMARY KEY (name) of accounts"),
      ("DROP CONSTRAINT ledger_balance_check", "ledger", "CHECK (balance >= 0) of ledger"),
      ("DROP CONSTRAINT accounts_balance_check", "accounts", "CHECK (balance >= 0) of accounts"),
      (
        "DROP CONSTRAINT ledger_kind_check", "ledger",
        "CHECK (kind IN ('open', 'deposit', 'transfer')) of ledger"
      ),
      ("ALTER sender DROP NOT NULL", "ledger", "NOT NULL of ledger.sender"),
      ("ALTER number DROP IDENTITY", "ledger", "GENERATED ALWAYS AS IDENTITY of ledger.number"),
    ])
  func missing(change: String, table: String, lost: String) async throws {
    try await withWallet(after: "ALTER TABLE wallet.\(table) \(change)") { conninfo, store in
      let error = await #expect(throws: StoreError.self) {
        try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk, readingOnly: true)
      }
      guard case .unguarded("the wallet in PostgreSQL", [lost], let mend) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error?.description.contains("the wallet in PostgreSQL has lost \(lost)") == true)
      #expect(error?.description.contains("restore it from a copy, or run \(mend[0]) on it") == true)
      #expect(error?.isRetryable == false)
      try await store.execute(mend.joined(separator: ";"))
      let mended = try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
      defer { mended.close() }
      let key = try TransferKey("d2")
      let receipt = try await mended.deposit(Money(minorUnits: 1, .euro), to: AccountID("a"), key: key)
      #expect(try await mended.deposit(Money(minorUnits: 1, .euro), to: AccountID("a"), key: key) == receipt)
      #expect(try await mended.verify().discrepancies == [])
    }
  }

  @Test("all that are missing are named at once")
  func several() async throws {
    let sql = """
      ALTER TABLE wallet.ledger DROP CONSTRAINT ledger_key_key, ALTER amount DROP NOT NULL;
      ALTER TABLE wallet.accounts DROP CONSTRAINT accounts_balance_check
      """
    try await withWallet(after: sql) { conninfo, store in
      let error = await #expect(throws: StoreError.self) { try await PostgresTransferStore.open(conninfo, desk: desk) }
      guard case .unguarded(_, let lost, let mend) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(
        lost == [
          "UNIQUE (key) of ledger", "CHECK (balance >= 0) of accounts", "NOT NULL of ledger.amount",
        ])
      try await store.execute(mend.joined(separator: ";"))
      try await PostgresTransferStore.open(conninfo, desk: desk).close()
    }
  }

  @Test(
    "an index of its own keeps the keys unique as well, but not a part of them; older rows may still be unchecked",
    arguments: [
      ("DROP CONSTRAINT ledger_key_key; CREATE UNIQUE INDEX ON wallet.ledger (key)", true),
      ("DROP CONSTRAINT ledger_key_key; CREATE INDEX ON wallet.ledger (key)", false),
      ("DROP CONSTRAINT ledger_key_key; CREATE UNIQUE INDEX ON wallet.ledger (key, number)", false),
      ("DROP CONSTRAINT ledger_key_key; CREATE UNIQUE INDEX ON wallet.ledger (key) WHERE kind = 'transfer'", false),
      ("DROP CONSTRAINT ledger_key_key; CREATE UNIQUE INDEX ON wallet.ledger (lower(key))", false),
      ("DROP CONSTRAINT ledger_key_key, ADD UNIQUE (key) DEFERRABLE INITIALLY DEFERRED", false),
      ("DROP CONSTRAINT ledger_balance_check, ADD CONSTRAINT least CHECK (balance >= 0) NOT VALID", true),
      ("DROP CONSTRAINT ledger_balance_check, ADD CONSTRAINT least CHECK (balance >= -1)", false),
    ])
  func instead(change: String, opens: Bool) async throws {
    try await withWallet(after: "ALTER TABLE wallet.ledger \(change)") { conninfo, _ in
      if opens {
        try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk).close()
      } else {
        await #expect(throws: StoreError.self) {
          try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
        }
      }
    }
  }
}
