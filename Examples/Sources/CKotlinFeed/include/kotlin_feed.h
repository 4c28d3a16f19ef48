/// The feed in Kotlin: real coroutines on a Java virtual machine in this process, with the promises of feed.h.
///
/// It is Kotlin on the JVM, not Kotlin/Native. Every name begins with `kfeed_`. All functions may be called on any thread,
/// also from within a callback; threads are attached to the machine as they come, and leave it when they end.
#pragma once

#include "feed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  /// The path of libjvm.so.
  const char *library;
  /// Jars, separated by colons.
  const char *class_path;
  /// Let the machine check every call of ours, and write what is wrong to the output.
  bool check_jni;
} kfeed_machine;

/// Starts the machine, for the rest of the process. False when it cannot be; `kfeed_problem` says why. There is no second
/// try: a process has one machine at most.
bool kfeed_start(kfeed_machine machine, feed_main_queue main_queue);

/// What went wrong in the last call of this thread that failed. Valid until its next call.
const char *kfeed_problem(void);

/// The versions of Kotlin, its coroutines and Java, once the machine has started.
const char *kfeed_runtime(void);

typedef struct kfeed_controller kfeed_controller;

/// As `feed_controller_create`. Null when Kotlin failed; `kfeed_problem` says how. The machine must have been started.
kfeed_controller *kfeed_controller_create(void);

/// As `feed_controller_release`.
void kfeed_controller_release(kfeed_controller *controller);

/// As `feed_controller_observe`: `FeedController.observe` in Kotlin.
feed_status kfeed_controller_observe(kfeed_controller *controller, feed_observer observer,
                                     feed_observation **observation);

/// As `feed_controller_observe_off_main`: `FeedController.observeOffMain` in Kotlin.
feed_status kfeed_controller_observe_off_main(kfeed_controller *controller, feed_observer observer,
                                              feed_observation **observation);

/// As `feed_controller_observe_on`.
feed_status kfeed_controller_observe_on(kfeed_controller *controller, feed_dispatcher dispatcher,
                                        feed_observer observer, feed_observation **observation);

/// As `feed_controller_set`.
feed_status kfeed_controller_set(kfeed_controller *controller, feed_phase phase, double progress, const char *title,
                                 size_t title_length);

/// As `feed_controller_set_from_worker`.
feed_status kfeed_controller_set_from_worker(kfeed_controller *controller, feed_phase phase, double progress,
                                             const char *title, size_t title_length);

/// As `feed_controller_play`.
feed_status kfeed_controller_play(kfeed_controller *controller, uint64_t count, uint64_t interval);

/// As `feed_controller_close`.
void kfeed_controller_close(kfeed_controller *controller);

#ifdef __cplusplus
}
#endif
