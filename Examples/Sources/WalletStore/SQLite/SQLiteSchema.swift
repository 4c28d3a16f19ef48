/// The tables of a wallet's file, and how a file is recognised.

/// What makes a SQLite file a wallet, and of which version.
enum SQLiteSchema {
  /// "MWal", in the file's header.
  private static let application: Int64 = 0x4d57_616c
  static let version = 1

  /// Prepares a connection: alone on the file, and durable when a commit returns.
  static func prepare(_ database: SQLiteConnection) throws {
    // The journal decides in memory, so no other process may write; the lock is held as long as the connection lives.
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    let found = try database.integer("PRAGMA user_version")
    let application = try database.integer("PRAGMA application_id")
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard application == self.application || (isEmpty && application == 0 && found == 0) else {
      throw StoreError.notAWallet(path: database.path)
    }
    guard found <= version else {
      throw StoreError.newerSchema(database.path, found: Int(found), known: version)
    }
    try database.execute("PRAGMA journal_mode = WAL")
    // FULL synchronises the write-ahead log with every commit; NORMAL would lose commits when the power fails.
    try database.execute("PRAGMA synchronous = FULL")
    // Takes the lock now and not with the first commit.
    try database.transaction { if found == 0 { try create(database) } }
  }

  private static func create(_ database: SQLiteConnection) throws {
    try database.execute(
      """
      CREATE TABLE accounts (
        name TEXT PRIMARY KEY,
        currency TEXT NOT NULL,
        balance INTEGER NOT NULL CHECK (balance >= 0)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE ledger (
        number INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL CHECK (kind IN ('open', 'deposit', 'transfer')),
        sender TEXT NOT NULL,
        recipient TEXT NOT NULL,
        amount INTEGER NOT NULL,
        currency TEXT NOT NULL,
        balance INTEGER NOT NULL CHECK (balance >= 0),
        recorded_at INTEGER NOT NULL
      ) STRICT;
      PRAGMA application_id = \(application);
      PRAGMA user_version = \(version);
      """)
  }
}
