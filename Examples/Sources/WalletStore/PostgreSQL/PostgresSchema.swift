/// The tables of a wallet in PostgreSQL.

/// What makes a database a wallet, and of which version.
enum PostgresSchema {
  static let version = 1

  /// What every connection is told: a read of a balance names its rows, because a scan of the table would make each
  /// transaction depend on every other. What decides asks for a serialisable transaction; the reads around it need none.
  ///
  /// - Parameter lockTimeout: how long a statement waits for a transaction that holds what it needs. Those of a wallet end
  ///   in milliseconds; one that a person began and forgot must not stop every wallet without a word.
  static func session(lockTimeout: Duration) -> String {
    """
    SET search_path = wallet;
    SET enable_seqscan = off;
    SET default_transaction_isolation = 'read committed';
    SET synchronous_commit = on;
    SET lock_timeout = '\(max(1, Int(lockTimeout / .milliseconds(1))))ms';
    """
  }

  /// What errors call the wallet.
  static let place = "the wallet in PostgreSQL"

  /// The columns of the tables, in their order, as the catalogue of the server names them.
  static let tables: [String: [String]] = [
    "version": ["number integer"],
    "accounts": ["name text", "currency text", "balance bigint"],
    "ledger": [
      "number bigint", "key text", "kind text", "sender text", "recipient text", "amount bigint", "currency text",
      "balance bigint", "recorded_at bigint",
    ],
  ]

  /// Checks that the tables are a wallet of this version, and makes them where there are none at all.
  ///
  /// A table that is missing beside others is not made anew: an empty ledger would forget every key, and do again what
  /// has been done. What is there is only read, which a server that may not be written allows.
  ///
  /// - Parameter creating: otherwise the wallet must be there.
  /// - Throws: `StoreError`; `PostgresFailure`.
  static func prepare(_ connection: PostgresConnection, creating: Bool) throws {
    if try isThere(connection) { return }
    guard creating else { throw StoreError.noWallet(path: "the database") }
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
    do {
      // Several processes may come at once: the server lets one in, and those after it find the tables.
      try connection.execute("SELECT pg_advisory_xact_lock(1297572204)")
      if try !isThere(connection) { try connection.execute(create) }
      try connection.execute("COMMIT")
    } catch {
      // The reason counts; where the connection was lost, the server rolls back by itself.
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  /// Whether there is a wallet; false where the schema has no tables.
  private static func isThere(_ connection: PostgresConnection) throws -> Bool {
    let found = try columns(connection)
    if found.isEmpty { return false }
    guard found["version"] == tables["version"] else {
      // Somebody's tables may share a name with the wallet's, not all the columns too.
      guard let own = ["accounts", "ledger"].first(where: { found[$0] == tables[$0] }) else {
        throw StoreError.foreignSchema(reason: "it has \(found.keys.sorted().joined(separator: ", "))")
      }
      throw damaged("its table \(own) is there, its table version is not, or has changed")
    }
    let versions = try connection.rows("SELECT number FROM wallet.version", []).map { Int($0[0]) ?? 0 }
    guard versions.count == 1, let number = versions.first else {
      throw damaged("its table version has \(versions.count) rows instead of one")
    }
    guard number <= version else { throw StoreError.newerSchema("the database", found: number, known: version) }
    guard number == version else { throw damaged("its version is \(number), which there never was") }
    for (table, columns) in tables.sorted(by: { $0.key < $1.key }) where found[table] != columns {
      throw damaged(
        found[table].map { "its table \(table) has the columns \($0.joined(separator: ", "))" }
          ?? "its table \(table) is missing")
    }
    try PostgresGuard.check(connection)
    return true
  }

  private static func damaged(_ reason: String) -> StoreError { .corrupt(path: place, reason: reason) }

  /// The tables, views and the like of the schema with their columns, all of one moment.
  private static func columns(_ connection: PostgresConnection) throws -> [String: [String]] {
    let rows = try connection.rows(
      """
      SELECT c.relname, a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE n.nspname = 'wallet' AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY c.relname, a.attnum
      """, [])
    return rows.reduce(into: [:]) { $0[$1[0], default: []].append($1[1]) }
  }

  private static let create = """
    CREATE SCHEMA IF NOT EXISTS wallet;
    CREATE TABLE wallet.version (number integer NOT NULL);
    INSERT INTO wallet.version VALUES (\(version));
    CREATE TABLE wallet.accounts (
      name text COLLATE "C" PRIMARY KEY,
      currency text NOT NULL,
      balance bigint NOT NULL CHECK (balance >= 0)
    ) WITH (fillfactor = 50);
    CREATE TABLE wallet.ledger (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      key text COLLATE "C" NOT NULL UNIQUE,
      kind text NOT NULL CHECK (kind IN ('open', 'deposit', 'transfer')),
      sender text NOT NULL,
      recipient text NOT NULL,
      amount bigint NOT NULL,
      currency text NOT NULL,
      balance bigint NOT NULL CHECK (balance >= 0),
      recorded_at bigint NOT NULL
    );
    """
}
