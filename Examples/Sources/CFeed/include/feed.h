/// A feed: a state that changes, and those who observe it. A runtime of its own, with threads and an event loop that
/// no Swift executor knows of.
///
/// Every name begins with `feed_`. All functions may be called on any thread unless they say otherwise, also from
/// within a callback.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a function did.
typedef enum : int32_t {
  FEED_OK = 0,
  /// The controller was closed.
  FEED_CLOSED = 1,
  /// A progress that is no number from 0 to 1.
  FEED_INVALID = 2,
  /// No memory or no thread was left.
  FEED_NO_RESOURCES = 3,
  /// The runtime of an implementation failed. The C one has none that could.
  FEED_FOREIGN = 4,
} feed_status;

typedef enum : int32_t {
  FEED_LOADING = 0,
  FEED_LOADED = 1,
  FEED_FAILED = 2,
} feed_phase;

/// One state of a feed. An observer's is valid until its callback returns.
typedef struct {
  /// 0 for the state that a feed begins with, one more with each update.
  int64_t sequence;
  feed_phase phase;
  /// From 0 to 1.
  double progress;
  /// UTF-8, of `title_length` bytes, with a zero behind them that is not counted.
  const char *title;
  size_t title_length;
} feed_state;

/// Where callbacks are made.
typedef enum : int32_t {
  /// On the main thread: within the call that caused them when it is made there, otherwise as soon as that is free.
  FEED_MAIN_IMMEDIATE = 0,
  /// On the main thread, on a later turn of its queue.
  FEED_MAIN = 1,
  /// On any thread of the feed's own.
  FEED_WORKER = 2,
} feed_dispatcher;

/// The main thread's queue, which belongs to the host.
typedef struct {
  /// Whether the calling code runs on it.
  bool (*is_current)(void);
  /// Runs `work(context)` on it, later and once.
  void (*post)(void (*work)(void *context), void *context);
} feed_main_queue;

/// Who is told of states.
typedef struct {
  /// Called with each state, one after another. Not 0: the observation ends, as if it had been cancelled.
  int (*on_state)(void *context, const feed_state *state);
  /// Called once, when `on_state` will not be called any more. May be null.
  void (*release)(void *context);
  void *context;
} feed_observer;

/// One observation, and the handle that cancels it.
typedef struct feed_observation feed_observation;

typedef struct feed_controller feed_controller;

/// A controller in its first state: loading, progress 0, no title, sequence 0.
///
/// Returns null when no memory or no thread is left.
feed_controller *feed_controller_create(feed_main_queue main_queue);

/// Closes the controller and gives it up. It is freed when its threads have ended.
void feed_controller_release(feed_controller *controller);

/// Calls back on the MAIN THREAD, always: within this call and within `feed_controller_set` when they are called there.
/// Consumers may assume main-actor isolation.
///
/// The observer is told of the present state exactly once, and of every later one, in order. On FEED_OK `*observation`
/// is a handle, to be given to `feed_observation_release`; otherwise the observer was released.
feed_status feed_controller_observe(feed_controller *controller, feed_observer observer,
                                    feed_observation **observation);

/// Calls back on an ARBITRARY THREAD, never on the main one. Named differently on purpose: no type tells the two apart.
///
/// The observer is told of the present state exactly once, and of every later one, in order.
feed_status feed_controller_observe_off_main(feed_controller *controller, feed_observer observer,
                                             feed_observation **observation);

/// Calls back where `dispatcher` says.
feed_status feed_controller_observe_on(feed_controller *controller, feed_dispatcher dispatcher, feed_observer observer,
                                       feed_observation **observation);

/// Changes the state. Called on the main thread, observers that are promised it are called back before this returns;
/// called from within one of their callbacks, right after that callback.
feed_status feed_controller_set(feed_controller *controller, feed_phase phase, double progress, const char *title,
                                size_t title_length);

/// Changes the state on one of the feed's own threads, later. The status says whether it will.
feed_status feed_controller_set_from_worker(feed_controller *controller, feed_phase phase, double progress,
                                            const char *title, size_t title_length);

/// Changes the state `count` times from the event loop, once every `interval` nanoseconds, or as fast as it can when
/// that is 0. Progress goes from 0 to 1; the last state is loaded. Replaces what was played before.
feed_status feed_controller_play(feed_controller *controller, uint64_t count, uint64_t interval);

/// Ends every observation and stops all threads. Called from outside of callbacks, no callback runs any more when this
/// returns; called from within one, none begins. Does nothing the second time.
///
/// It waits for callbacks on other threads to return, so these must not wait for the thread that closes.
void feed_controller_close(feed_controller *controller);

/// Ends the observation, with the same promises as `feed_controller_close`. Does nothing the second time.
void feed_observation_cancel(feed_observation *observation);

/// Whether states can still come.
bool feed_observation_is_active(feed_observation *observation);

/// Gives up the handle. The observation goes on unless it was cancelled.
void feed_observation_release(feed_observation *observation);

/// Everything that exists in this process at the moment.
typedef struct {
  int64_t controllers;
  int64_t observations;
  int64_t states;
  int64_t threads;
  /// To objects of another runtime.
  int64_t references;
} feed_census;

feed_census feed_census_take(void);

/// Waits until nothing exists, but no longer than `milliseconds`. Whether that came to be.
bool feed_census_await_none(uint32_t milliseconds);

#ifdef __cplusplus
}
#endif
