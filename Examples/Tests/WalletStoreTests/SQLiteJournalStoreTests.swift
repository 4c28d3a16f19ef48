import Foundation
import Patience
import Testing
import WalletKit
import WalletStore

@Suite("A wallet in SQLite", .patient, .timeLimit(.minutes(10)))
struct SQLiteJournalStoreTests {
  private let desk = ApprovalDesk(checker: LimitChecker())
  private let (a, b): (AccountID, AccountID)

  init() throws { (a, b) = (try AccountID("a"), try AccountID("b")) }

  private func euro(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .euro) }

  /// A new file with 10.00 on `a`, closed again.
  private func withFile(_ use: (String) async throws -> Void) async throws {
    try await TestFolder.with { folder in
      let path = folder + "/wallet.sqlite"
      let store = try await SQLiteJournalStore.open(path: path)
      let wallet = try await WalletService.open(store: store, desk: desk)
      _ = try await wallet.openAccount(a, in: .euro, key: TransferKey("open-a"))
      _ = try await wallet.openAccount(b, in: .euro, key: TransferKey("open-b"))
      _ = try await wallet.deposit(euro(1_000), to: a, key: TransferKey("fund-a"))
      store.close()
      try await use(path)
    }
  }

  private func send(_ minorUnits: Int64, _ key: String, in wallet: WalletService) async throws -> LedgerEntry {
    try await wallet.performTransfer(
      Transfer(euro(minorUnits), from: a, to: b), key: TransferKey(key), desk: desk, retry: .once)
  }

  @Test("opened again, it has the same ledger and gives the same receipts")
  func reopen() async throws {
    try await withFile { path in
      var store = try await SQLiteJournalStore.open(path: path)
      let receipt = try await send(300, "t1", in: try await WalletService.open(store: store, desk: desk))
      store.close()
      store = try await SQLiteJournalStore.open(path: path)
      let wallet = try await WalletService.open(store: store, desk: desk)
      #expect(try await send(300, "t1", in: wallet) == receipt)
      #expect(try await wallet.balance(of: b) == euro(300))
      #expect(
        try await store.verify() == LedgerAudit(entries: 4, accounts: 2, totals: [euro(1_000)], discrepancies: []))
      store.close()
    }
  }

  @Test("a file that another owns is said to be in use")
  func locked() async throws {
    try await withFile { path in
      let owner = try await SQLiteJournalStore.open(path: path)
      await #expect(throws: StoreError.locked(path: path)) { try await SQLiteJournalStore.open(path: path) }
      owner.close()
      try await SQLiteJournalStore.open(path: path).close()
    }
  }

  @Test("a full disk poisons the wallet; with room again and reloaded, it goes on, and the key does it once")
  func full() async throws {
    try await withFile { path in
      let store = try await SQLiteJournalStore.open(path: path)
      let wallet = try await WalletService.open(store: store, desk: desk)
      // The file may not grow: it fills up in a few commits.
      try await store.execute("PRAGMA max_page_count = 1")
      var sent = 0
      let failure = await #expect(throws: WalletError.self) {
        while sent < 10_000 {
          _ = try await send(1, "t\(sent % 1_000)-\(String(repeating: "x", count: 40))-\(sent)", in: wallet)
          sent += 1
        }
      }
      #expect(failure == .poisoned(cause: StoreError.full(path: path).description))
      let key = "t\(sent % 1_000)-\(String(repeating: "x", count: 40))-\(sent)"
      await #expect(throws: WalletError.self) { try await wallet.balance(of: a) }
      try await store.execute("PRAGMA max_page_count = 1000000")
      try await wallet.reload()
      #expect(try await wallet.balance(of: b) == euro(Int64(sent)), "nothing of the failed commit is there")
      let receipt = try await send(1, key, in: wallet)
      #expect(try await send(1, key, in: wallet) == receipt)
      #expect(try await wallet.balance(of: b) == euro(Int64(sent) + 1))
      #expect(try await store.verify().discrepancies == [])
      store.close()
    }
  }

  @Test("a file that cannot be written says so")
  func readOnly() async throws {
    try await withFile { path in
      let store = try await SQLiteJournalStore.open(path: path)
      let wallet = try await WalletService.open(store: store, desk: desk)
      // As root any file can be written; SQLite refuses for us.
      try await store.execute("PRAGMA query_only = ON")
      await #expect(throws: WalletError.poisoned(cause: StoreError.readOnly(path: path).description)) {
        try await send(1, "t", in: wallet)
      }
      store.close()
    }
  }

  @Test("a file of a newer version, of something else, or of nothing known is not touched")
  func foreign() async throws {
    try await withFile { path in
      let store = try await SQLiteJournalStore.open(path: path)
      try await store.execute("PRAGMA user_version = 99")
      store.close()
      let newer = StoreError.newerSchema(path, found: 99, known: 1)
      await #expect(throws: newer) { try await SQLiteJournalStore.open(path: path) }
      #expect(newer.description.contains("newer program"))

      // Now as if another program had made it: in the header, past SQLite.
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes.replaceSubrange(60..<64, with: [0, 0, 0, 1])
      bytes.replaceSubrange(68..<72, with: [0, 0, 0, 5])
      try bytes.write(to: URL(filePath: path))
      await #expect(throws: StoreError.notAWallet(path: path)) { try await SQLiteJournalStore.open(path: path) }
    }
    try await TestFolder.with { folder in
      let path = folder + "/letter.txt"
      let text = Data(repeating: UInt8(ascii: "x"), count: 5_000)
      try text.write(to: URL(filePath: path))
      await #expect(throws: StoreError.notAWallet(path: path)) { try await SQLiteJournalStore.open(path: path) }
      #expect(FileManager.default.contents(atPath: path) == text)
      let nowhere = folder + "/nowhere/wallet.sqlite"
      let error = await #expect(throws: StoreError.self) { try await SQLiteJournalStore.open(path: nowhere) }
      #expect(error?.description.contains(nowhere) == true)
    }
  }

  @Test(
    "a ledger or balance that was changed past the wallet is damage, and is named",
    arguments: [
      ("UPDATE accounts SET balance = 999 WHERE name = 'a'", "a has 9.99 EUR, and 10.00 EUR by the ledger"),
      ("UPDATE ledger SET amount = 1001 WHERE number = 3", "line 3 of the ledger"),
      ("DELETE FROM ledger WHERE number = 2", "line 2 of the ledger is missing"),
      ("UPDATE ledger SET currency = 'XXX' WHERE number = 3", "\"XXX\" is not a currency"),
      ("UPDATE ledger SET recipient = 'no such' WHERE number = 3", "cannot name an account"),
      ("DELETE FROM accounts WHERE name = 'b'", "b has no balance"),
    ])
  func changed(sql: String, reason: String) async throws {
    try await withFile { path in
      let store = try await SQLiteJournalStore.open(path: path)
      try await store.execute(sql)
      let error = await #expect(throws: StoreError.self) { try await WalletService.open(store: store, desk: desk) }
      guard case .corrupt(path, let found) = error else { throw Unexpected(error) }
      #expect(found.contains(reason), "\(found)")
      store.close()
    }
  }

  private struct Unexpected: Error { init(_: StoreError?) {} }

  @Test("bytes that were overwritten are damage, and never a wallet with other balances")
  func overwritten() async throws {
    try await withFile { path in
      let bytes = try Data(contentsOf: URL(filePath: path))
      for page in 0..<bytes.count / 4_096 {
        var damaged = bytes
        damaged.replaceSubrange(page * 4_096 + 4_000..<page * 4_096 + 4_096, with: [UInt8](repeating: 0xa5, count: 96))
        damaged.replaceSubrange(
          page * 4_096 + (page == 0 ? 100 : 0)..<page * 4_096 + (page == 0 ? 108 : 8),
          with: [UInt8](repeating: 0xff, count: 8))
        try damaged.write(to: URL(filePath: path))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let error = await #expect(throws: StoreError.self, "page \(page)") {
          let store = try await SQLiteJournalStore.open(path: path)
          defer { store.close() }
          _ = try await WalletService.open(store: store, desk: desk)
        }
        #expect(error?.description.contains(path) == true)
      }
    }
  }

  @Test("many who wait share commits, and each gets its own receipt")
  func groupCommit() async throws {
    try await withFile { path in
      let store = try await SQLiteJournalStore.open(path: path)
      let wallet = try await WalletService.open(store: store, desk: desk)
      let receipts = try await withThrowingTaskGroup(of: LedgerEntry.self) { group in
        for number in 0..<200 { group.addTask { try await send(1, "t\(number)", in: wallet) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(receipts.map(\.number)).count == 200)
      #expect(Set(receipts.map(\.key)).count == 200)
      store.close()
      let again = try await SQLiteJournalStore.open(path: path)
      let ledger = try await WalletService.open(store: again, desk: desk).ledger(after: 3, limit: .max)
      #expect(Set(ledger) == Set(receipts))
      again.close()
    }
  }
}
