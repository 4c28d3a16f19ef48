/// `gallery probe latency`: the article's table, measured here for every way of delivery.
import Feed
import FeedImplementations
import ForeignFeed
import Foundation
import Mainstay

@MainActor
struct LatencySession {
  let options: LatencyOptions
  let console: Console

  func run() async throws -> ExitCode {
    var runs = [try await measure(hitchEvery: 0)]
    if options.hitchEvery > 0 { runs.append(try await measure(hitchEvery: options.hitchEvery)) }
    let report = LatencyReport(
      implementation: options.implementation.title, hertz: options.hertz, updates: options.updates, runs: runs)
    switch options.format {
    case .table: console.print(report.table)
    case .json: console.print(try await report.json())
    }
    return .success
  }

  /// - Parameter hitchEvery: every how many frames one takes one and a half intervals; 0 for never.
  private func measure(hitchEvery: Int) async throws -> LatencyReport.Run {
    let controller = try options.implementation.makeController()
    defer { controller.close() }
    let budget = FrameBudget(hertz: options.hertz)
    let probe = try LatencyProbe(controller, updates: options.updates)
    defer { probe.end() }
    var frames = 0
    var hitches = 0
    var framesAfterwards = 0
    var problem: (any Error)?
    await FrameLoop(budget: budget).run {
      frames += 1
      let isHitch = hitchEvery > 0 && frames % hitchEvery == 0 && probe.published < options.updates
      if isHitch { hitches += 1 }
      // What settled before this frame is drawn by it.
      let wasSettled = probe.isSettled
      if probe.published == options.updates { framesAfterwards += 1 }
      do {
        try probe.frame { if isHitch { Self.work(budget.interval * 3 / 2) } }
      } catch {
        problem = error
        return false
      }
      // A second after the last update, whatever has not come is lost, and counted as merged.
      return !wasSettled && framesAfterwards < options.hertz
    }
    if let problem { throw problem }
    return LatencyReport.Run(
      hitches: hitches,
      rows: DeliveryWay.allCases.compactMap { way in
        probe.ledger(way).map { LatencyReport.Row(way, $0) }
      })
  }

  /// Layout, decoding, whatever an application does on the main actor too long: the deliberate hitch.
  nonisolated private static func work(_ length: Duration) {
    let end = ContinuousClock.now + length
    while ContinuousClock.now < end {}
  }
}
