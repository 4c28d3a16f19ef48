/// One connection to a PostgreSQL server.
import CPostgreSQL
import Foundation

/// A connection and its prepared statements. Used by one thread at a time.
///
/// Every request has a deadline on this side: a server that is frozen, or behind a network that is, says nothing, and no
/// setting of the server can end that wait.
final class PostgresConnection {
  private let handle: OpaquePointer
  private let silence: Duration
  /// When what runs now must have its answer, even before the server has been silent for so long; nil when it need not.
  var deadline: ContinuousClock.Instant?
  private var statements: [String: String] = [:]

  /// Connects.
  ///
  /// - Parameters:
  ///   - conninfo: libpq's connection string. What it leaves open of time-outs follows from `silence`.
  ///   - silence: how long the server may say nothing before the connection counts as lost.
  ///   - deadline: when the connection must be there, even before the server has been silent for so long; libpq waits for
  ///     it in whole seconds, and at least for two.
  init(_ conninfo: String, silence: Duration, deadline: ContinuousClock.Instant?) throws(PostgresFailure) {
    let patience = deadline.map { min(silence, max(.zero, ContinuousClock.now.duration(to: $0))) } ?? silence
    guard let handle = Self.connect(conninfo, silence: silence, patience: patience) else {
      throw .lost(reason: "out of memory")
    }
    self.handle = handle
    self.silence = silence
    self.deadline = deadline
    // After this, Swift runs deinit also when it throws.
    guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0 else {
      throw .lost(reason: Self.message(handle))
    }
    // The server's notices are no errors, and standard error is not the wallet's to write to.
    _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  // The connection does not block, so neither does this, whatever the server does.
  deinit { PQfinish(handle) }

  /// The server's process for this connection.
  var backend: Int32 { PQbackendPID(handle) }
  var descriptor: Int32 { PQsocket(handle) }

  /// Runs statements without parameters.
  func execute(_ sql: String) throws(PostgresFailure) {
    _ = try answer(to: PQsendQuery(handle, sql))
  }

  /// Runs a statement, prepared once, with these parameters.
  func rows(_ sql: String, _ parameters: [String]) throws(PostgresFailure) -> [[String]] {
    let name = try prepared(sql)
    // libpq copies the texts during the call.
    let copies = parameters.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let values = copies.map { UnsafePointer($0) }
    return try answer(to: PQsendQueryPrepared(handle, name, Int32(values.count), values, nil, nil, 0))
  }

  /// Commits.
  ///
  /// - Parameter sent: called when the server has been asked, and nobody knows what it will answer.
  func commit(sent: () -> Void) throws(PostgresFailure) {
    _ = try answer(to: PQsendQuery(handle, "COMMIT"), sent: sent)
    guard PQstatus(handle) == CONNECTION_OK else { throw .lost(reason: Self.message(handle)) }
  }

  /// Whether a transaction is open or has failed.
  var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

  private func prepared(_ sql: String) throws(PostgresFailure) -> String {
    if let name = statements[sql] { return name }
    let name = "s\(statements.count)"
    _ = try answer(to: PQsendPrepare(handle, name, sql, 0, nil))
    statements[sql] = name
    return name
  }

  /// Sends what libpq has queued and takes every result, so that the connection is ready for the next request.
  ///
  /// - Returns: the rows of the last result.
  private func answer(to queued: Int32, sent: () -> Void = {}) throws(PostgresFailure) -> [[String]] {
    guard queued == 1 else { throw .lost(reason: Self.message(handle)) }
    while case let left = PQflush(handle), left != 0 {
      guard left > 0 else { throw .lost(reason: Self.message(handle)) }
      try takeInput(if: try wait(for: POLLIN | POLLOUT))
    }
    sent()
    var rows: [[String]] = []
    var failure: PostgresFailure?
    while true {
      while PQisBusy(handle) == 1 { try takeInput(if: try wait(for: POLLIN)) }
      guard let result = PQgetResult(handle) else { break }
      do { rows = try checked(result) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return rows
  }

  private func takeInput(if events: Int32) throws(PostgresFailure) {
    // Anything but room to send: also an end or an error, which libpq then reports.
    guard events & ~POLLOUT != 0 else { return }
    guard PQconsumeInput(handle) == 1 else { throw .lost(reason: Self.message(handle)) }
  }

  /// Waits until the socket is ready.
  ///
  /// - Returns: what it is ready for.
  private func wait(for events: Int32) throws(PostgresFailure) -> Int32 {
    let (silent, late) = (ContinuousClock.now + silence, deadline)
    let end = late.map { min($0, silent) } ?? silent
    while true {
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      let left = max(.zero, ContinuousClock.now.duration(to: end))
      // Rounded up: a wait of no milliseconds would spin until the deadline.
      let ready = poll(&descriptor, 1, Int32(min((left / .milliseconds(1)).rounded(.up), 1e9)))
      if ready > 0 { return Int32(descriptor.revents) }
      if ready < 0, errno != EINTR { throw .lost(reason: String(cString: strerror(errno))) }
      guard ContinuousClock.now < end else {
        throw .lost(
          reason: end == silent
            ? "the server does not answer, for \(silence) now"
            : "the server does not answer, and the time of the call is over")
      }
    }
  }

  /// Takes the rows out of a result and frees it.
  private func checked(_ result: OpaquePointer) throws(PostgresFailure) -> [[String]] {
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

  /// Connects with time-outs where the caller, or libpq's environment, names none.
  private static func connect(_ conninfo: String, silence: Duration, patience: Duration) -> OpaquePointer? {
    let milliseconds = (silence / .milliseconds(1)).rounded(.up)
    var defaults = [
      // Of a network that went away while nothing is asked; libpq sets these for TCP only.
      "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
      "tcp_user_timeout": "\(Int(min(milliseconds, 1e9)))",
    ]
    // libpq counts in seconds and takes less than two for two.
    if getenv("PGCONNECT_TIMEOUT") == nil {
      defaults["connect_timeout"] = "\(max(2, Int(min(patience / .seconds(1), 1e6).rounded(.up))))"
    }
    // What stands in the connection string replaces what came before it.
    let parameters = defaults.map { ($0.key, $0.value) } + [("dbname", conninfo)]
    let keywords = parameters.map { strdup($0.0) }
    let values = parameters.map { strdup($0.1) }
    defer { for text in keywords + values { free(text) } }
    return PQconnectdbParams(
      keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
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
