/// A screen that follows a feed until it is loaded.
import Feed
import FeedImplementations
import ForeignFeed
import Foundation
import Mainstay
import Observation

@MainActor
struct FeedSession {
  let options: FeedOptions
  let console: Console

  /// - Throws: ``FeedError``.
  func run() async throws -> ExitCode {
    var controller = try options.implementation.makeController()
    if options.breaksPromise { controller = BrokenPromise(of: controller) }
    defer { controller.close() }
    let model = FeedModel(controller: controller)
    try model.open(options.appliesLatest ? .latest : .everyValue)
    if options.rate > 0, options.updates / options.rate >= 3 {
      console.note(
        "gallery: \(options.updates) states at \(options.rate) a second take \(options.updates / options.rate) s …")
    }
    try controller.play(options.updates, every: options.rate == 0 ? .zero : .seconds(1) / options.rate)
    for await isOver in Observations({ model.isLoaded || model.hasEnded }) where isOver { break }
    guard model.isLoaded else { throw FeedError.closed }
    model.close()
    console.print(
      "\(options.implementation.title): \(model.applied) states on main, \(model.appliedOffMain) off main, loaded")
    let report = Boundaries.report()
    if report.isSurvey { console.note(SurveyText(report: report).text(width: console.noteWidth)) }
    return .success
  }
}
