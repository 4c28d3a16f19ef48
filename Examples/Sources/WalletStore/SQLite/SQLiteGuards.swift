/// The constraints that keep a wallet's file right, and whether they are still there.

/// What the tables must refuse by themselves, whoever writes them.
enum SQLiteGuards {
  private struct Table {
    let name: String
    /// Each with its type.
    let columns: KeyValuePairs<String, String>
    /// Those that no two rows share; the first is the primary key.
    let keys: [String]
    let conditions: [String]
  }

  private static let tables = [
    Table(
      name: "accounts", columns: ["name": "TEXT", "currency": "TEXT", "balance": "INTEGER"], keys: ["name"],
      conditions: ["balance >= 0"]),
    Table(
      name: "ledger",
      columns: [
        "number": "INTEGER", "key": "TEXT", "kind": "TEXT", "sender": "TEXT", "recipient": "TEXT", "amount": "INTEGER",
        "currency": "TEXT", "balance": "INTEGER", "recorded_at": "INTEGER",
      ], keys: ["number", "key"], conditions: ["kind IN ('open', 'deposit', 'transfer')", "balance >= 0"]),
  ]

  /// - Throws: `StoreError.unguarded`, which names every one that is missing.
  static func check(_ database: SQLiteConnection) throws {
    let lost = try tables.flatMap { try missing(of: $0, in: database) }
    guard lost.isEmpty else {
      // The rest is part of a table's definition, and cannot be added to one.
      let isKeyAlone = lost == [keyName("key", of: "ledger")]
      throw StoreError.unguarded(
        database.path, lost: lost, mend: isKeyAlone ? ["CREATE UNIQUE INDEX ledger_key ON ledger (key)"] : [])
    }
  }

  private static func missing(of table: Table, in database: SQLiteConnection) throws -> [String] {
    var lost: [String] = []
    var (unique, filled, types) = (Set<String>(), Set<String>(), [String: String]())
    try database.run("PRAGMA table_info(\(table.name))") { column in
      types[column.text(1)] = column.text(2)
      if column.integer(3) != 0 { filled.insert(column.text(1)) }
      // The key of a table is never null where it is the row's number, or in a table WITHOUT ROWID.
      if column.integer(5) != 0 { unique.insert(column.text(1)) }
    }
    // A primary key of two columns keeps neither of them unique.
    if unique.count > 1 { unique = [] }
    unique.formUnion(try uniqueIndices(of: table.name, in: database))
    let primary = table.keys[0]
    lost += table.keys.filter { !unique.contains($0) }.map { column in
      column == primary ? "PRIMARY KEY (\(column)) of \(table.name)" : keyName(column, of: table.name)
    }
    let definition = try definition(of: table.name, in: database)
    lost += table.conditions.filter { !definition.contains(bare("CHECK (\($0))")) }
      .map { "CHECK (\($0)) of \(table.name)" }
    for (column, type) in table.columns {
      if types[column] != type { lost.append("the type \(type) of \(table.name).\(column)") }
      if column != primary, !filled.contains(column) { lost.append("NOT NULL of \(table.name).\(column)") }
    }
    try database.run("PRAGMA table_list(\(table.name))") { row in
      if row.integer(5) == 0 { lost.append("STRICT of \(table.name)") }
    }
    return lost
  }

  private static func keyName(_ column: String, of table: String) -> String {
    "UNIQUE (\(column)) of \(table)"
  }

  /// The columns that an index by itself keeps unique, for every row.
  private static func uniqueIndices(of table: String, in database: SQLiteConnection) throws -> Set<String> {
    var indices: [String] = []
    try database.run("PRAGMA index_list(\(table))") { row in
      if row.integer(2) != 0, row.integer(4) == 0 { indices.append(row.text(1)) }
    }
    var unique: Set<String> = []
    for index in indices {
      var columns: [String] = []
      try database.run("SELECT name FROM pragma_index_info(?)", [.text(index)]) { columns.append($0.text(0)) }
      if columns.count == 1 { unique.insert(columns[0]) }
    }
    return unique
  }

  /// The statement that made the table, which is all that SQLite tells of conditions.
  private static func definition(of table: String, in database: SQLiteConnection) throws -> String {
    var text = ""
    try database.run("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(table)]) { row in
      text = bare(row.text(0))
    }
    return text
  }

  /// Without what may be written in one way or another.
  private static func bare(_ sql: String) -> String {
    sql.filter { !$0.isWhitespace && !"\"`[]".contains($0) }.lowercased()
  }
}
