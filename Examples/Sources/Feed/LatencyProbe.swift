/// Makes updates frame by frame and sees when each way of delivery makes them visible.
import ForeignFeed

/// The probe of the article, for every way at once: all of them see the same updates in the same frames.
///
/// A frame does its work, publishes one update as a scroll handler would, and draws. When the next frame begins is for
/// the caller to say: a display's frame clock, a timer, or a test.
public final class LatencyProbe {
  private let controller: any FeedController
  private let updates: Int
  private var deliveries: [Delivery] = []
  private var ledgers: [DeliveryWay: FrameLedger] = [:]
  public private(set) var published = 0

  /// - Parameters:
  ///   - controller: a new one, to which nothing was published yet.
  ///   - updates: how many to make.
  public init(
    _ controller: any FeedController, ways: [DeliveryWay] = DeliveryWay.allCases, updates: Int
  ) throws(FeedError) {
    self.controller = controller
    self.updates = updates
    for way in ways {
      ledgers[way] = FrameLedger()
      deliveries.append(
        try Delivery(way, of: controller) { [weak self] state in self?.ledgers[way]?.apply(state.sequence) })
    }
  }

  /// One frame: begun and drawn.
  ///
  /// - Parameter work: what the main actor does in this frame before it publishes.
  public func frame(work: () -> Void = {}) throws(FeedError) {
    try begin(work: work)
    draw()
  }

  /// The beginning of a frame, in which the next update is published.
  public func begin(work: () -> Void = {}) throws(FeedError) {
    work()
    guard published < updates else { return }
    published += 1
    for way in ledgers.keys { ledgers[way]?.make(published) }
    try controller.publish(FeedUpdate(.loading, progress: Double(published) / Double(updates)))
  }

  /// The end of a frame: what has been applied is on the screen.
  public func draw() {
    for way in ledgers.keys { ledgers[way]?.draw() }
  }

  /// Whether every way has applied, or merged, every update. One more frame draws the last of them.
  public var isSettled: Bool {
    published == updates && ledgers.values.allSatisfy { $0.newestApplied >= updates }
  }

  public func ledger(_ way: DeliveryWay) -> FrameLedger? { ledgers[way] }

  public func end() {
    for delivery in deliveries { delivery.end() }
    deliveries = []
  }
}
