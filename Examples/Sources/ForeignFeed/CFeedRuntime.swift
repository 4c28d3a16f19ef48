/// The feed of the C library, which has threads and an event loop of its own.

import CFeed

public enum CFeedRuntime {
  // What the two boundaries of a feed rely on: the promise as the header declares it, and the line that keeps it.
  // mainstay:contract Sources/CFeed/include/feed.h#feed_controller_observe 0209951b522fa5ad
  // mainstay:contract Sources/CFeed/controller.c#feed_controller_observe de7792091a5f5118
  // mainstay:contract Sources/CFeed/include/feed.h#feed_controller_observe_off_main e7f6b03f602b12ae
  // mainstay:contract Sources/CFeed/controller.c#feed_controller_observe_off_main 3b66d2c286900056
  static let contract = FeedContract(
    observe: "feed_controller_observe (feed.h) calls back on the main thread, always",
    observeOffMain: "feed_controller_observe_off_main (feed.h) calls back on an arbitrary thread")

  private static let functions = ForeignFeedController.Functions(
    observe: feed_controller_observe, observeOffMain: feed_controller_observe_off_main,
    observeOn: feed_controller_observe_on, set: feed_controller_set, setFromWorker: feed_controller_set_from_worker,
    play: feed_controller_play, close: feed_controller_close, release: feed_controller_release,
    problem: { "the C feed has no runtime that could fail" })

  /// A controller in its first state.
  ///
  /// - Throws: ``FeedError/noResources``.
  public static func makeController() throws(FeedError) -> any FeedController {
    guard let controller = feed_controller_create(MainQueuePort.queue) else { throw .noResources }
    return ForeignFeedController(controller, functions, contract: contract)
  }
}
