/// The constraints that keep a wallet in PostgreSQL right, and whether they are still there.

/// What the tables must refuse by themselves: between processes nothing else does.
struct PostgresGuard {
  /// As ``found(_:)`` names it.
  let mark: String
  /// As a person knows it.
  let name: String
  /// The statement that puts it back.
  let mend: String

  /// - Throws: `StoreError.unguarded`, which names every one that is missing; `PostgresFailure`.
  static func check(_ connection: PostgresConnection) throws {
    let found = try found(connection)
    let lost = all.filter { !found.contains($0.mark) }
    guard lost.isEmpty else {
      throw StoreError.unguarded(PostgresSchema.place, lost: lost.map(\.name), mend: lost.map(\.mend))
    }
  }

  private static let all =
    [
      key("accounts", "name", "PRIMARY KEY"), key("ledger", "number", "PRIMARY KEY"), key("ledger", "key", "UNIQUE"),
      condition("accounts", "balance >= 0", canonical: "((balance >= 0))"),
      condition("ledger", "balance >= 0", canonical: "((balance >= 0))"),
      condition(
        "ledger", "kind IN ('open', 'deposit', 'transfer')",
        canonical: "((kind = ANY (ARRAY['open'::text, 'deposit'::text, 'transfer'::text])))"),
      PostgresGuard(
        mark: "identity ledger.number", name: "GENERATED ALWAYS AS IDENTITY of ledger.number",
        mend: "ALTER TABLE wallet.ledger ALTER number ADD GENERATED ALWAYS AS IDENTITY; SELECT "
          + "setval(pg_get_serial_sequence('wallet.ledger', 'number'), max(number)) FROM wallet.ledger"),
    ]
    + PostgresSchema.tables.sorted { $0.key < $1.key }.flatMap { table, columns in
      columns.map { column in filled(table, String(column.prefix { $0 != " " })) }
    }

  private static func key(_ table: String, _ column: String, _ kind: String) -> PostgresGuard {
    PostgresGuard(
      mark: "unique \(table).\(column)", name: "\(kind) (\(column)) of \(table)",
      mend: "ALTER TABLE wallet.\(table) ADD \(kind) (\(column))")
  }

  private static func condition(_ table: String, _ condition: String, canonical: String) -> PostgresGuard {
    PostgresGuard(
      mark: "check \(table) CHECK \(canonical)", name: "CHECK (\(condition)) of \(table)",
      mend: "ALTER TABLE wallet.\(table) ADD CHECK (\(condition))")
  }

  private static func filled(_ table: String, _ column: String) -> PostgresGuard {
    PostgresGuard(
      mark: "filled \(table).\(column)", name: "NOT NULL of \(table).\(column)",
      mend: "ALTER TABLE wallet.\(table) ALTER \(column) SET NOT NULL")
  }

  /// What the server's catalogue has. A key is also what an index of its own keeps unique, of the one column, for every
  /// row, and at once; a condition also one that was not yet tried on older rows.
  private static func found(_ connection: PostgresConnection) throws -> Set<String> {
    let rows = try connection.rows(
      """
      SELECT 'unique ' || c.relname || '.' || a.attname
      FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE c.relnamespace = 'wallet'::regnamespace AND i.indisunique AND i.indisvalid AND i.indimmediate
      AND i.indnkeyatts = 1 AND i.indpred IS NULL
      UNION ALL
      SELECT 'check ' || c.relname || ' ' || regexp_replace(pg_catalog.pg_get_constraintdef(k.oid), ' NOT VALID$', '')
      FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
      WHERE c.relnamespace = 'wallet'::regnamespace AND k.contype = 'c'
      UNION ALL
      SELECT kind || c.relname || '.' || a.attname
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
      CROSS JOIN (VALUES ('filled '), ('identity ')) AS kinds (kind)
      WHERE c.relnamespace = 'wallet'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
      AND CASE kind WHEN 'filled ' THEN a.attnotnull ELSE a.attidentity = 'a' END
      """, [])
    return Set(rows.map { $0[0] })
  }
}
