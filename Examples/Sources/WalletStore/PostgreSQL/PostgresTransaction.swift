/// A transaction of PostgreSQL, with the wallet's statements.
import WalletKit

/// The statements of a transaction that is open.
struct PostgresTransaction {
  fileprivate let connection: PostgresConnection

  /// The balances of some accounts, in the order of their names, so that two transactions lock them in the same order.
  func balances(_ accounts: [AccountID], locking: Bool = true) throws -> [AccountID: Money] {
    var balances: [AccountID: Money] = [:]
    let list = accounts.map(\.name)
    let rows = try connection.rows(
      """
      SELECT name, currency, balance FROM wallet.accounts WHERE name IN ($1, $2) ORDER BY name\(locking ? " FOR UPDATE" : "")
      """, [list[0], list[list.count - 1]])
    for row in rows { balances[try AccountID(row[0])] = try Self.money(row[2], row[1]) }
    return balances
  }

  func accounts() throws -> [AccountBalance] {
    try connection.rows("SELECT name, currency, balance FROM wallet.accounts ORDER BY name", []).map { row in
      AccountBalance(try AccountID(row[0]), try Self.money(row[2], row[1]))
    }
  }

  func insert(_ account: AccountID, _ currency: Currency) throws {
    _ = try connection.rows(
      "INSERT INTO wallet.accounts (name, currency, balance) VALUES ($1, $2, 0)", [account.name, currency.code])
  }

  func set(_ balances: [(account: AccountID, balance: Money)]) throws {
    for (account, balance) in balances {
      _ = try connection.rows(
        "UPDATE wallet.accounts SET balance = $2 WHERE name = $1", [account.name, "\(balance.minorUnits)"])
    }
  }

  private static let columns = "number, key, kind, sender, recipient, amount, currency, balance, recorded_at"

  func ledger(after number: Int64, limit: Int) throws -> [LedgerEntry] {
    try connection.rows(
      "SELECT \(Self.columns) FROM wallet.ledger WHERE number > $1 ORDER BY number LIMIT $2", ["\(number)", "\(limit)"]
    ).map { try Self.entry($0) }
  }

  func entry(_ key: TransferKey) throws -> LedgerEntry? {
    try connection.rows("SELECT \(Self.columns) FROM wallet.ledger WHERE key = $1", [key.name]).first.map {
      try Self.entry($0)
    }
  }

  /// Writes the line; its number comes from the server, while the rows of the accounts are locked. So lines that touch
  /// the same account are numbered in the order in which they happened, with gaps where a transaction was refused.
  private func record(
    _ request: WalletRequest, _ key: TransferKey, _ balance: Money, at seconds: Int64
  ) throws -> LedgerEntry {
    let row = LedgerRow(LedgerEntry(number: 0, key: key, request: request, balance: balance, recordedAt: seconds))
    let rows = try connection.rows(
      """
      INSERT INTO wallet.ledger (key, kind, sender, recipient, amount, currency, balance, recorded_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING number
      """,
      [
        row.key, row.kind, row.sender, row.recipient, "\(row.amount)", row.currency, "\(row.balance)",
        "\(row.recordedAt)",
      ])
    guard let number = Int64(rows.first?.first ?? "") else {
      throw PostgresFailure.lost(reason: "the server gave the line no number")
    }
    return LedgerEntry(number: number, key: key, request: request, balance: balance, recordedAt: seconds)
  }

  private static func entry(_ row: [String]) throws -> LedgerEntry {
    guard row.count == 9, let number = Int64(row[0]), let amount = Int64(row[5]), let balance = Int64(row[7]),
      let recordedAt = Int64(row[8])
    else { throw LedgerDamage(line: 0, key: row.first ?? "", reason: "its columns are not numbers") }
    return try LedgerRow(
      number: number, key: row[1], kind: row[2], sender: row[3], recipient: row[4], amount: amount, currency: row[6],
      balance: balance, recordedAt: recordedAt
    ).entry()
  }

  private static func money(_ amount: String, _ currency: String) throws -> Money {
    let currency = try Currency(code: currency)
    guard let minorUnits = Int64(amount) else { throw MoneyError.notAnAmount(amount, currency) }
    return Money(minorUnits: minorUnits, currency)
  }
}

extension PostgresTransaction {
  /// Decides once.
  ///
  /// - Returns: the receipt, new or of the first time; nil if others came before and it is to be repeated.
  /// - Throws: `WalletError` with nothing changed; `StoreError` when the connection was lost.
  static func run(
    on connection: PostgresConnection, _ request: WalletRequest, _ key: TransferKey, at seconds: Int64,
    _ moment: (@Sendable (PostgresTransferStore.Moment, PostgresConnectionIdentity) -> Void)?,
    _ decision: (PostgresTransaction) throws -> Money
  ) throws -> LedgerEntry? {
    let transaction = PostgresTransaction(connection: connection)
    // Outside of the transaction: a serialisable one would from then on depend on every key that is near this one.
    // The table's unique key decides when two come at once.
    if let known = try replay(request, key, transaction) { return known }
    var isCommitting = false
    do {
      try connection.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
      let balance = try decision(transaction)
      let entry = try transaction.record(request, key, balance, at: seconds)
      let identity = PostgresConnectionIdentity(backend: connection.backend, descriptor: connection.descriptor)
      moment?(.beforeCommit, identity)
      isCommitting = true
      try connection.commit { moment?(.commitSent, identity) }
      return entry
    } catch let failure as PostgresFailure where failure.isRefusal {
      try rollBack(connection)
      if failure.othersCameBefore { return nil }
      throw failure
    } catch PostgresFailure.lost(let reason) {
      throw isCommitting ? StoreError.outcomeUnknown(key, reason: reason) : .connectionLost(reason: reason)
    } catch {
      // Refused by the rules. Perhaps because another call with this key has just done it.
      try rollBack(connection)
      if let known = try replay(request, key, transaction) { return known }
      throw error
    }
  }

  /// Reads in one transaction, so that everything is of one moment.
  static func read<Value>(
    on connection: PostgresConnection, _ work: (PostgresTransaction) throws -> Value
  ) throws -> Value {
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    do {
      let value = try work(PostgresTransaction(connection: connection))
      try connection.execute("COMMIT")
      return value
    } catch let failure as PostgresFailure {
      throw failure
    } catch {
      try connection.execute("ROLLBACK")
      throw error
    }
  }

  private static func replay(
    _ request: WalletRequest, _ key: TransferKey, _ transaction: PostgresTransaction
  ) throws -> LedgerEntry? {
    guard let known = try transaction.entry(key) else { return nil }
    guard known.request == request else { throw WalletError.keyReused(key) }
    return known
  }

  private static func rollBack(_ connection: PostgresConnection) throws {
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
  }
}
