/// The feed of the C library, which has threads and an event loop of its own.

import CFeed

public final class CFeedController: FeedController {
  // SAFETY: the C functions that it is given to may be called on any thread.
  nonisolated(unsafe) private let controller: OpaquePointer

  public let contract = FeedContract(
    observe: "feed_controller_observe (feed.h) calls back on the main thread, always",
    observeOffMain: "feed_controller_observe_off_main (feed.h) calls back on an arbitrary thread")

  /// - Parameter dispatcher: where ``observe(_:)`` calls back. Anything but ``FeedDispatcher/mainImmediate`` breaks its
  ///   promise, which is for showing what happens then.
  /// - Throws: ``FeedError/noResources``.
  public init(observingOn dispatcher: FeedDispatcher = .mainImmediate) throws(FeedError) {
    guard let controller = feed_controller_create(MainQueuePort.queue, dispatcher.foreign) else {
      throw .noResources
    }
    self.controller = controller
  }

  deinit {
    feed_controller_release(controller)
  }

  public func observe(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
    try subscription(onState) { feed_controller_observe(controller, $0, &$1) }
  }

  public func observeOffMain(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
    try subscription(onState) { feed_controller_observe_off_main(controller, $0, &$1) }
  }

  public func observe(on dispatcher: FeedDispatcher, _ onState: @escaping OnState) throws(FeedError) -> FeedSubscription
  {
    try subscription(onState) { feed_controller_observe_on(controller, dispatcher.foreign, $0, &$1) }
  }

  public func publish(_ update: FeedUpdate) throws(FeedError) {
    try set(update, feed_controller_set)
  }

  public func publishFromWorker(_ update: FeedUpdate) throws(FeedError) {
    try set(update, feed_controller_set_from_worker)
  }

  public func play(_ count: Int, every interval: Duration) throws(FeedError) {
    guard let count = UInt64(exactly: count) else { throw .invalidCount(count) }
    try Self.check(feed_controller_play(controller, count, interval.feedNanoseconds))
  }

  public func close() {
    feed_controller_close(controller)
  }

  private func subscription(
    _ onState: @escaping OnState, _ observe: (feed_observer, inout OpaquePointer?) -> feed_status
  ) throws(FeedError) -> FeedSubscription {
    let callback = FeedCallback(onState)
    var observation: OpaquePointer?
    try Self.check(observe(callback.observer, &observation))
    guard let observation else { throw .noResources }
    return FeedSubscription(observation, of: callback)
  }

  private func set(
    _ update: FeedUpdate,
    _ function: (OpaquePointer?, feed_phase, Double, UnsafePointer<CChar>?, Int) -> feed_status
  ) throws(FeedError) {
    var title = update.title
    let status = title.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        function(controller, update.phase.foreign, update.progress, $0.baseAddress, $0.count)
      }
    }
    try Self.check(status, progress: update.progress)
  }

  private static func check(_ status: feed_status, progress: Double = 0) throws(FeedError) {
    switch status {
    case FEED_OK: return
    case FEED_CLOSED: throw .closed
    case FEED_INVALID: throw .invalidProgress(progress)
    default: throw .noResources
    }
  }
}

extension FeedDispatcher {
  package var foreign: feed_dispatcher {
    switch self {
    case .mainImmediate: FEED_MAIN_IMMEDIATE
    case .main: FEED_MAIN
    case .worker: FEED_WORKER
    }
  }
}

extension Duration {
  /// Whole nanoseconds, none when negative, at most some 584 years.
  package var feedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard self > .zero, let whole = UInt64(exactly: seconds) else { return 0 }
    let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product &+ UInt64(attoseconds / 1_000_000_000)
  }
}
