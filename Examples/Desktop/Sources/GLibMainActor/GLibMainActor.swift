/// Swift's main actor in a program whose main loop is GLib's.
import CGLibMainActor
import Dispatch

/// Lets GLib's main loop serve Swift's main actor and the main Dispatch queue, on the one main thread.
///
/// On Linux the main actor's executor is the main Dispatch queue, and nobody drains that queue while
/// `g_application_run`, `g_main_loop_run` or `gtk_main` has the main thread: main-actor tasks are created and silently
/// never run. `attach()` makes the queue a source of GLib's default main context. From then on `Task { @MainActor in }`,
/// `await` back to the main actor, `DispatchQueue.main.async`, timers on the main queue and `Observations` work, and
/// GLib's callbacks may enter the main actor with `MainActor.assumeIsolated`, because they come on its thread.
///
/// ```swift
/// @main struct App {
///   @MainActor static func main() throws {              // not async
///     try GLibMainActor.attach()
///     let app = gtk_application_new("org.example.App", G_APPLICATION_DEFAULT_FLAGS)
///     // … connect "activate"; in its callback: MainActor.assumeIsolated { … }
///     exit(g_application_run(app, 0, nil))
///   }
/// }
/// ```
///
/// - `main` must be synchronous. An async main leaves the main thread at its first suspension, and the main actor goes
///   on on a thread where a toolkit must not be used; `attach()` throws there.
/// - Order is that of the main queue: first in, first out. All that is on the queue when its turn comes runs in one
///   turn of the loop; what that enqueues runs in a later one. A main actor that never pauses gives way every few
///   milliseconds to the other sources of the loop, redrawing included.
/// - A nested loop in a main-actor job (`g_main_context_iteration`, a modal dialog that waits) runs no other main-actor
///   job: the actor is busy. What is enqueued meanwhile runs when the job has ended. In a handler of GLib's that is not
///   within a job, a nested loop does run jobs; so do not run one in `assumeIsolated` while state is half changed.
/// - Foundation's main `RunLoop` does the same for its own loop. Run one or the other.
@MainActor
public enum GLibMainActor {
  /// True from `attach` to `detach`.
  public static var isAttached: Bool { glib_main_actor_is_attached() }

  /// Serves the main actor from GLib's default main context; call it before the loop runs.
  ///
  /// Attaching twice is attaching once, with the priority of the second call.
  ///
  /// - Parameter priority: a GLib priority. 0, the default, is that of input events; GTK redraws at 120.
  /// - Throws: ``GLibMainActorError`` when this thread or this libdispatch cannot be served that way. Nothing has
  ///   changed then.
  public static func attach(priority: Int32 = 0) throws(GLibMainActorError) {
    switch glib_main_actor_attach(priority, putProbe) {
    case glib_main_actor_ok: return
    case glib_main_actor_not_main_thread: throw .notTheMainThread
    case glib_main_actor_no_functions: throw .unknownDispatch("it does not export the main queue's handle")
    case glib_main_actor_no_eventfd: throw .unknownDispatch("the main queue's handle is not an eventfd")
    default: throw .unknownDispatch("the main queue's handle does not tell when there is work")
    }
  }

  /// Stops serving the main actor. What is enqueued stays, and runs if it is attached again.
  public static func detach() {
    glib_main_actor_detach()
  }

  /// Has the loop measure itself; `nil` ends it.
  ///
  /// Costs two readings of a clock for a turn of the loop and two for a stretch of jobs.
  public static func observe(_ observer: (any LoopObserver)?) {
    self.observer = observer
    guard observer != nil else { return glib_main_actor_observe(nil, nil) }
    glib_main_actor_observe(tellOfJobs, tellOfTurn)
  }

  fileprivate static var observer: (any LoopObserver)?
}

/// What `attach` finds out by whether the main queue's handle tells when there is work.
private func putProbe() { DispatchQueue.main.async {} }

// Contract: `pump.c` calls both on the thread that drains the main queue, which `glib_main_actor_attach` has checked to be
// the main thread (`glib_main_actor_not_main_thread`).
private func tellOfJobs(_ length: UInt64) {
  MainActor.assumeIsolated { GLibMainActor.observer?.ranJobs(for: .nanoseconds(Int64(length))) }
}

// Contract: as above; turns are told by the poll function of the default main context, whose loop has the main thread.
private func tellOfTurn(_ length: UInt64) {
  MainActor.assumeIsolated { GLibMainActor.observer?.turned(for: .nanoseconds(Int64(length))) }
}

/// Told what the main loop does, on the main actor. What it does itself lengthens the turn that it is told of next.
@MainActor
public protocol LoopObserver: AnyObject {
  /// Jobs and blocks of the main queue ran one after the other for so long: one job, most of the time.
  func ranJobs(for length: Duration)
  /// One turn of the loop, from the end of a wait to the beginning of the next: jobs, handlers of events, timers and
  /// drawing together.
  func turned(for length: Duration)
}
