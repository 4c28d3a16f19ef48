/// A thread's turn for a C library that blocks.
import Dispatch
import Synchronization

/// Owns a connection, and runs what uses it one after the other on a queue of its own.
///
/// A commit waits for the disk and a query for the network. Done in a task, that would take a thread away from every
/// other task of the process, because the pool has only as many as there are processors.
final class DatabaseQueue<Connection>: Sendable {
  private let queue: DispatchQueue
  private let connection: Mutex<Connection?>

  init(_ label: String) {
    queue = DispatchQueue(label: label)
    connection = Mutex(nil)
  }

  /// Runs `work` in its turn; it sees the connection and may replace it. Returns its result.
  ///
  /// Not cancelled with the task: half a transaction would be worse than a late one.
  func run<Value: Sendable>(_ work: @escaping @Sendable (inout Connection?) throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.connection.withLock { try work(&$0) } })
      }
    }
  }

  /// As ``run(_:)``, and keeps the calling thread meanwhile.
  func runAndWait<Value: Sendable>(_ work: @Sendable (inout Connection?) throws -> Value) throws -> Value {
    try queue.sync { try connection.withLock { try work(&$0) } }
  }

  /// Waits for the work that is under way; for the end of a connection.
  func drain(_ work: (inout Connection?) -> Void) {
    connection.withLock { work(&$0) }
  }
}
