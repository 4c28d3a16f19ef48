import Foundation
import Patience
import Synchronization
import Testing
import WalletKit
import WalletStore

@Suite(
  "A wallet in PostgreSQL", .enabled(if: TestPostgres.isHere, TestPostgres.comment), .patient, .timeLimit(.minutes(10)))
struct PostgresTransferStoreTests {
  private let desk = ApprovalDesk(checker: LimitChecker())
  private let (a, b): (AccountID, AccountID)

  init() throws { (a, b) = (try AccountID("a"), try AccountID("b")) }

  private func euro(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .euro) }

  private func withWallet(_ use: (PostgresTransferStore, String) async throws -> Void) async throws {
    let conninfo = try await TestPostgres.database()
    let store = try await PostgresTransferStore.open(conninfo, desk: desk)
    defer { store.close() }
    _ = try await store.openAccount(a, in: .euro, key: TransferKey("open-a"))
    _ = try await store.openAccount(b, in: .euro, key: TransferKey("open-b"))
    _ = try await store.deposit(euro(1_000), to: a, key: TransferKey("fund-a"))
    try await use(store, conninfo)
  }

  @Test("two wallets on one database, as two processes have, see the same accounts, and a key is done once")
  func two() async throws {
    try await withWallet { store, conninfo in
      let other = try await PostgresTransferStore.open(conninfo, desk: desk)
      defer { other.close() }
      let transfer = Transfer(euro(10), from: a, to: b)
      let desk = desk
      let receipts = try await withThrowingTaskGroup(of: LedgerEntry.self) { group in
        for number in 0..<40 {
          for wallet in [store, other] {
            group.addTask {
              try await wallet.performTransfer(transfer, key: TransferKey("t\(number)"), desk: desk)
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(receipts).count == 40)
      #expect(try await other.balance(of: b) == euro(400))
      #expect(try await store.verify().discrepancies == [])
    }
  }

  @Test("a connection that is lost before the commit was sent has changed nothing; the key does it then")
  func lostBefore() async throws {
    try await withWallet { store, _ in
      let transfer = Transfer(euro(10), from: a, to: b)
      let key = try TransferKey("t")
      store.onMoment { moment, connection in
        if moment == .beforeCommit { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
      }
      let error = await #expect(throws: StoreError.self) {
        try await store.performTransfer(transfer, key: key, desk: desk, retry: .once)
      }
      #expect(error?.isRetryable == true)
      store.onMoment(nil)
      #expect(try await store.balance(of: b) == .zero(.euro))
      let receipt = try await store.performTransfer(transfer, key: key, desk: desk)
      #expect(try await store.performTransfer(transfer, key: key, desk: desk) == receipt)
      #expect(try await store.balance(of: b) == euro(10))
    }
  }

  @Test(
    "a connection that is lost in the middle of a commit leaves the outcome unknown; the key tells, and does it once")
  func lostAfter() async throws {
    try await withWallet { store, _ in
      let transfer = Transfer(euro(10), from: a, to: b)
      let key = try TransferKey("t")
      store.onMoment { moment, connection in
        if moment == .commitSent { loseAnswer(connection.descriptor) }
      }
      let error = await #expect(throws: StoreError.self) {
        try await store.performTransfer(transfer, key: key, desk: desk, retry: .once)
      }
      guard case .outcomeUnknown(key, _) = error else { throw Unexpected(error) }
      #expect(error?.description.contains("repeat it with its key") == true)
      store.onMoment(nil)
      let receipt = try await store.performTransfer(transfer, key: key, desk: desk)
      #expect(receipt.balance == euro(990))
      #expect(try await store.ledger(after: 0, limit: .max).count { $0.key == key } == 1)
      #expect(try await store.balance(of: b) == euro(10))
    }
  }

  /// Waits for what the server answers and throws it away: an answer that is here before the connection ends would be read.
  private func loseAnswer(_ descriptor: Int32) {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, -1) < 0, errno == EINTR {}
    var bytes = [UInt8](repeating: 0, count: 4096)
    while recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private struct Unexpected: Error { init(_: StoreError?) {} }

  @Test("retrying by itself, a client survives a connection that is lost in the middle of a commit")
  func retried() async throws {
    try await withWallet { store, _ in
      let left = Mutex(3)
      store.onMoment { moment, connection in
        let isDue = left.withLock { left in
          left -= 1
          return left >= 0
        }
        if isDue { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
      }
      let quick = RetryPolicy(attempts: 10, first: .zero, longest: .zero)
      let transfer = Transfer(euro(10), from: a, to: b)
      _ = try await store.performTransfer(transfer, key: TransferKey("t"), desk: desk, retry: quick)
      #expect(left.withLock { $0 } < 0)
      #expect(try await store.balance(of: b) == euro(10))
    }
  }

  @Test("a server that is not there, and a database of a newer version, are named")
  func unreachable() async throws {
    let error = await #expect(throws: StoreError.self) {
      try await PostgresTransferStore.open("host=/nowhere connect_timeout=2", desk: desk)
    }
    guard case .noConnection(let reason) = error else { throw Unexpected(error) }
    #expect(reason.contains("/nowhere"))
    try await withWallet { store, conninfo in
      try await store.execute("UPDATE wallet.version SET number = 99")
      await #expect(throws: StoreError.newerSchema("the database", found: 99, known: 1)) {
        try await PostgresTransferStore.open(conninfo, desk: desk)
      }
    }
  }

  @Test("a database that may only be read says so, and a balance that was changed past the wallet is found")
  func readOnlyAndChanged() async throws {
    try await withWallet { store, conninfo in
      let only = try await PostgresTransferStore.open(
        conninfo + " options='-c default_transaction_read_only=on'", desk: desk, readingOnly: true)
      defer { only.close() }
      #expect(try await only.balance(of: a) == euro(1_000))
      await #expect(
        throws: StoreError.notAllowed(reason: "ERROR:  cannot execute SELECT FOR UPDATE in a read-only transaction")
      ) {
        try await only.deposit(euro(1), to: a, key: TransferKey("d"))
      }
      try await store.execute("UPDATE wallet.accounts SET balance = 999 WHERE name = 'a'")
      #expect(
        try await store.verify().discrepancies == [
          "a has 9.99 EUR, and 10.00 EUR by the ledger", "the accounts hold 9.99 EUR, and 10.00 EUR was paid in",
        ])
    }
  }

  @Test(
    "a transaction that another does not let go on says so after a while, with nothing changed; the key does it then")
  func held() async throws {
    try await withWallet { _, conninfo in
      let store = try await PostgresTransferStore.open(
        conninfo, connections: 1, desk: desk, lockTimeout: .milliseconds(50))
      let other = try await PostgresTransferStore.open(conninfo, connections: 1, desk: desk)
      defer { store.close(); other.close() }
      try await other.execute("BEGIN; SELECT * FROM wallet.accounts WHERE name = 'a' FOR UPDATE")
      let transfer = Transfer(euro(10), from: a, to: b)
      let key = try TransferKey("t")
      let error = await #expect(throws: StoreError.self) {
        try await store.performTransfer(transfer, key: key, desk: desk, retry: .once)
      }
      guard case .heldByAnother = error else { throw Unexpected(error) }
      #expect(error?.isRetryable == true && error?.description.contains("nothing was changed") == true)
      try await other.execute("ROLLBACK")
      #expect(try await store.balance(of: a) == euro(1_000))
      _ = try await store.performTransfer(transfer, key: key, desk: desk)
      #expect(try await store.balance(of: a) == euro(990))
    }
  }

  @Test("a server without room, and one that fails, change nothing and are named", arguments: ["53100", "XX000"])
  func fails(state: String) async throws {
    try await withWallet { store, _ in
      // Fails the line of the ledger, when both balances have been changed already.
      try await store.execute(
        """
        CREATE FUNCTION wallet.fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '\(state)'; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON wallet.ledger FOR EACH ROW EXECUTE FUNCTION wallet.fail();
        """)
      let transfer = Transfer(euro(10), from: a, to: b)
      let error = await #expect(throws: StoreError.self) {
        try await store.performTransfer(transfer, key: TransferKey("t"), desk: desk, retry: .once)
      }
      switch error {
      case .full("the database") where state == "53100": break
      case .failed("PostgreSQL", let reason) where state == "XX000": #expect(reason.contains("planted"))
      default: throw Unexpected(error)
      }
      try await store.execute("DROP TRIGGER fail ON wallet.ledger")
      #expect(try await store.balance(of: a) == euro(1_000))
      #expect(try await store.verify().discrepancies == [])
      _ = try await store.performTransfer(transfer, key: TransferKey("t"), desk: desk)
    }
  }

  @Test("a transaction that others always precede ends after a bounded number of repetitions, with nothing changed")
  func contended() async throws {
    let conninfo = try await TestPostgres.database()
    let store = try await PostgresTransferStore.open(
      conninfo, connections: 1, desk: desk, retry: RetryPolicy(attempts: 3, first: .zero, longest: .zero))
    let other = try await PostgresTransferStore.open(conninfo, desk: desk)
    defer { store.close(); other.close() }
    for account in [a, b] { _ = try await store.openAccount(account, in: .euro, key: TransferKey("open-\(account)")) }
    _ = try await store.deposit(euro(1_000), to: a, key: TransferKey("fund-a"))
    // Refuses the transfer as if another had come before, every time.
    try await other.execute(
      """
      CREATE FUNCTION wallet.refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'others came before' USING ERRCODE = '40001'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON wallet.ledger FOR EACH ROW EXECUTE FUNCTION wallet.refuse();
      """)
    let key = try TransferKey("t")
    await #expect(throws: WalletError.contended(key, attempts: 3)) {
      try await store.performTransfer(Transfer(euro(1), from: a, to: b), key: key, desk: desk, retry: .once)
    }
    #expect(store.repetitions == 3)
    try await other.execute("DROP TRIGGER refuse ON wallet.ledger")
    #expect(try await store.balance(of: a) == euro(1_000))
    _ = try await store.performTransfer(Transfer(euro(1), from: a, to: b), key: key, desk: desk)
  }
}
