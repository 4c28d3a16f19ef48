/// The feed of Kotlin's coroutines, on a Java virtual machine in this process.
#if GALLERY_KOTLIN
  import CKotlinFeed
  import ForeignFeed

  enum KotlinFeedRuntime {
    // What the two boundaries of a feed rely on: the functions that promise, and the scopes whose dispatchers keep it.
    // mainstay:contract Kotlin/FeedController.kt#FeedController.observe f551d0214b7e06f9
    // mainstay:contract Kotlin/FeedController.kt#FeedController.scope f9fdbdfcccb8e77e
    // mainstay:contract Kotlin/FeedController.kt#FeedController.observeOffMain a1ebfc6be49bdbc4
    // mainstay:contract Kotlin/FeedController.kt#FeedController.offMainScope e282ecc968b1270f
    static let contract = FeedContract(
      observe: "FeedController.observe (FeedController.kt) invokes callbacks on the main thread, always",
      observeOffMain: "FeedController.observeOffMain (FeedController.kt) invokes callbacks on an arbitrary thread")

    private static let functions = ForeignFeedController.Functions(
      observe: kfeed_controller_observe, observeOffMain: kfeed_controller_observe_off_main,
      observeOn: kfeed_controller_observe_on, set: kfeed_controller_set,
      setFromWorker: kfeed_controller_set_from_worker, play: kfeed_controller_play, close: kfeed_controller_close,
      release: kfeed_controller_release, problem: { KotlinMachine.problem })

    /// A controller in its first state. Starts the machine when this is the first of its process.
    ///
    /// - Throws: ``FeedError/foreign(_:)`` when the machine does not start, or Kotlin throws.
    static func makeController() throws(FeedError) -> any FeedController {
      try KotlinMachine.started.get()
      guard let controller = kfeed_controller_create() else { throw .foreign(KotlinMachine.problem) }
      return ForeignFeedController(controller, functions, contract: contract)
    }
  }
#endif
