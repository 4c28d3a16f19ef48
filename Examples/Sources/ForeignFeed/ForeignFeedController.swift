/// A feed behind C functions with the shape of feed.h's, whoever implements them: the one place that calls them.

import CFeed

package final class ForeignFeedController: FeedController {
  /// One implementation of a controller's functions.
  package struct Functions: Sendable {
    package typealias Observe =
      @convention(c) (OpaquePointer?, feed_observer, UnsafeMutablePointer<OpaquePointer?>?) -> feed_status
    package typealias ObserveOn =
      @convention(c) (OpaquePointer?, feed_dispatcher, feed_observer, UnsafeMutablePointer<OpaquePointer?>?)
      -> feed_status
    package typealias Change =
      @convention(c) (OpaquePointer?, feed_phase, Double, UnsafePointer<CChar>?, Int) -> feed_status

    let observe: Observe
    let observeOffMain: Observe
    let observeOn: ObserveOn
    let set: Change
    let setFromWorker: Change
    let play: @convention(c) (OpaquePointer?, UInt64, UInt64) -> feed_status
    let close: @convention(c) (OpaquePointer?) -> Void
    let release: @convention(c) (OpaquePointer?) -> Void
    /// The runtime's own words for this thread's last `FEED_FOREIGN`.
    let problem: @Sendable () -> String

    package init(
      observe: Observe, observeOffMain: Observe, observeOn: ObserveOn, set: Change, setFromWorker: Change,
      play: @convention(c) (OpaquePointer?, UInt64, UInt64) -> feed_status,
      close: @convention(c) (OpaquePointer?) -> Void, release: @convention(c) (OpaquePointer?) -> Void,
      problem: @escaping @Sendable () -> String
    ) {
      self.observe = observe
      self.observeOffMain = observeOffMain
      self.observeOn = observeOn
      self.set = set
      self.setFromWorker = setFromWorker
      self.play = play
      self.close = close
      self.release = release
      self.problem = problem
    }
  }

  // SAFETY: the C functions that it is given to may be called on any thread.
  nonisolated(unsafe) private let controller: OpaquePointer
  private let functions: Functions
  package let contract: FeedContract

  /// Takes over a controller that the implementation made.
  package init(_ controller: OpaquePointer, _ functions: Functions, contract: FeedContract) {
    self.controller = controller
    self.functions = functions
    self.contract = contract
  }

  deinit {
    functions.release(controller)
  }

  package func observe(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
    try subscription(onState) { functions.observe(controller, $0, &$1) }
  }

  package func observeOffMain(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
    try subscription(onState) { functions.observeOffMain(controller, $0, &$1) }
  }

  package func observe(
    on dispatcher: FeedDispatcher, _ onState: @escaping OnState
  ) throws(FeedError) -> FeedSubscription {
    try subscription(onState) { functions.observeOn(controller, dispatcher.foreign, $0, &$1) }
  }

  package func publish(_ update: FeedUpdate) throws(FeedError) {
    try change(update, functions.set)
  }

  package func publishFromWorker(_ update: FeedUpdate) throws(FeedError) {
    try change(update, functions.setFromWorker)
  }

  package func play(_ count: Int, every interval: Duration) throws(FeedError) {
    guard let times = UInt64(exactly: count) else { throw .invalidCount(count) }
    try check(functions.play(controller, times, interval.feedNanoseconds))
  }

  package func close() {
    functions.close(controller)
  }

  private func subscription(
    _ onState: @escaping OnState, _ observe: (feed_observer, inout OpaquePointer?) -> feed_status
  ) throws(FeedError) -> FeedSubscription {
    let callback = FeedCallback(onState)
    var observation: OpaquePointer?
    try check(observe(callback.observer, &observation))
    guard let observation else { throw .noResources }
    return FeedSubscription(observation, of: callback)
  }

  private func change(_ update: FeedUpdate, _ function: Functions.Change) throws(FeedError) {
    var title = update.title
    let status = title.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        function(controller, update.phase.foreign, update.progress, $0.baseAddress, $0.count)
      }
    }
    try check(status, progress: update.progress)
  }

  private func check(_ status: feed_status, progress: Double = 0) throws(FeedError) {
    switch status {
    case FEED_OK: return
    case FEED_CLOSED: throw .closed
    case FEED_INVALID: throw .invalidProgress(progress)
    case FEED_FOREIGN: throw .foreign(functions.problem())
    default: throw .noResources
    }
  }
}

extension FeedDispatcher {
  fileprivate var foreign: feed_dispatcher {
    switch self {
    case .mainImmediate: FEED_MAIN_IMMEDIATE
    case .main: FEED_MAIN
    case .worker: FEED_WORKER
    }
  }
}

extension Duration {
  /// Whole nanoseconds, none when negative, at most some 584 years.
  fileprivate var feedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard self > .zero, let whole = UInt64(exactly: seconds) else { return 0 }
    let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product &+ UInt64(attoseconds / 1_000_000_000)
  }
}
