/// The article's table, measured for every way of delivery at once.
import Feed
import FeedImplementations
import ForeignFeed
import Mainstay

public struct LatencyMeasurement {
  private let options: LatencyOptions

  public init(_ options: LatencyOptions) {
    self.options = options
  }

  /// First with frames that fit into their interval, then with some that do not.
  ///
  /// - Throws: ``FeedError``, and what the source of frames throws.
  public func report(from frames: some FrameSource) async throws -> LatencyReport {
    var runs = [try await measure(frames, hitchEvery: 0)]
    if options.hitchEvery > 0 { runs.append(try await measure(frames, hitchEvery: options.hitchEvery)) }
    return LatencyReport(
      implementation: options.implementation.title, frameSource: frames.title, hertz: frames.hertz,
      updates: options.updates, runs: runs)
  }

  /// - Parameter hitchEvery: every how many frames one takes one and a half intervals; 0 for never.
  private func measure(_ source: some FrameSource, hitchEvery: Int) async throws -> LatencyReport.Run {
    let controller = try options.implementation.makeController()
    defer { controller.close() }
    let interval = FrameBudget(hertz: source.hertz).interval
    let probe = try LatencyProbe(controller, updates: options.updates)
    defer { probe.end() }
    var frames = 0
    var hitches = 0
    var framesAfterwards = 0
    var wasSettled = false
    var problem: (any Error)?
    try await source.run {
      frames += 1
      let isHitch = hitchEvery > 0 && frames % hitchEvery == 0 && probe.published < options.updates
      if isHitch { hitches += 1 }
      // What settled before this frame is drawn by it.
      wasSettled = probe.isSettled
      if probe.published == options.updates { framesAfterwards += 1 }
      do {
        try probe.begin { if isHitch { DeliberateWork.take(interval * 3 / 2) } }
      } catch {
        problem = error
      }
    } draw: {
      probe.draw()
      // A second after the last update, whatever has not come is lost, and counted as merged.
      return problem == nil && !wasSettled && framesAfterwards < source.hertz
    }
    if let problem { throw problem }
    return LatencyReport.Run(
      hitches: hitches,
      rows: DeliveryWay.allCases.compactMap { way in
        probe.ledger(way).map { LatencyReport.Row(way, $0) }
      })
  }
}
