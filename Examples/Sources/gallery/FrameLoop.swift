/// Frames without a display: the main actor is told of each as a display's clock would tell it.
import Dispatch
import FeedProbes
import Mainstay

/// A clock off the main actor that queues one frame at a time on it.
///
/// Like a display link, it does not wait for the frame before to end: a frame whose work takes longer than an interval
/// finds the next one queued already, ahead of whatever that work put into the queue.
@MainActor
struct FrameLoop: FrameSource {
  let title = "a clock without a display"
  let hertz: Int

  func run(begin: @escaping @MainActor () -> Void, draw: @escaping @MainActor () -> Bool) async {
    let budget = FrameBudget(hertz: hertz)
    let pending = PendingFrame()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let timer = DispatchSource.makeTimerSource(flags: .strict, queue: DispatchQueue(label: "frame clock"))
    timer.schedule(deadline: .now(), repeating: budget.interval / .seconds(1), leeway: .nanoseconds(0))
    // Said to be `@Sendable`: without that the closure would be the main actor's, and trap where the timer calls it.
    timer.setEventHandler { @Sendable in
      guard pending.begin() else { return }
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          pending.end()
          guard !pending.isOver else { return }
          begin()
          if !draw() {
            pending.isOver = true
            end.finish()
          }
        }
      }
    }
    timer.activate()
    for await _ in ended {}
    timer.cancel()
  }
}
