/// The durable journal of a wallet of one process.
import Mainstay
import WalletKit

/// Keeps the ledger and the balances in one SQLite file, which this process alone uses while the store lives.
///
/// A commit writes all entries that gathered during the last one in a single transaction and returns when the disk has
/// it. The balances are kept beside the ledger, changed by the same transaction, and compared with it when the wallet is
/// read: a half of a transfer would show.
public final class SQLiteJournalStore: JournalStore {
  public typealias Entry = JournalEntry<TransferKey, WalletRequest, LedgerEntry>

  public let path: String
  private let queue: DatabaseQueue<SQLiteConnection>

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: taken to the letter; a relative one begins at the process's folder.
  ///   - creating: makes it when there is none, or an empty one.
  /// - Throws: `StoreError`.
  public static func open(path: String, creating: Bool = true) async throws -> SQLiteJournalStore {
    let store = SQLiteJournalStore(path: path)
    try await store.queue.run { connection in
      let opened = try SQLiteConnection(path: path, creating: creating)
      try SQLiteSchema.prepare(opened, creating: creating)
      connection = opened
    }
    return store
  }

  private init(path: String) {
    self.path = path
    queue = DatabaseQueue("wallet.sqlite")
  }

  /// Closes the file after the work that is under way. Later calls throw.
  public func close() {
    queue.drain { $0 = nil }
  }

  /// The ledger, after SQLite has checked the file and the ledger was compared with the balances.
  ///
  /// - Throws: `StoreError.corrupt` if anything does not agree.
  public func load() async throws -> [Entry] {
    try await read { database in
      let problems = try Self.integrityProblems(database)
      let (entries, audit) = try Self.replayed(database)
      if let discrepancy = (problems + audit.discrepancies).first {
        throw StoreError.corrupt(path: database.path, reason: discrepancy)
      }
      return entries.map { entry in
        Entry(key: entry.key, request: entry.request, receipt: entry, recordedAt: Int(entry.recordedAt))
      }
    }
  }

  public func commit(_ entries: [Entry], forgetting forgotten: [TransferKey]) async throws {
    // The keys are those of the ledger, which forgets nothing.
    try await read { database in try Self.write(entries, to: database) }
  }

  /// As ``commit(_:forgetting:)``, and keeps the calling thread until the disk has it: for a program that shows what that
  /// does. Never on a thread of the pool.
  public func commitAndWait(_ entries: [Entry]) throws {
    try queue.runAndWait { [path] connection in try Self.write(entries, to: Self.opened(connection, path)) }
  }

  /// Has SQLite check the file, replays the ledger and compares it with the balances.
  public func verify() async throws -> LedgerAudit {
    try await read { database in
      let problems = try Self.integrityProblems(database)
      let audit = try Self.replayed(database).audit
      return LedgerAudit(
        entries: audit.entries, accounts: audit.accounts, totals: audit.totals,
        discrepancies: problems + audit.discrepancies)
    }
  }

  /// Runs SQL on the store's connection: tests bring the file into a state that is hard to come by otherwise.
  package func execute(_ sql: String) async throws {
    try await read { database in try database.execute(sql) }
  }

  private func read<Value: Sendable>(
    _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    try await queue.run { [path] connection in try work(Self.opened(connection, path)) }
  }

  private static func opened(_ connection: SQLiteConnection?, _ path: String) throws(StoreError) -> SQLiteConnection {
    guard let connection else { throw .cannotOpen(path: path, reason: "it was closed") }
    return connection
  }
}

extension SQLiteJournalStore {
  private static func write(_ entries: [Entry], to database: SQLiteConnection) throws {
    try database.transaction {
      for entry in entries { try append(LedgerRow(entry.receipt), to: database) }
      try settle(entries, in: database)
    }
  }

  private static func append(_ row: LedgerRow, to database: SQLiteConnection) throws {
    try database.run(
      """
      INSERT INTO ledger (number, key, kind, sender, recipient, amount, currency, balance, recorded_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(row.number), .text(row.key), .text(row.kind), .text(row.sender), .text(row.recipient),
        .integer(row.amount), .text(row.currency), .integer(row.balance), .integer(row.recordedAt),
      ])
  }

  /// Changes each balance once, by the sum of what the entries move: so the balances do not repeat the ledger's own.
  private static func settle(_ entries: [Entry], in database: SQLiteConnection) throws {
    var changes: [AccountID: Int64] = [:]
    for entry in entries {
      switch entry.request {
      case .open(let account, let currency):
        try database.run(
          "INSERT INTO accounts (name, currency, balance) VALUES (?, ?, 0)",
          [.text(account.name), .text(currency.code)])
      case .deposit(let amount, let account):
        changes[account, default: 0] += amount.minorUnits
      case .transfer(let transfer):
        changes[transfer.sender, default: 0] -= transfer.amount.minorUnits
        changes[transfer.recipient, default: 0] += transfer.amount.minorUnits
      }
    }
    for (account, change) in changes {
      try database.run(
        "UPDATE accounts SET balance = balance + ? WHERE name = ?", [.integer(change), .text(account.name)])
    }
  }

  /// What SQLite finds in the file: also in an index that no balance is read from, but that keeps keys unique.
  private static func integrityProblems(_ database: SQLiteConnection) throws -> [String] {
    var problems: [String] = []
    try database.run("PRAGMA integrity_check(10)") { row in
      if row.text(0) != "ok" { problems.append(row.text(0)) }
    }
    return problems
  }

  /// The whole ledger, and what its replay says of the balances.
  private static func replayed(_ database: SQLiteConnection) throws -> (entries: [LedgerEntry], audit: LedgerAudit) {
    var entries: [LedgerEntry] = []
    var replay = LedgerReplay()
    do {
      try database.run(
        """
        SELECT number, key, kind, sender, recipient, amount, currency, balance, recorded_at FROM ledger ORDER BY number
        """
      ) { row in
        let entry = try LedgerRow(
          number: row.integer(0), key: row.text(1), kind: row.text(2), sender: row.text(3), recipient: row.text(4),
          amount: row.integer(5), currency: row.text(6), balance: row.integer(7), recordedAt: row.integer(8)
        ).entry()
        guard entry.number == Int64(entries.count) + 1 else {
          throw StoreError.corrupt(path: database.path, reason: "line \(entries.count + 1) of the ledger is missing")
        }
        try replay.replay(entry)
        entries.append(entry)
      }
      var stored: [AccountBalance] = []
      try database.run("SELECT name, currency, balance FROM accounts") { row in
        stored.append(
          AccountBalance(
            try AccountID(row.text(0)), Money(minorUnits: row.integer(2), try Currency(code: row.text(1)))))
      }
      return (entries, replay.audit(against: stored))
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError.corrupt(path: database.path, reason: "\(error)")
    }
  }
}
