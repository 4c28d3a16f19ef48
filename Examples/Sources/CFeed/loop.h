/// The event loop: one thread that waits for its timer and for commands.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct feed_loop feed_loop;

typedef struct {
  /// Called on the loop's thread for the `index`-th of `count` ticks, from 1. False: no more of them.
  bool (*tick)(void *context, uint64_t index, uint64_t count);
  /// Called once, on the loop's thread, when it ends.
  void (*ended)(void *context);
  void *context;
} feed_ticking;

/// Null without memory, descriptors or threads; then `ended` is not called.
feed_loop *feed_loop_start(feed_ticking ticking);

/// Ticks `count` times, once every `interval` nanoseconds, or as fast as it can when that is 0, instead of what it did.
void feed_loop_play(feed_loop *loop, uint64_t count, uint64_t interval);

/// Ends the thread, which frees the loop. Nothing may be asked of it afterwards.
void feed_loop_stop(feed_loop *loop);
