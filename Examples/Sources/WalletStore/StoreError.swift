/// Why a database refuses.
import WalletKit

/// What a wallet's database throws. It names the database and the next step.
public enum StoreError: Error, Sendable, Equatable {
  /// Another process owns the file.
  case locked(path: String)
  /// The disk, or the file's own limit, is full.
  case full(path: String)
  case readOnly(path: String)
  case cannotOpen(path: String, reason: String)
  /// A file without a name: SQLite would keep it nowhere.
  case noName
  /// There is no such file, and it was not to be made.
  case noWallet(path: String)
  /// The file has nothing in it, and was not to be filled.
  case emptyFile(path: String)
  /// The file is a database of something else.
  case notAWallet(path: String)
  /// A later version of the wallet wrote it.
  case newerSchema(String, found: Int, known: Int)
  case corrupt(path: String, reason: String)
  /// The tables have lost constraints, so that what these kept out may come in, or is there already.
  ///
  /// - Parameter mend: the statements that put them back; empty where that takes a new table.
  case unguarded(String, lost: [String], mend: [String])
  /// The disk failed, or another error of SQLite that the wallet cannot mend.
  case failed(String, reason: String)
  /// Another transaction holds the accounts, or the tables, and does not end: nothing has changed.
  case heldByAnother(reason: String)
  /// The server, or the role that connects, does not allow it: nothing has changed.
  case notAllowed(reason: String)
  /// The database has a schema `wallet` of something else.
  case foreignSchema(reason: String)
  /// The server cannot be reached.
  case noConnection(reason: String)
  /// The connection broke before the commit was sent: nothing has changed.
  case connectionLost(reason: String)
  /// Other requests waited for the server until the time of this one was over: nothing has changed.
  case outOfTime
  /// The connection broke after the commit was sent: nobody knows whether it happened.
  case outcomeUnknown(TransferKey, reason: String)
}

extension StoreError: CustomStringConvertible {
  /// What happened and what to do next.
  public var description: String {
    switch self {
    case .locked(let path):
      "\(path) is in use by another process; wait until that has ended, or keep the wallet in PostgreSQL, which serves several"
    case .full(let path):
      "there is no room for \(path); make room on its disk, reload the wallet, and repeat the request with its key"
    case .readOnly(let path):
      "\(path) cannot be written; give this process write permission to the file and its folder"
    case .cannotOpen(let path, let reason):
      "\(path) cannot be opened (\(reason)); check that its folder exists and may be read and written"
    case .noName:
      "the wallet's file has no name; name the file"
    case .noWallet(let path):
      "there is no wallet at \(path); check the name, or open an account there, which makes it"
    case .emptyFile(let path):
      "\(path) is empty and no wallet; restore it from a copy if it was one, or open an account there, which makes one"
    case .notAWallet(let path):
      "\(path) is not a wallet; if it was one, it is damaged: restore it from a copy; otherwise name another file"
    case .newerSchema(let database, let found, let known):
      "\(database) has version \(found), and this program knows \(known); use a newer program"
    case .corrupt(let path, let reason):
      "\(path) is damaged (\(reason)); restore it from a copy"
    case .unguarded(let database, let lost, let mend):
      "\(database) has lost \(lost.joined(separator: ", ")), so that it may do a request twice or keep what cannot be; "
        + "restore it from a copy"
        + (mend.isEmpty ? "" : ", or run \(mend.joined(separator: "; ")) on it, and then wallet verify")
    case .failed(let database, let reason):
      "\(database) failed: \(reason); mend that, reload the wallet, and repeat the request with its key"
    case .heldByAnother(let reason):
      "another transaction of PostgreSQL does not let go of what is needed (\(reason)), and nothing was changed; end that "
        + "one, which pg_stat_activity shows, and repeat the request with its key"
    case .notAllowed(let reason):
      "PostgreSQL does not allow that (\(reason)), and nothing was changed; connect to a server that may be written, as a "
        + "role with the rights to the schema wallet, and repeat the request with its key"
    case .foreignSchema(let reason):
      "the schema wallet of the database belongs to something else (\(reason)), and nothing was made in it; name another "
        + "database"
    case .noConnection(let reason):
      "there is no connection to PostgreSQL (\(reason)); check that the server runs and the connection string names it"
    case .connectionLost(let reason):
      "the connection to PostgreSQL was lost before anything changed (\(reason)); repeat the request with its key"
    case .outOfTime:
      "PostgreSQL did not come to the request in time, because it did not answer those before, and nothing was changed; "
        + "repeat it with its key when the server answers again"
    case .outcomeUnknown(let key, let reason):
      "the connection to PostgreSQL was lost while \(key) was committed (\(reason)), so it may have happened; repeat it "
        + "with its key to learn that and get its receipt"
    }
  }
}

extension StoreError: RetryableError {
  public var isRetryable: Bool {
    switch self {
    case .heldByAnother, .noConnection, .connectionLost, .outOfTime, .outcomeUnknown: true
    default: false
    }
  }
}
