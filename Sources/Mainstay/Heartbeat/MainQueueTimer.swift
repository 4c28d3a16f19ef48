/// A repeating timer on the main queue that ends with its owner.

import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Fires on the main actor, on a fixed grid, and once for all the instants that passed while it was blocked.
///
/// A thread of its own sleeps from one instant to the next and marks a source of the main queue, unless the main actor is
/// proved to have been idle meanwhile: see `IdleProof`. Dispatch's own timers wake a thread for every instant, and then set
/// the kernel's timer and its event again.
final class MainQueueTimer: Sendable {
  // Dispatch sources may be used from any thread; they are only not declared so.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol
  private let ticker: Ticker?

  /// - Parameters:
  ///   - start: the origin of the grid; the first firing is one interval later.
  ///   - interval: nanoseconds between firings.
  init(start: UInt64, interval: UInt64, fire: @escaping @MainActor @Sendable () -> Void) {
    // Dispatch sources may be used from any thread; they are only not declared so.
    nonisolated(unsafe) let marks = DispatchSource.makeUserDataAddSource(queue: .main)
    if let ticker = Ticker(start: start, interval: interval, marks: marks) {
      (source, self.ticker) = (marks, ticker)
      // The cycle through the handler ends when the source is cancelled.
      marks.setEventHandler {
        // Contract: Dispatch calls a handler on the queue of its source, and this one was made for the main queue.
        MainActor.assumeIsolated(fire)
        ticker.answered.add(marks.data, ordering: .releasing)
      }
    } else {
      // No thread to be had.
      let timer = DispatchSource.makeTimerSource(queue: .main)
      timer.schedule(
        deadline: DispatchTime(uptimeNanoseconds: start + interval), repeating: .nanoseconds(Int(interval)),
        leeway: .nanoseconds(0))
      (source, ticker) = (timer, nil)
      // Contract: as above; the timer was made for the main queue, too.
      source.setEventHandler { MainActor.assumeIsolated(fire) }
    }
    source.activate()
  }

  /// The instants at which the main actor was idle and nothing fired, since this was last asked.
  func takeIdle() -> IdleInstants {
    ticker?.idle.withLock { idle in
      defer { idle = IdleInstants() }
      return idle
    } ?? IdleInstants()
  }

  /// The same, left to be taken.
  var idle: IdleInstants { ticker?.idle.withLock { $0 } ?? IdleInstants() }

  deinit {
    ticker?.isOver.store(true, ordering: .relaxed)
    source.cancel()
  }
}

/// Instants that passed while the main actor had nothing to do.
struct IdleInstants: Sendable, Equatable {
  /// How late the thread was that saw each of them, in nanoseconds: the machine's lateness, not the main actor's.
  var lateness = LatencyHistogram()
  /// The last of them; zero when there was none.
  var through: UInt64 = 0
}

/// The thread that sleeps. It ends at the first instant after its owner, or a tenth of a second later.
private final class Ticker: Sendable {
  let isOver = Atomic<Bool>(false)
  /// How many marks the main queue has seen.
  let answered = Atomic<UInt>(0)
  let idle = Mutex(IdleInstants())
  private let start: UInt64
  private let interval: UInt64
  // Dispatch sources may be used from any thread; they are only not declared so.
  private nonisolated(unsafe) let marks: any DispatchSourceUserDataAdd

  /// Nil when there is no thread to be had.
  init?(start: UInt64, interval: UInt64, marks: any DispatchSourceUserDataAdd) {
    (self.start, self.interval, self.marks) = (start, interval, marks)
    // The program's signals are handled on the program's threads.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(self)
    guard Self.startThread(context.toOpaque()) else {
      context.release()
      return nil
    }
  }

  private static func startThread(_ context: UnsafeMutableRawPointer) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(
        &thread, nil,
        {
          Unmanaged<Ticker>.fromOpaque($0).takeRetainedValue().run()
          return nil
        }, context)
      if status == 0, let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Ticker>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, context)
      if status == 0 { pthread_detach(thread) }
    #endif
    return status == 0
  }

  private func run() {
    var due = start + interval
    var proof = IdleProof(interval: interval)
    var asked: UInt = 0
    while !isOver.load(ordering: .relaxed) {
      let now = MonotonicClock.now
      if now < due {
        Self.sleep(min(due - now, 100_000_000))
        continue
      }
      let overslept = (now - due) / interval
      if proof.mustAsk(after: .seenByThisThread, hasAnswered: answered.load(ordering: .acquiring) == asked) {
        marks.add(data: 1)
        asked &+= 1
      } else {
        idle.withLock { idle in
          idle.lateness.recordTrain(first: now - due, step: interval, count: overslept + 1)
          idle.through = due + overslept * interval
        }
      }
      // Instants that this thread itself overslept are served by the next mark.
      due += (overslept + 1) * interval
    }
  }

  private static func sleep(_ nanoseconds: UInt64) {
    // Not `nanosleep`: which module has the initialiser of its structure differs between builds.
    _ = usleep(useconds_t((nanoseconds + 999) / 1_000))
  }
}
