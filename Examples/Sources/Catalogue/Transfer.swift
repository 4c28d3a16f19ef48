/// One request of `URLSession` that ends with the task that asked.
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why not `URLSession.data(for:)`, which says the same: on Linux, in toolchains up to 6.3.1, its cancellation handler
/// waits for the session's work queue while the runtime holds a lock of the task, so that an answer and a cancellation
/// that meet wait for ever (swift-corelibs-foundation issue 5412). Eight clients that cancel at random hang in seconds.
///
/// `URLSessionTask.cancel()` has a rarer race of its own there. The session ends a task on its delegate queue; a
/// cancellation on another thread meanwhile can turn the ended task back into one that is being cancelled, and the
/// session traps when it ends that one again. The delegate queue is serial, so a cancellation on that queue comes before
/// or after the end, never amid it.
final class Transfer: Sendable {
  private struct State {
    var task: URLSessionTask?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Sends the request and waits for the whole answer. When the caller's task is cancelled, the connection is closed.
  ///
  /// - Throws: `URLError`; `URLError.cancelled` when the caller's task is cancelled before the answer is complete.
  static func data(for request: URLRequest, in session: URLSession) async throws -> (Data, URLResponse) {
    let transfer = Transfer()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = session.dataTask(with: request) { data, response, error in
          if let data, let response, error == nil {
            continuation.resume(returning: (data, response))
          } else {
            continuation.resume(throwing: error ?? URLError(.badServerResponse))
          }
        }
        if transfer.starts(task) { task.resume() } else { cancel(task, in: session) }
      }
    } onCancel: {
      if let task = transfer.cancelled() { cancel(task, in: session) }
    }
  }

  private static func cancel(_ task: URLSessionTask, in session: URLSession) {
    session.delegateQueue.addOperation { task.cancel() }
  }

  /// Keeps the task for a cancellation to come.
  ///
  /// - Returns: false when the cancellation came earlier and had nothing to cancel.
  private func starts(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      state.task = task
      return !state.isCancelled
    }
  }

  /// Notes the cancellation.
  ///
  /// - Returns: the task to cancel, when there is one yet.
  private func cancelled() -> URLSessionTask? {
    state.withLock { state in
      state.isCancelled = true
      return state.task
    }
  }
}
