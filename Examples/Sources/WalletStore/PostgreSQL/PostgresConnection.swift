/// One connection to a PostgreSQL server.
import CPostgreSQL
import Foundation

/// A connection and its prepared statements. Used by one thread at a time.
final class PostgresConnection {
  private let handle: OpaquePointer
  private var statements: [String: String] = [:]

  /// Connects.
  ///
  /// - Parameter conninfo: libpq's connection string.
  init(_ conninfo: String) throws(PostgresFailure) {
    guard let handle = PQconnectdb(conninfo) else { throw .lost(reason: "out of memory") }
    self.handle = handle
    // After this, Swift runs deinit also when it throws.
    guard PQstatus(handle) == CONNECTION_OK else { throw .lost(reason: Self.message(handle)) }
    // The server's notices are no errors, and standard error is not the wallet's to write to.
    _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  /// The server's process for this connection.
  var backend: Int32 { PQbackendPID(handle) }
  var descriptor: Int32 { PQsocket(handle) }

  /// Runs statements without parameters.
  func execute(_ sql: String) throws(PostgresFailure) {
    _ = try checked(PQexec(handle, sql))
  }

  /// Runs a statement, prepared once, with these parameters.
  func rows(_ sql: String, _ parameters: [String]) throws(PostgresFailure) -> [[String]] {
    let name = try prepared(sql)
    // libpq reads the texts during the call.
    let copies = parameters.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let values = copies.map { UnsafePointer($0) }
    return try checked(PQexecPrepared(handle, name, Int32(values.count), values, nil, nil, 0))
  }

  /// Commits.
  ///
  /// - Parameter sent: called when the server has been asked, and nobody knows what it will answer.
  func commit(sent: () -> Void) throws(PostgresFailure) {
    guard PQsendQuery(handle, "COMMIT") == 1 else { throw .lost(reason: Self.message(handle)) }
    sent()
    var failure: PostgresFailure?
    while let result = PQgetResult(handle) {
      do { _ = try checked(result) } catch { failure = error }
    }
    if let failure { throw failure }
    guard PQstatus(handle) == CONNECTION_OK else { throw .lost(reason: Self.message(handle)) }
  }

  /// Whether a transaction is open or has failed.
  var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

  private func prepared(_ sql: String) throws(PostgresFailure) -> String {
    if let name = statements[sql] { return name }
    let name = "s\(statements.count)"
    _ = try checked(PQprepare(handle, name, sql, 0, nil))
    statements[sql] = name
    return name
  }

  private func checked(_ result: OpaquePointer?) throws(PostgresFailure) -> [[String]] {
    guard let result else { throw .lost(reason: Self.message(handle)) }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK: return []
    case PGRES_TUPLES_OK:
      let columns = PQnfields(result)
      return (0..<PQntuples(result)).map { row in
        (0..<columns).map { column in String(cString: PQgetvalue(result, row, column)) }
      }
    default:
      let state = PQresultErrorField(result, 67 /* PG_DIAG_SQLSTATE, a character */).map { String(cString: $0) }
      let message = String(cString: PQresultErrorMessage(result)).trimmed
      // 57P01 to 57P03: the server ends the connection or does not take one.
      guard PQstatus(handle) == CONNECTION_OK, let state, !state.hasPrefix("57P0"), !state.hasPrefix("08") else {
        throw .lost(reason: message.isEmpty ? Self.message(handle) : message)
      }
      throw .refused(state: state, message: message)
    }
  }

  private static func message(_ handle: OpaquePointer) -> String {
    String(cString: PQerrorMessage(handle)).trimmed
  }
}

extension String {
  /// One line: servers end their messages with a newline, and some have several.
  fileprivate var trimmed: String {
    split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: "; ")
  }
}
