/// The main queue, as foreign runtimes see it.

import CFeed
import Dispatch

/// What a foreign runtime's main dispatcher is made of.
///
/// Whether code is on the main *queue* is what counts and what is asked here: after an async `main` has suspended,
/// Linux runs that queue, and with it the main actor, on worker threads.
package enum MainQueuePort {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }

  package static var queue: feed_main_queue {
    feed_main_queue(
      is_current: { MainQueuePort.isCurrent },
      post: { work, context in
        guard let work else { return }
        // SAFETY: the foreign runtime gives both away.
        nonisolated(unsafe) let posted = (work: work, context: context)
        DispatchQueue.main.async { posted.work(posted.context) }
      })
  }
}
