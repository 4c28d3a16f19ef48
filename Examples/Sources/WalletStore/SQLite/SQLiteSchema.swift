/// The tables of a wallet's file, and how a file is recognised.
import Foundation

/// What makes a SQLite file a wallet, and of which version.
enum SQLiteSchema {
  /// "MWal", in the file's header.
  private static let application: Int64 = 0x4d57_616c
  static let version = 1

  private static let columns = [
    "accounts": ["name", "currency", "balance"],
    "ledger": ["number", "key", "kind", "sender", "recipient", "amount", "currency", "balance", "recorded_at"],
  ]

  /// Prepares a connection: alone on the file, and durable when a commit returns.
  ///
  /// - Parameter creating: makes the tables in an empty file.
  static func prepare(_ database: SQLiteConnection, creating: Bool) throws {
    // The journal decides in memory, so no other process may write; the lock is held as long as the connection lives.
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    let found = try database.integer("PRAGMA user_version")
    let application = try database.integer("PRAGMA application_id")
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    // Also what is left where the tables could not be written when the wallet was made.
    let isNew = isEmpty && application == 0 && found == 0
    if isNew {
      guard creating else { throw StoreError.emptyFile(path: database.path) }
    } else {
      guard application == self.application else { throw StoreError.notAWallet(path: database.path) }
      guard found <= version else {
        throw StoreError.newerSchema(database.path, found: Int(found), known: version)
      }
      try check(database, version: found)
    }
    try database.execute("PRAGMA journal_mode = WAL")
    // FULL synchronises the write-ahead log with every commit; NORMAL would lose commits when the power fails.
    try database.execute("PRAGMA synchronous = FULL")
    // Takes the lock now and not with the first commit.
    try database.transaction { if isNew { try create(database) } }
  }

  /// - Throws: `StoreError.corrupt` for a version that never was, and where a table or a column of it is missing;
  ///   `StoreError.unguarded` where a constraint is.
  private static func check(_ database: SQLiteConnection, version: Int64) throws {
    guard version > 0 else {
      throw StoreError.corrupt(path: database.path, reason: "there is no version \(version) of a wallet")
    }
    for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
      var found: [String] = []
      try database.run("PRAGMA table_info(\(table))") { found.append($0.text(1)) }
      guard !found.isEmpty else {
        throw StoreError.corrupt(path: database.path, reason: "its table \(table) is missing")
      }
      guard found == columns else {
        throw StoreError.corrupt(
          path: database.path, reason: "its table \(table) has the columns \(found.joined(separator: ", "))")
      }
    }
    try SQLiteGuards.check(database)
  }

  /// What a file is that SQLite does not take for a database: a damaged wallet still has its mark.
  static func notADatabase(path: String) -> StoreError {
    let file = FileHandle(forReadingAtPath: path)
    let header = (try? file?.read(upToCount: 100)) ?? Data()
    let mark = withUnsafeBytes(of: UInt32(application).bigEndian) { Data($0) }
    return header.count == 100 && header[68..<72] == mark
      ? .corrupt(path: path, reason: "its header was overwritten") : .notAWallet(path: path)
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
