/// A progress that moves once a frame, reaches the screen in a chosen way, and what the screen made of it.
import FeedImplementations
import ForeignFeed
import Mainstay
import Observation

/// The state of the Feed page. It makes updates as a scroll handler does, in the frame that is to show them; a foreign
/// runtime hands each back through the chosen way of delivery, and the frame shows whatever has arrived by its end.
///
/// Call ``beginFrame(interval:)`` when a frame begins and ``drawFrame()`` when it draws: a display's frame clock, or a test.
@Observable
public final class ProgressModel {
  /// What one way of delivery did to one run.
  public struct Outcome: Hashable {
    public var shown = 0
    public var skipped = 0
    public var inversions = 0
    /// From the frame in which an update was made to the one that showed it, over those that were shown.
    public var averageFramesLater = 0.0
    public var worstFramesLater = 0

    public init(
      shown: Int = 0, skipped: Int = 0, inversions: Int = 0, averageFramesLater: Double = 0, worstFramesLater: Int = 0
    ) {
      self.shown = shown
      self.skipped = skipped
      self.inversions = inversions
      self.averageFramesLater = averageFramesLater
      self.worstFramesLater = worstFramesLater
    }
  }

  /// How many updates a run has: ten seconds at 60 Hz.
  public nonisolated static let updates = 600
  /// Every so many frames one has work that takes one and a half intervals.
  public nonisolated static let hitchEvery = 16
  /// How many frames the history keeps.
  public nonisolated static let framesKept = 240

  public let implementation: FeedImplementation
  public let way: DeliveryWay
  /// How many updates a run of this one has.
  public let updates: Int
  /// Whether that work is done on the main actor, which makes the frame too long, or off it.
  public var worksOnMain = false
  /// What the screen shows: the newest state that was applied, from 0 to 1. Not observed, as nothing that each frame draws
  /// anew.
  @ObservationIgnored public private(set) var progress = 0.0
  @ObservationIgnored public private(set) var update = 0
  public private(set) var isRunning = false
  /// Whether all updates were made and none is on its way any more.
  public private(set) var isFinished = false
  /// What went wrong, and what to do.
  public private(set) var problem: String?
  /// The newest frames, the last at the end.
  @ObservationIgnored public private(set) var history: [FrameLedger.Frame] = []
  /// Up to the frame that was drawn last.
  @ObservationIgnored public private(set) var outcome = Outcome()

  @ObservationIgnored private var ledger = FrameLedger()
  @ObservationIgnored private var controller: (any FeedController)?
  @ObservationIgnored private var delivery: Delivery?
  @ObservationIgnored private var frames = 0
  @ObservationIgnored private var framesAfterwards = 0
  /// Deliberate work off the main actor, one at a time.
  @ObservationIgnored private var working: Task<Void, Never>?

  public init(_ implementation: FeedImplementation, _ way: DeliveryWay, updates: Int = ProgressModel.updates) {
    self.implementation = implementation
    self.way = way
    self.updates = updates
  }

  /// Begins a run with a feed of its own. Does nothing when one is under way.
  public func start() {
    guard !isRunning else { return }
    ledger = FrameLedger()
    (history, outcome, frames, framesAfterwards) = ([], Outcome(), 0, 0)
    (progress, update, isFinished, problem) = (0, 0, false, nil)
    do {
      let controller = try implementation.makeController()
      self.controller = controller
      delivery = try Delivery(way, of: controller) { [weak self] in self?.apply($0) }
      isRunning = true
    } catch {
      end("\(error)")
    }
  }

  /// Ends the run. Nothing is applied any more once this has returned.
  public func stop() { end(nil) }

  /// The contract that the way of delivery relies on; nil for the ways that rely on none, or hide it.
  public var contract: String? {
    guard let contract = controller?.contract else { return nil }
    return way.isPromisedOnMain ? contract.observe : contract.observeOffMain
  }

  /// Makes the next update in the frame that begins.
  ///
  /// - Parameter interval: of the display.
  public func beginFrame(interval: Duration) {
    guard isRunning, let controller else { return }
    frames += 1
    if frames % Self.hitchEvery == 0, ledger.updates < updates { work(interval * 3 / 2) }
    guard ledger.updates < updates else {
      framesAfterwards += 1
      return
    }
    let next = ledger.updates + 1
    ledger.make(next)
    do {
      let phase: FeedPhase = next == updates ? .loaded : .loading
      try controller.publish(FeedUpdate(phase, progress: Double(next) / Double(updates)))
    } catch {
      end("\(error)")
    }
  }

  /// The frame draws: what has been applied is on the screen.
  public func drawFrame() {
    guard isRunning else { return }
    let frame = ledger.draw()
    history.append(frame)
    if history.count > Self.framesKept { history.removeFirst(history.count - Self.framesKept) }
    outcome = Outcome(
      shown: ledger.shown, skipped: ledger.skipped, inversions: ledger.inversions,
      averageFramesLater: ledger.averageFramesLater, worstFramesLater: ledger.worstFramesLater)
    // What has not come a second after the last update will not come.
    guard framesAfterwards > 0, ledger.newestApplied == updates || framesAfterwards > 60 else { return }
    outcome.skipped = ledger.merged
    isFinished = true
    end(nil)
  }

  private func apply(_ state: FeedSnapshot) {
    ledger.apply(state.sequence)
    progress = state.progress
    update = state.sequence
  }

  private func end(_ problem: String?) {
    delivery?.end()
    delivery = nil
    controller?.close()
    controller = nil
    isRunning = false
    if let problem { self.problem = problem }
  }

  private func work(_ length: Duration) {
    guard !worksOnMain else { return DeliberateWork.take(length) }
    guard working == nil else { return }
    working = Task { [weak self] in
      await Self.workElsewhere(length)
      self?.working = nil
    }
  }

  @concurrent
  nonisolated private static func workElsewhere(_ length: Duration) async { DeliberateWork.take(length) }
}
