/// What a PostgreSQL server, or the way to it, answers instead of a result.

/// A statement that failed, or a connection.
enum PostgresFailure: Error {
  /// The server refused a statement; the transaction is over. The state is one of SQL's, such as 40001.
  case refused(state: String, message: String)
  /// The connection is gone.
  case lost(reason: String)

  var isRefusal: Bool {
    if case .refused = self { true } else { false }
  }

  /// Serialisation failure, deadlock, or a key or account that somebody else wrote first: worth a repetition.
  var othersCameBefore: Bool {
    if case .refused(let state, _) = self { ["40001", "40P01", "23505"].contains(state) } else { false }
  }

  var reason: String {
    switch self {
    case .refused(let state, let message): "\(message), state \(state)"
    case .lost(let reason): reason
    }
  }

  /// In the store's words, for a transaction that changed nothing.
  var asStoreError: StoreError {
    switch self {
    case .lost(let reason): .connectionLost(reason: reason)
    case .refused("53100", _): .full(path: "the database")
    case .refused("55P03", let message): .heldByAnother(reason: message)
    // A session or server that only reads; a role without the right; a standby, which has no serialisable transactions.
    case .refused("25006", let message), .refused("42501", let message), .refused("0A000", let message):
      .notAllowed(reason: message)
    // A table, schema or column is not there that was when the wallet was opened.
    case .refused("42P01", let message), .refused("3F000", let message), .refused("42703", let message):
      .corrupt(path: PostgresSchema.place, reason: message)
    case .refused: .failed("PostgreSQL", reason: reason)
    }
  }
}
