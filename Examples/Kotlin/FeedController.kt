/** The feed of the article, in Kotlin: a state that changes, observed on the main thread or anywhere. */
package feed

import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch

/** One state of a feed. [sequence] is 0 for the state that it begins with, and one more with each update. */
class FeedState(val sequence: Long, val phase: Int, val progress: Double, val title: ByteArray)

/** Ends an observation. */
fun interface Cancellable {
  fun cancel()
}

/** Told of a state. False: the observation has ended. */
fun interface OnState {
  fun onState(state: FeedState): Boolean
}

class FeedController {
  /**
   * Main.immediate, as part of the contract rather than as an implementation detail: the Swift side's asserted boundary
   * is a precondition on exactly this, and a change of the dispatcher turns a working application into a trap.
   */
  private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Main.immediate)

  private val offMainScope = CoroutineScope(SupervisorJob() + Dispatchers.Default)

  /**
   * One for each observer, with every state for it, however slow it is. A `StateFlow` would leave some out, and a shared
   * flow with a buffer without limit stopped telling one of two observers when four threads published at once (1.8.0).
   */
  private val observers = mutableSetOf<Channel<FeedState>>()
  private var latest = FeedState(0, 0, 0.0, ByteArray(0))
  private var closed = false
  private var playing: Job? = null

  /**
   * Callbacks are invoked on the MAIN THREAD, always: within this call, and within [set], when they are called there and
   * no earlier update still waits for its turn. Consumers may assume main-actor isolation.
   *
   * @param onEnd called once, when [onState] will not be called any more.
   */
  fun observe(onState: OnState, onEnd: () -> Unit): Cancellable = collect(scope, null, onState, onEnd)

  /**
   * Callbacks are invoked on an ARBITRARY THREAD, never on the main one. Named differently on purpose: the caller has to
   * choose another boundary, and no type tells it which.
   */
  fun observeOffMain(onState: OnState, onEnd: () -> Unit): Cancellable = collect(offMainScope, null, onState, onEnd)

  /** Callbacks are invoked where [dispatcher] says. */
  fun observeOn(dispatcher: CoroutineDispatcher, onState: OnState, onEnd: () -> Unit): Cancellable =
    collect(offMainScope, dispatcher, onState, onEnd)

  private fun collect(
    owner: CoroutineScope,
    dispatcher: CoroutineDispatcher?,
    onState: OnState,
    onEnd: () -> Unit,
  ): Cancellable {
    val states = Channel<FeedState>(Channel.UNLIMITED)
    synchronized(this) {
      states.trySend(latest)
      observers += states
    }
    val job =
      owner.launch(dispatcher ?: EmptyCoroutineContext) {
        for (state in states) if (!onState.onState(state)) break
      }
    job.invokeOnCompletion {
      synchronized(this) { observers -= states }
      onEnd()
    }
    return Cancellable { job.cancel() }
  }

  /**
   * Changes the state on the calling thread.
   *
   * Under a lock, which callbacks on the main thread then run within: the order of the numbers is the order of the
   * states. Another thread's update waits for them.
   *
   * @throws IllegalStateException when the controller is closed.
   */
  fun set(phase: Int, progress: Double, title: ByteArray) {
    synchronized(this) {
      check(!closed) { CLOSED }
      latest = FeedState(latest.sequence + 1, phase, progress, title)
      for (states in observers.toList()) states.trySend(latest)
    }
  }

  /** Changes the state on a worker, later. */
  fun setFromWorker(phase: Int, progress: Double, title: ByteArray) {
    synchronized(this) {
      check(!closed) { CLOSED }
      offMainScope.launch { setUnlessClosed(phase, progress, title) }
    }
  }

  /** Changes the state [count] times from workers, once every [interval] nanoseconds, or as fast as it can. */
  fun play(count: Long, interval: Long) {
    synchronized(this) {
      check(!closed) { CLOSED }
      playing?.cancel()
      playing =
        offMainScope.launch {
          val start = System.nanoTime()
          for (index in 1..count) {
            ensureActive()
            val wait = start + index * interval - System.nanoTime()
            if (interval > 0 && wait > 0) delay((wait + 999_999) / 1_000_000)
            val title = "$index of $count".encodeToByteArray()
            if (!setUnlessClosed(if (index == count) 1 else 0, index.toDouble() / count, title)) break
          }
        }
    }
  }

  private fun setUnlessClosed(phase: Int, progress: Double, title: ByteArray): Boolean =
    synchronized(this) {
      if (closed) return false
      set(phase, progress, title)
      true
    }

  /** Cancels both scopes. Called from the platform when the controller is discarded. */
  fun close() {
    synchronized(this) { closed = true }
    scope.cancel()
    offMainScope.cancel()
  }

  companion object {
    const val CLOSED = "the feed is closed"
  }
}
