/** Where the two runtimes meet on Kotlin's side. The C side is Examples/Sources/CKotlinFeed/callbacks.c. */
package feed

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Runnable

internal object Bridge {
  /** Whether the calling code runs on the main queue. */
  @JvmStatic external fun isMainCurrent(): Boolean

  /** Has [run] called with the block on the main queue. */
  @JvmStatic external fun postToMain(block: Runnable)

  /** Tells an observation of a state. False when it has ended. */
  @JvmStatic
  external fun deliver(token: Long, sequence: Long, phase: Int, progress: Double, title: ByteArray): Boolean

  /** An observation will not be told of anything any more. */
  @JvmStatic external fun ended(token: Long)

  @JvmStatic fun run(block: Runnable) = block.run()

  /** What runs here, with its versions. The coroutines say theirs in a file of their jar, and nowhere else. */
  @JvmStatic
  fun runtime(): String {
    val file = Bridge::class.java.getResource("/META-INF/kotlinx_coroutines_core.version")
    return "Kotlin ${KotlinVersion.CURRENT}, coroutines ${file?.readText()?.trim() ?: "of no version"}, " +
      "Java ${System.getProperty("java.version")}"
  }

  @JvmStatic fun controller() = FeedController()

  /** @param dispatcher a number of feed.h, or -1 for `observe` and -2 for `observeOffMain`. */
  @JvmStatic
  fun observe(controller: FeedController, dispatcher: Int, token: Long): Cancellable {
    val onState = OnState { deliver(token, it.sequence, it.phase, it.progress, it.title) }
    val onEnd = { ended(token) }
    return when (dispatcher) {
      -1 -> controller.observe(onState, onEnd)
      -2 -> controller.observeOffMain(onState, onEnd)
      else -> controller.observeOn(dispatcher(dispatcher), onState, onEnd)
    }
  }

  private fun dispatcher(number: Int): CoroutineDispatcher =
    when (number) {
      0 -> Dispatchers.Main.immediate
      1 -> Dispatchers.Main
      else -> Dispatchers.Default
    }
}
