/// A feed that breaks its promise: what a change of the dispatcher on the other side does to those who relied on it.
import ForeignFeed

/// Deliberate. Says what the feed behind it says, and calls back on a worker where the main thread was promised.
public final class BrokenPromise: FeedController {
  private let controller: any FeedController

  public init(of controller: any FeedController) {
    self.controller = controller
  }

  public func observe(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
    try controller.observe(on: .worker, onState)
  }

  public func observeOffMain(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
    try controller.observeOffMain(onState)
  }

  public func observe(
    on dispatcher: FeedDispatcher, _ onState: @escaping OnState
  ) throws(FeedError) -> FeedSubscription {
    try controller.observe(on: dispatcher, onState)
  }

  public func publish(_ update: FeedUpdate) throws(FeedError) { try controller.publish(update) }

  public func publishFromWorker(_ update: FeedUpdate) throws(FeedError) { try controller.publishFromWorker(update) }

  public func play(_ count: Int, every interval: Duration) throws(FeedError) {
    try controller.play(count, every: interval)
  }

  public func close() { controller.close() }

  public var contract: FeedContract { controller.contract }
}
