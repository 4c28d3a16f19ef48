/// What the parts of a controller share.
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "feed_observation.h"
#include "loop.h"
#include "state.h"
#include "workers.h"

typedef struct feed_subscriber feed_subscriber;

struct feed_controller {
  atomic_uint references;
  feed_main_queue main_queue;
  feed_workers *workers;
  feed_loop *loop;
  /// Guards what follows, and every subscriber's queue.
  pthread_mutex_t mutex;
  bool closed;
  feed_shared_state *state;
  feed_subscriber *first;
  size_t subscribers;
};

void feed_controller_drop(feed_controller *controller);

/// An observation's place in its controller. The list holds one reference, the observation another until it has ended,
/// and each turn that is queued one more.
struct feed_subscriber {
  atomic_uint references;
  feed_controller *controller;
  /// Held until the subscriber is freed: a turn may have taken a state when the observation ends.
  feed_observation *observation;
  feed_dispatcher dispatcher;
  feed_subscriber *previous;
  feed_subscriber *next;
  bool listed;
  /// States that wait, in order.
  struct feed_waiting *oldest;
  struct feed_waiting *newest;
  /// A turn is queued, on the main queue or with the workers.
  bool scheduled;
  /// A turn is being taken: states come one after another, also when a callback changes the state.
  bool draining;
};

/// Makes an observation and lists it, with the present state waiting. Null without memory or when closed; then the
/// observer was released, and `*status` says which.
feed_subscriber *feed_subscriber_create(feed_controller *controller, feed_dispatcher dispatcher, feed_observer observer,
                                        feed_status *status);
feed_subscriber *feed_subscriber_retain(feed_subscriber *subscriber);
void feed_subscriber_release(feed_subscriber *subscriber);

/// With the controller's lock held: lets it wait for a state. False without memory.
bool feed_subscriber_append(feed_subscriber *subscriber, feed_shared_state *state);

/// With the controller's lock held: takes it from the list, whose reference becomes the caller's. False when it is in
/// none.
bool feed_subscriber_unlist(feed_subscriber *subscriber);

/// Without the lock: sees to it that what waits is told where it was promised.
void feed_subscriber_dispatch(feed_subscriber *subscriber);
