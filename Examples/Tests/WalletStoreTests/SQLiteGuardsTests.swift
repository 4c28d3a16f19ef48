/// What a wallet's file must refuse by itself.
import Foundation
import Testing
import WalletKit
import WalletStore

@Suite("The constraints of a wallet in SQLite", .timeLimit(.minutes(10)))
struct SQLiteGuardsTests {
  /// A wallet whose tables were defined anew with one part of their definition missing, as a careless hand does it.
  private func withFile(
    _ table: String, without part: String, is replacement: String = "", and more: String = "",
    _ use: (String) async throws -> Void
  ) async throws {
    try await TestFolder.with { folder in
      let path = folder + "/wallet.sqlite"
      let store = try await SQLiteJournalStore.open(path: path)
      let wallet = try await WalletService.open(store: store, desk: ApprovalDesk(checker: LimitChecker()))
      _ = try await wallet.openAccount(AccountID("a"), in: .euro, key: TransferKey("open-a"))
      func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
      try await store.execute(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, \(quoted(part)), \(quoted(replacement))) WHERE name = '\(table)';
        \(part.contains("UNIQUE") ? "DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_ledger_1';" : "")
        PRAGMA writable_schema = RESET;
        \(more)
        """)
      store.close()
      try await use(path)
    }
  }

  @Test(
    "one that is missing is named when the file is opened, with the next step",
    arguments: [
      ("ledger", " UNIQUE", "", "UNIQUE (key) of ledger"),
      ("ledger", "CHECK (balance >= 0)", "", "CHECK (balance >= 0) of ledger"),
      ("accounts", "CHECK (balance >= 0)", "CHECK (balance >= -5)", "CHECK (balance >= 0) of accounts"),
      (
        "ledger", " CHECK (kind IN ('open', 'deposit', 'transfer'))", "",
        "CHECK (kind IN ('open', 'deposit', 'transfer')) of ledger"
      ),
      ("ledger", "sender TEXT NOT NULL", "sender TEXT", "NOT NULL of ledger.sender"),
      ("ledger", "amount INTEGER", "amount ANY", "the type INTEGER of ledger.amount"),
      ("ledger", "STRICT", "", "STRICT of ledger"),
    ])
  func missing(table: String, part: String, replacement: String, lost: String) async throws {
    try await withFile(table, without: part, is: replacement) { path in
      let bytes = FileManager.default.contents(atPath: path)
      let error = await #expect(throws: StoreError.self) {
        try await SQLiteJournalStore.open(path: path, creating: false).close()
      }
      let mend = lost.hasPrefix("UNIQUE") ? ["CREATE UNIQUE INDEX ledger_key ON ledger (key)"] : []
      #expect(error == .unguarded(path, lost: [lost], mend: mend))
      #expect(error?.description.contains("\(path) has lost \(lost)") == true)
      #expect(error?.description.contains("restore it from a copy") == true)
      #expect(FileManager.default.contents(atPath: path) == bytes)
    }
  }

  @Test("a table that was copied without its definition has lost everything, and says so in one message")
  func copied() async throws {
    let copy = "CREATE TABLE l AS SELECT * FROM ledger; DROP TABLE ledger; ALTER TABLE l RENAME TO ledger"
    try await withFile("ledger", without: "nothing", and: copy) { path in
      let error = await #expect(throws: StoreError.self) { try await SQLiteJournalStore.open(path: path).close() }
      guard case .unguarded(path, let lost, []) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      for part in [
        "PRIMARY KEY (number)", "UNIQUE (key)", "CHECK (balance >= 0)", "NOT NULL of ledger.amount", "STRICT",
      ] {
        #expect(lost.contains { $0.hasPrefix(part) }, "\(part)")
      }
    }
  }

  @Test(
    "an index of its own keeps the keys unique as well, but not a part of them",
    arguments: [
      ("CREATE UNIQUE INDEX ledger_key ON ledger (key)", true), ("CREATE INDEX ledger_key ON ledger (key)", false),
      ("CREATE UNIQUE INDEX ledger_key ON ledger (key, number)", false),
      ("CREATE UNIQUE INDEX ledger_key ON ledger (key) WHERE kind = 'transfer'", false),
      ("CREATE UNIQUE INDEX ledger_key ON ledger (lower(key))", false),
    ])
  func index(sql: String, opens: Bool) async throws {
    // The space that the old index had in the file is nobody's now.
    try await withFile("ledger", without: " UNIQUE", and: "\(sql); VACUUM") { path in
      guard opens else {
        await #expect(throws: StoreError.self) { try await SQLiteJournalStore.open(path: path).close() }
        return
      }
      let store = try await SQLiteJournalStore.open(path: path)
      defer { store.close() }
      #expect(try await store.verify().discrepancies == [])
    }
  }

  @Test("a definition that is written otherwise is as good")
  func otherwise() async throws {
    let renamed = "ALTER TABLE ledger RENAME TO l; ALTER TABLE l RENAME TO ledger"
    try await withFile("ledger", without: "CHECK (balance >= 0)", is: "check( [balance]>=0 )", and: renamed) { path in
      try await SQLiteJournalStore.open(path: path).close()
    }
  }
}
