/// One connection to a SQLite file.
import CSQLite
import Foundation

/// A connection, its prepared statements, and SQLite's errors in the store's words. Used by one thread at a time.
final class SQLiteConnection {
  let path: String
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// - Parameters:
  ///   - path: of a file, to the letter: nothing that SQLite calls otherwise, like `:memory:`, which it keeps nowhere.
  ///   - creating: makes the file when there is none.
  init(path: String, creating: Bool) throws(StoreError) {
    self.path = path
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (creating ? SQLITE_OPEN_CREATE : 0)
    try Self.check(path, creating: creating)
    // No special name, and no URI, begins like this.
    let status = sqlite3_open_v2(path.hasPrefix("/") ? path : "./\(path)", &opened, flags, nil)
    guard status == SQLITE_OK, let opened else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw .cannotOpen(path: path, reason: reason)
    }
    // SQLite opens what it may not write for reading, and would fail with the first lock.
    guard sqlite3_db_readonly(opened, "main") == 0 else {
      sqlite3_close_v2(opened)
      throw .readOnly(path: path)
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 1_000)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Refuses what is no file, or none that may be made.
  private static func check(_ path: String, creating: Bool) throws(StoreError) {
    // A C string would end at a zero, and name another file.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .noName }
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .cannotOpen(path: path, reason: "it is not a file") }
    } else if errno == ENOENT, !creating {
      throw .noWallet(path: path)
    }
  }

  /// A value of a row or a parameter.
  enum Value {
    case integer(Int64)
    case text(String)
    case null
  }

  /// Runs one or several statements without parameters.
  func execute(_ sql: String) throws(StoreError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// Runs a statement, prepared once, with these parameters, and calls `row` for each row of its result.
  func run(_ sql: String, _ parameters: [Value] = [], row: (Row) throws -> Void = { _ in }) throws {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, parameter) in parameters.enumerated() {
      let position = Int32(index + 1)
      let status: Int32 =
        switch parameter {
        case .integer(let value): sqlite3_bind_int64(statement, position, value)
        case .text(let text): sqlite3_bind_text(statement, position, text, -1, mainstay_sqlite_transient())
        case .null: sqlite3_bind_null(statement, position)
        }
      guard status == SQLITE_OK else { throw error() }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: try row(Row(statement: statement))
      case SQLITE_DONE: return
      default: throw error()
      }
    }
  }

  /// The first column of the first row.
  func integer(_ sql: String) throws -> Int64 {
    var result: Int64 = 0
    try run(sql) { result = $0.integer(0) }
    return result
  }

  /// Runs `work` in a transaction that has the write lock from the start: all of it or nothing.
  func transaction(_ work: () throws -> Void) throws {
    try execute("BEGIN IMMEDIATE")
    do {
      try work()
      try execute("COMMIT")
    } catch {
      // SQLite ends the transaction itself for some errors; a second end is no new problem.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// The current row of a running statement; not to be kept.
  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String {
      guard let bytes = sqlite3_column_text(statement, column) else { return "" }
      return String(cString: bytes)
    }
  }

  private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else { throw error() }
    statements[sql] = statement
    return statement
  }

  /// What SQLite said last, in the store's words.
  private func error() -> StoreError {
    let code = sqlite3_extended_errcode(handle)
    let reason = String(cString: sqlite3_errmsg(handle))
    return switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path)
    case SQLITE_FULL: .full(path: path)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly(path: path)
    case SQLITE_CANTOPEN: .cannotOpen(path: path, reason: reason)
    case SQLITE_NOTADB: SQLiteSchema.notADatabase(path: path)
    case SQLITE_CORRUPT: .corrupt(path: path, reason: reason)
    default: .failed(path, reason: "\(reason), SQLite's code \(code)")
    }
  }
}
