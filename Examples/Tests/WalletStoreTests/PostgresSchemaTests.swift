/// What a database must hold to be a wallet, and who may write it.
import Patience
import Testing
import WalletKit
import WalletStore

@Suite(
  "The tables in PostgreSQL", .enabled(if: TestPostgres.isHere, TestPostgres.comment), .patient,
  .timeLimit(.minutes(10)))
struct PostgresSchemaTests {
  private let desk = ApprovalDesk(checker: LimitChecker())
  private let a: AccountID

  init() throws { a = try AccountID("a") }

  /// Makes a wallet with a deposit, changes it past the wallet, and opens it again.
  private func error(after sql: String) async throws -> (StoreError?, PostgresTransferStore) {
    let conninfo = try await TestPostgres.database()
    let store = try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
    _ = try await store.openAccount(a, in: .euro, key: TransferKey("open-a"))
    _ = try await store.deposit(Money(minorUnits: 500, .euro), to: a, key: TransferKey("d"))
    try await store.execute(sql)
    let error = await #expect(throws: StoreError.self) {
      try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
    }
    return (error, store)
  }

  @Test(
    "a wallet that lost a table or its version, or has several, is damaged, and nothing is made in its place",
    arguments: [
      ("DROP TABLE wallet.ledger", "ledger is missing"), ("DROP TABLE wallet.accounts", "accounts is missing"),
      ("DROP TABLE wallet.version", "version is not"),
      ("DROP TABLE wallet.version, wallet.ledger", "version is not"),
      ("ALTER TABLE wallet.ledger DROP COLUMN recorded_at", "ledger has the columns number bigint"),
      ("UPDATE wallet.version SET number = 0", "version is 0"), ("DELETE FROM wallet.version", "0 rows"),
      ("INSERT INTO wallet.version VALUES (1)", "2 rows"),
    ])
  func damaged(sql: String, reason: String) async throws {
    let (error, store) = try await error(after: sql)
    defer { store.close() }
    guard case .corrupt("the wallet in PostgreSQL", let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.contains(reason))
    #expect(error?.description.contains("restore it from a copy") == true)
    #expect(error?.isRetryable == false)
    // Had opening made tables, this would make them once more and be refused.
    if sql == "DROP TABLE wallet.ledger" { try await store.execute("CREATE TABLE wallet.ledger ()") }
  }

  @Test("a wallet that is open when its ledger is dropped is damaged too, and takes no money")
  func droppedWhileOpen() async throws {
    let (_, store) = try await error(after: "DROP TABLE wallet.ledger")
    defer { store.close() }
    let error = await #expect(throws: StoreError.self) {
      try await store.deposit(Money(minorUnits: 500, .euro), to: a, key: TransferKey("d"))
    }
    guard case .corrupt("the wallet in PostgreSQL", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await store.balance(of: a) == Money(minorUnits: 500, .euro))
  }

  @Test(
    "a schema wallet of something else is named, and nothing is made in it",
    arguments: [
      "CREATE TABLE wallet.cards (number text)", "CREATE TABLE wallet.version (id text); CREATE TABLE wallet.ledger ()",
    ])
  func foreign(tables: String) async throws {
    let conninfo = try await TestPostgres.database()
    let first = try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
    defer { first.close() }
    try await first.execute("DROP SCHEMA wallet CASCADE; CREATE SCHEMA wallet; \(tables)")
    let error = await #expect(throws: StoreError.self) { try await PostgresTransferStore.open(conninfo, desk: desk) }
    guard case .foreignSchema = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("name another database") == true)
    try await first.execute("CREATE TABLE wallet.accounts ()")
  }

  @Test("a schema wallet that is empty gets the tables, and several that come at once make them once")
  func empty() async throws {
    let conninfo = try await TestPostgres.database()
    let first = try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
    defer { first.close() }
    try await first.execute("DROP SCHEMA wallet CASCADE; CREATE SCHEMA wallet")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask { try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk).close() }
      }
      try await group.waitForAll()
    }
    _ = try await first.openAccount(a, in: .euro, key: TransferKey("open-a"))
    #expect(try await first.verify().discrepancies == [])
  }

  @Test(
    "a server that may not be written, and a role without rights, answer what only reads, and say so for the rest",
    arguments: [true, false])
  func notAllowed(byRole: Bool) async throws {
    let conninfo = try await TestPostgres.database()
    let readers =
      conninfo + (byRole ? " options='-c role=pg_monitor'" : " options='-c default_transaction_read_only=on'")
    // Without a wallet, one would have to be made.
    let unmade = await #expect(throws: StoreError.self) { try await PostgresTransferStore.open(readers, desk: desk) }
    guard case .notAllowed = unmade else {
      Issue.record("\(String(describing: unmade))")
      return
    }
    let owner = try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
    defer { owner.close() }
    _ = try await owner.openAccount(a, in: .euro, key: TransferKey("open-a"))
    if byRole {
      try await owner.execute(
        "GRANT USAGE ON SCHEMA wallet TO pg_monitor; GRANT SELECT ON ALL TABLES IN SCHEMA wallet TO pg_monitor")
    }
    let reader = try await PostgresTransferStore.open(readers, desk: desk)
    defer { reader.close() }
    #expect(try await reader.balance(of: a) == .zero(.euro))
    #expect(try await reader.ledger(after: 0, limit: .max).count == 1)
    #expect(try await reader.verify().discrepancies == [])
    let error = await #expect(throws: StoreError.self) {
      try await reader.deposit(Money(minorUnits: 1, .euro), to: a, key: TransferKey("d"))
    }
    guard case .notAllowed(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(byRole ? "permission denied" : "read-only transaction"))
    #expect(error?.description.contains("PostgreSQL does not allow that") == true)
    #expect(error?.description.contains("folder") == false)
  }
}
