/// A few threads that run what they are given, in the order in which it came.
#pragma once

#include <stdbool.h>

typedef struct feed_workers feed_workers;

/// Null without memory or threads.
feed_workers *feed_workers_start(unsigned count);

/// Runs `work(context)` on one of the threads. False without memory, or when they were stopped.
bool feed_workers_submit(feed_workers *workers, void (*work)(void *context), void *context);

/// Lets the threads run what they have been given, and end. Waits for nothing.
void feed_workers_stop(feed_workers *workers);

/// Gives up the caller's reference. Stop them before.
void feed_workers_release(feed_workers *workers);
