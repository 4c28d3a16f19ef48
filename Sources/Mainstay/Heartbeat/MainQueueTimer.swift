/// A repeating timer on the main queue that ends with its owner.

import Dispatch

/// Fires on the main actor, on a fixed grid, and once for all the instants that passed while it was blocked.
final class MainQueueTimer: Sendable {
  // Dispatch sources may be used from any thread; they are only not declared so.
  private nonisolated(unsafe) let source: any DispatchSourceTimer

  /// - Parameters:
  ///   - start: the origin of the grid; the first firing is one interval later.
  ///   - interval: nanoseconds between firings.
  init(start: UInt64, interval: UInt64, fire: @escaping @MainActor @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: .main)
    source.setEventHandler { MainActor.assumeIsolated(fire) }
    source.schedule(
      deadline: DispatchTime(uptimeNanoseconds: start + interval), repeating: .nanoseconds(Int(interval)),
      leeway: .nanoseconds(0))
    source.activate()
  }

  deinit { source.cancel() }
}
