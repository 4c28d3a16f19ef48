/// The state of a screen that follows a foreign controller: each of its two promises has a boundary of its own.
import ForeignFeed
import Mainstay
import Observation

@Observable
public final class FeedModel {
  /// What the controller's callbacks on the main thread last said. In the frame in which it was said.
  public private(set) var state: FeedSnapshot?
  /// What its callbacks off the main thread last said.
  public private(set) var stateOffMain: FeedSnapshot?
  /// How many states each of them applied.
  public private(set) var applied = 0
  public private(set) var appliedOffMain = 0
  /// Whether the feed ended by itself: somebody closed it while this was open. Then this is closed too.
  public private(set) var hasEnded = false

  @ObservationIgnored private let controller: any FeedController
  @ObservationIgnored private var subscriptions: [FeedSubscription] = []
  @ObservationIgnored private var hopping: HoppingBoundary<FeedSnapshot>?
  @ObservationIgnored private var endings: HoppingBoundary<Void>?

  public init(controller: any FeedController) {
    self.controller = controller
  }

  public var isOpen: Bool { !subscriptions.isEmpty }

  /// Whether both kinds of callbacks have brought the loaded state.
  public var isLoaded: Bool { state?.phase == .loaded && stateOffMain?.phase == .loaded }

  /// Subscribes. The present state has been applied when this returns. Does nothing when open.
  ///
  /// - Parameter delivery: which of the states that come off the main thread are applied.
  /// - Throws: ``FeedError/closed`` when the controller is closed; then the model is not open.
  public func open(_ delivery: HoppingBoundary<FeedSnapshot>.Delivery = .everyValue) throws(FeedError) {
    guard !isOpen else { return }
    let states = AssertedBoundary("feed states", contract: controller.contract.observe)
    let onMain = try controller.observe { [weak self] state in
      states.deliver(state) { self?.apply($0) }
    }
    let statesOffMain = HoppingBoundary<FeedSnapshot>(
      "feed states off main", contract: controller.contract.observeOffMain, delivery: delivery
    ) { [weak self] in
      self?.applyOffMain($0)
    }
    let offMain = try controller.observeOffMain { statesOffMain.send($0.snapshot) }
    let ends = HoppingBoundary<Void>(
      "feed endings", contract: "FeedSubscription.whenEnded calls back on the thread that ended the observation"
    ) { [weak self] in
      self?.end()
    }
    subscriptions = [onMain, offMain]
    hopping = statesOffMain
    endings = ends
    hasEnded = false
    for subscription in subscriptions { subscription.whenEnded { ends.send(()) } }
  }

  /// Ends both subscriptions. Nothing is applied any more once this has returned.
  public func close() {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    hopping?.finish()
    hopping = nil
    endings?.finish()
    endings = nil
  }

  private func end() {
    close()
    hasEnded = true
  }

  private func apply(_ state: ForeignState) {
    self.state = state.snapshot
    applied += 1
  }

  private func applyOffMain(_ state: FeedSnapshot) {
    stateOffMain = state
    appliedOffMain += 1
  }
}
