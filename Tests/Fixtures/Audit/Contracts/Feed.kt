package feed

import kotlinx.coroutines.flow.StateFlow

/** Delivers on the main dispatcher. */
class Feed(private val source: Source) {
    /* State changes are posted one at a time. */
    val state: StateFlow<Int>
        get() = source.state

    fun observe(onEach: (Int) -> Unit): Job =
        scope.launch(Dispatchers.Main.immediate) {
            state.collect { onEach(it) }
        }

    companion object {
        const val VERSION = 3
    }
}
