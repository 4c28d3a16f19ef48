/** `Dispatchers.Main` of this process: the main queue of the Swift program around it. */
package feed

import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.MainCoroutineDispatcher
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.internal.MainDispatcherFactory

/** Posts to the main queue; its [immediate] runs in place when the caller is there already. */
internal class SwiftMain(private val inPlace: Boolean) : MainCoroutineDispatcher() {
  override val immediate: MainCoroutineDispatcher by lazy { if (inPlace) this else SwiftMain(true) }

  override fun isDispatchNeeded(context: CoroutineContext) = !inPlace || !Bridge.isMainCurrent()

  override fun dispatch(context: CoroutineContext, block: Runnable) = Bridge.postToMain(block)

  override fun toString() = if (inPlace) "Dispatchers.Main.immediate (Swift)" else "Dispatchers.Main (Swift)"
}

/** Found by kotlinx.coroutines through META-INF/services, as an Android's or a desktop toolkit's would be. */
@OptIn(InternalCoroutinesApi::class)
internal class SwiftMainFactory : MainDispatcherFactory {
  override val loadPriority = Int.MAX_VALUE

  override fun createDispatcher(allFactories: List<MainDispatcherFactory>): MainCoroutineDispatcher = SwiftMain(false)
}
