/// The feed of Kotlin's coroutines, on a Java virtual machine in this process.
#if GALLERY_KOTLIN
  import CFeed
  import CKotlinFeed
  import ForeignFeed

  final class KotlinFeedController: FeedController {
    // SAFETY: the C functions that it is given to may be called on any thread.
    nonisolated(unsafe) private let controller: OpaquePointer

    let contract = FeedContract(
      observe: "FeedController.observe (FeedController.kt) invokes callbacks on the main thread, always",
      observeOffMain: "FeedController.observeOffMain (FeedController.kt) invokes callbacks on an arbitrary thread")

    /// - Throws: ``FeedError/foreign(_:)`` when the machine does not start, or Kotlin throws.
    init(observingOn dispatcher: FeedDispatcher) throws(FeedError) {
      try KotlinMachine.started.get()
      guard let controller = kfeed_controller_create(dispatcher.foreign) else { throw .foreign(KotlinMachine.problem) }
      self.controller = controller
    }

    deinit {
      kfeed_controller_release(controller)
    }

    func observe(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
      try subscription(onState) { kfeed_controller_observe(controller, $0, &$1) }
    }

    func observeOffMain(_ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
      try subscription(onState) { kfeed_controller_observe_off_main(controller, $0, &$1) }
    }

    func observe(on dispatcher: FeedDispatcher, _ onState: @escaping OnState) throws(FeedError) -> FeedSubscription {
      try subscription(onState) { kfeed_controller_observe_on(controller, dispatcher.foreign, $0, &$1) }
    }

    func publish(_ update: FeedUpdate) throws(FeedError) {
      try set(update, kfeed_controller_set)
    }

    func publishFromWorker(_ update: FeedUpdate) throws(FeedError) {
      try set(update, kfeed_controller_set_from_worker)
    }

    func play(_ count: Int, every interval: Duration) throws(FeedError) {
      guard let count = UInt64(exactly: count) else { throw .invalidCount(count) }
      try Self.check(kfeed_controller_play(controller, count, interval.feedNanoseconds))
    }

    func close() {
      kfeed_controller_close(controller)
    }

    private func subscription(
      _ onState: @escaping OnState, _ observe: (feed_observer, inout OpaquePointer?) -> feed_status
    ) throws(FeedError) -> FeedSubscription {
      let callback = FeedCallback(onState)
      var observation: OpaquePointer?
      try Self.check(observe(callback.observer, &observation))
      guard let observation else { throw .noResources }
      return FeedSubscription(observation, of: callback)
    }

    private func set(
      _ update: FeedUpdate,
      _ function: (OpaquePointer?, feed_phase, Double, UnsafePointer<CChar>?, Int) -> feed_status
    ) throws(FeedError) {
      var title = update.title
      let status = title.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          function(controller, update.phase.foreign, update.progress, $0.baseAddress, $0.count)
        }
      }
      try Self.check(status, progress: update.progress)
    }

    private static func check(_ status: feed_status, progress: Double = 0) throws(FeedError) {
      switch status {
      case FEED_OK: return
      case FEED_CLOSED: throw .closed
      case FEED_INVALID: throw .invalidProgress(progress)
      case FEED_NO_RESOURCES: throw .noResources
      default: throw .foreign(KotlinMachine.problem)
      }
    }
  }
#endif
