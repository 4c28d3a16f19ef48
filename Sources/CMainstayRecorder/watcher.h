// A thread that looks, a hundred times a second, whether something runs too long on the main actor, and then at what it
// does. It sends a signal only to a thread that overran the budget and is running.
#ifndef MAINSTAY_WATCHER_H
#define MAINSTAY_WATCHER_H

/// Starts watching. Without it everything but samples is recorded.
void mainstay_watcher_start(void);
void mainstay_watcher_stop(void);
/// Between these two calls no signal is under way: an executed program would be ended by it.
void mainstay_watcher_hold(void);
void mainstay_watcher_release(void);
/// In a forked child, where the thread does not exist.
void mainstay_watcher_forget(void);

#endif
