/// The ways in which a foreign callback's values reach the main actor.
import ForeignFeed
import Mainstay

nonisolated public enum DeliveryWay: String, Sendable, CaseIterable {
  /// As before Swift 6: the callback writes main-actor state, and nothing checks where it runs.
  case direct
  /// Through an `AssertedBoundary`: checked, in the same call.
  case asserted
  /// Through a `HoppingBoundary`, every value.
  case hoppingEveryValue
  /// Through a `HoppingBoundary`, the newest of those that wait.
  case hoppingLatest
  /// `Task { @MainActor in }` for each value.
  case taskPerValue

  public var title: String {
    switch self {
    case .direct: "direct"
    case .asserted: "asserted"
    case .hoppingEveryValue: "hopping, every value"
    case .hoppingLatest: "hopping, latest"
    case .taskPerValue: "task per value"
    }
  }

  /// Whether the callback is one of `observe` or of `observeOffMain`.
  public var isPromisedOnMain: Bool {
    switch self {
    case .direct, .asserted, .taskPerValue: true
    case .hoppingEveryValue, .hoppingLatest: false
    }
  }
}

/// One observation whose values arrive in a chosen way.
public final class Delivery {
  public let way: DeliveryWay
  private var subscription: FeedSubscription?
  private var hopping: HoppingBoundary<FeedSnapshot>?
  /// Values that were on their way when the delivery ended are dropped, whichever way it is.
  private var isEnded = false

  /// Subscribes. Ways that need no hop have applied the present state when this returns.
  ///
  /// - Parameter apply: told of states, on the main actor.
  public init(
    _ way: DeliveryWay, of controller: any FeedController, apply: @escaping (FeedSnapshot) -> Void
  ) throws(FeedError) {
    self.way = way
    let deliver: @MainActor (FeedSnapshot) -> Void = { [weak self] snapshot in
      guard let self, !isEnded else { return }
      apply(snapshot)
    }
    switch way {
    case .direct:
      // Deliberate, and what the boundaries are for: this compiles, and is a data race wherever the promise is broken.
      let unchecked = unsafeBitCast(deliver, to: (@Sendable (FeedSnapshot) -> Void).self)
      subscription = try controller.observe { unchecked($0.snapshot) }
    case .asserted:
      let boundary = AssertedBoundary("delivered states", contract: controller.contract.observe)
      subscription = try controller.observe { state in
        boundary.deliver(state) { deliver($0.snapshot) }
      }
    case .hoppingEveryValue, .hoppingLatest:
      let boundary = HoppingBoundary(
        "delivered states off main", contract: controller.contract.observeOffMain,
        delivery: way == .hoppingLatest ? .latest : .everyValue, apply: deliver)
      hopping = boundary
      subscription = try controller.observeOffMain { boundary.send($0.snapshot) }
    case .taskPerValue:
      // Deliberate: later than the callback, and nobody promises an order.
      subscription = try controller.observe { state in
        let snapshot = state.snapshot
        Task { @MainActor in deliver(snapshot) }
      }
    }
  }

  /// Nothing is applied any more once this has returned.
  public func end() {
    isEnded = true
    subscription?.cancel()
    subscription = nil
    hopping?.finish()
    hopping = nil
  }
}
