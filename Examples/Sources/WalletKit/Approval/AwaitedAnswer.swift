/// Waiting for an answer that may never come.
import Synchronization

/// What ends a wait, whichever comes first: the answer, the deadline, or the cancellation of the task that waits.
///
/// A child task would not do: its parent waits for it, also when it heeds no cancellation. So who is asked runs in a task
/// of its own, which is cancelled when nobody waits for it any more, and left alone where it does not heed that.
final class AwaitedAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case ended(Result<Value, any Error>)
  }

  private let state = Mutex(State.open)

  private init() {}

  /// Asks, and waits for the answer until the deadline.
  ///
  /// - Throws: what `ask` throws, `late` when it has not answered in time, and `CancellationError`.
  @concurrent
  static func of(
    _ ask: @escaping @Sendable () async throws -> Value, until deadline: ContinuousClock.Instant, late: any Error
  ) async throws -> Value {
    let answer = AwaitedAnswer()
    let asked = Task {
      do { answer.end(.success(try await ask())) } catch { answer.end(.failure(error)) }
    }
    let alarm = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      answer.end(.failure(late))
    }
    defer {
      asked.cancel()
      alarm.cancel()
    }
    return try await withTaskCancellationHandler {
      try await answer.value
    } onCancel: {
      answer.end(.failure(CancellationError()))
    }
  }

  private var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let ended: Result<Value, any Error>? = state.withLock { state in
          if case .ended(let result) = state { return result }
          state = .awaited(continuation)
          return nil
        }
        if let ended { continuation.resume(with: ended) }
      }
    }
  }

  /// Ends the wait; what comes later changes nothing.
  private func end(_ result: Result<Value, any Error>) {
    let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .open:
        state = .ended(result)
        return nil
      case .awaited(let continuation):
        state = .ended(result)
        return continuation
      case .ended:
        return nil
      }
    }
    waiting?.resume(with: result)
  }
}
