/// The handle of an observation, and the callback at its other end.

import CFeed
import Synchronization

/// One observation. Ends when it is cancelled, when its callback throws, when the controller closes, and when this is
/// released.
public final class FeedSubscription: Sendable {
  // SAFETY: the C functions that it is given to may be called on any thread.
  nonisolated(unsafe) private let observation: OpaquePointer
  private let outcome: FeedCallback.Outcome

  /// Takes over a reference to an observation that was made with `callback.observer`.
  package init(_ observation: OpaquePointer, of callback: FeedCallback) {
    self.observation = observation
    self.outcome = callback.outcome
  }

  deinit {
    cancel()
    feed_observation_release(observation)
  }

  /// Ends the observation at once. Called from outside of callbacks, its own does not run any more when this returns;
  /// called from within one, it is not called again. May be called on any thread and more than once.
  ///
  /// It waits for a callback on another thread to return, which therefore must not wait for the caller's thread.
  public func cancel() {
    outcome.forget()
    feed_observation_cancel(observation)
  }

  /// Whether states can still come.
  public var isActive: Bool { feed_observation_is_active(observation) }

  /// What the callback threw, if that is why the observation ended.
  public var failure: (any Error)? { outcome.failure }

  /// Calls `action` once, when the feed ends the observation: it was closed, or the callback threw. At once when that has
  /// happened already; never when it was this handle that ended it, by being cancelled or released.
  ///
  /// - Parameter action: called on whatever thread ended the observation. Replaces an earlier one.
  public func whenEnded(_ action: @escaping @Sendable () -> Void) {
    outcome.whenEnded(action)
  }
}

/// What the C side holds of a callback, until the observation has ended.
package final class FeedCallback: Sendable {
  /// What outlives the callback: the closure, and all it holds, is let go as soon as the observation ends.
  final class Outcome: Sendable {
    private enum End {
      /// Nobody asked yet.
      case open
      case awaited(@Sendable () -> Void)
      /// By the feed.
      case ended
      /// By the handle.
      case forgotten
    }
    private let end = Mutex(End.open)
    private let thrown = Mutex<(any Error)?>(nil)

    var failure: (any Error)? { thrown.withLock { $0 } }

    func fail(_ error: any Error) { thrown.withLock { $0 = error } }

    func whenEnded(_ action: @escaping @Sendable () -> Void) {
      let isOver = end.withLock { end in
        switch end {
        case .open, .awaited:
          end = .awaited(action)
          return false
        case .ended: return true
        case .forgotten: return false
        }
      }
      if isOver { action() }
    }

    /// The observation will call back no more.
    func over() {
      let action: (@Sendable () -> Void)? = end.withLock { end in
        switch end {
        case .open:
          end = .ended
          return nil
        case .awaited(let action):
          end = .ended
          return action
        case .ended, .forgotten: return nil
        }
      }
      action?()
    }

    /// Nobody is to be told of the end any more.
    func forget() {
      end.withLock { end in
        if case .ended = end { return }
        end = .forgotten
      }
    }
  }

  let outcome = Outcome()
  private let onState: OnState
  private static let alive = Atomic<Int>(0)

  /// How many there are in this process.
  package static var count: Int { alive.load(ordering: .acquiring) }

  package init(_ onState: @escaping OnState) {
    self.onState = onState
    Self.alive.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  deinit {
    Self.alive.wrappingSubtract(1, ordering: .acquiringAndReleasing)
  }

  /// An observer that holds this object until it is released.
  package var observer: feed_observer {
    feed_observer(
      on_state: { context, state in
        guard let context, let state else { return 0 }
        return Unmanaged<FeedCallback>.fromOpaque(context).takeUnretainedValue().tell(state.pointee)
      },
      release: { context in
        guard let context else { return }
        Unmanaged<FeedCallback>.fromOpaque(context).takeRetainedValue().outcome.over()
      },
      context: Unmanaged.passRetained(self).toOpaque())
  }

  private func tell(_ state: feed_state) -> CInt {
    do {
      try onState(ForeignState(state))
      return 0
    } catch {
      outcome.fail(error)
      return 1
    }
  }
}
