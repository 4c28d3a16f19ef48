/// One observer of a controller: what waits for it, and where it is told.
#include <stdlib.h>

#include "controller.h"

struct feed_waiting {
  struct feed_waiting *next;
  feed_shared_state *state;
};

feed_subscriber *feed_subscriber_retain(feed_subscriber *subscriber) {
  atomic_fetch_add_explicit(&subscriber->references, 1, memory_order_relaxed);
  return subscriber;
}

/// With the controller's lock held.
static feed_shared_state *take(feed_subscriber *subscriber) {
  struct feed_waiting *oldest = subscriber->oldest;
  if (!oldest) return NULL;
  feed_shared_state *state = oldest->state;
  subscriber->oldest = oldest->next;
  if (!subscriber->oldest) subscriber->newest = NULL;
  free(oldest);
  return state;
}

void feed_subscriber_release(feed_subscriber *subscriber) {
  if (atomic_fetch_sub_explicit(&subscriber->references, 1, memory_order_acq_rel) != 1) return;
  feed_shared_state *state;
  while ((state = take(subscriber))) feed_shared_state_release(state);
  feed_observation_release(subscriber->observation);
  feed_controller_drop(subscriber->controller);
  free(subscriber);
}

bool feed_subscriber_unlist(feed_subscriber *subscriber) {
  if (!subscriber->listed) return false;
  feed_controller *controller = subscriber->controller;
  if (subscriber->previous) subscriber->previous->next = subscriber->next;
  else controller->first = subscriber->next;
  if (subscriber->next) subscriber->next->previous = subscriber->previous;
  subscriber->previous = subscriber->next = NULL;
  subscriber->listed = false;
  controller->subscribers -= 1;
  return true;
}

/// The observation ended: nothing waits any more, and the controller forgets it.
static void ended(void *context) {
  feed_subscriber *subscriber = context;
  feed_controller *controller = subscriber->controller;
  pthread_mutex_lock(&controller->mutex);
  bool listed = feed_subscriber_unlist(subscriber);
  struct feed_waiting *waiting = subscriber->oldest;
  subscriber->oldest = subscriber->newest = NULL;
  pthread_mutex_unlock(&controller->mutex);
  while (waiting) {
    struct feed_waiting *next = waiting->next;
    feed_shared_state_release(waiting->state);
    free(waiting);
    waiting = next;
  }
  if (listed) feed_subscriber_release(subscriber);
  feed_subscriber_release(subscriber);
}

feed_subscriber *feed_subscriber_create(feed_controller *controller, feed_dispatcher dispatcher, feed_observer observer,
                                        feed_status *status) {
  *status = FEED_NO_RESOURCES;
  feed_subscriber *subscriber = calloc(1, sizeof *subscriber);
  if (!subscriber) {
    if (observer.release) observer.release(observer.context);
    return NULL;
  }
  atomic_fetch_add_explicit(&controller->references, 1, memory_order_relaxed);
  // For the list, for the observation, for the caller.
  atomic_init(&subscriber->references, 3);
  subscriber->controller = controller;
  subscriber->dispatcher = dispatcher;
  subscriber->observation = feed_observation_create(observer, (feed_source){ended, subscriber});
  if (!subscriber->observation) {
    feed_controller_drop(controller);
    free(subscriber);
    return NULL;
  }

  pthread_mutex_lock(&controller->mutex);
  bool appended = !controller->closed && feed_subscriber_append(subscriber, controller->state);
  if (controller->closed) *status = FEED_CLOSED;
  if (appended) {
    subscriber->next = controller->first;
    if (subscriber->next) subscriber->next->previous = subscriber;
    controller->first = subscriber;
    subscriber->listed = true;
    controller->subscribers += 1;
    *status = FEED_OK;
  }
  pthread_mutex_unlock(&controller->mutex);
  if (appended) return subscriber;

  feed_observation_cancel(subscriber->observation);
  feed_observation_release(subscriber->observation);
  feed_subscriber_release(subscriber);
  feed_subscriber_release(subscriber);
  return NULL;
}

bool feed_subscriber_append(feed_subscriber *subscriber, feed_shared_state *state) {
  struct feed_waiting *waiting = malloc(sizeof *waiting);
  if (!waiting) return false;
  *waiting = (struct feed_waiting){NULL, feed_shared_state_retain(state)};
  if (subscriber->newest) subscriber->newest->next = waiting;
  else subscriber->oldest = waiting;
  subscriber->newest = waiting;
  return true;
}

/// Tells what waits, until nothing does.
static void drain(feed_subscriber *subscriber, bool was_scheduled) {
  feed_controller *controller = subscriber->controller;
  pthread_mutex_lock(&controller->mutex);
  if (was_scheduled) subscriber->scheduled = false;
  if (subscriber->draining) {
    pthread_mutex_unlock(&controller->mutex);
    return;
  }
  subscriber->draining = true;
  feed_shared_state *state;
  while ((state = take(subscriber))) {
    pthread_mutex_unlock(&controller->mutex);
    feed_observation_deliver(subscriber->observation, feed_shared_state_view(state));
    feed_shared_state_release(state);
    pthread_mutex_lock(&controller->mutex);
  }
  subscriber->draining = false;
  pthread_mutex_unlock(&controller->mutex);
}

static void take_turn(void *context) {
  feed_subscriber *subscriber = context;
  drain(subscriber, true);
  feed_subscriber_release(subscriber);
}

void feed_subscriber_dispatch(feed_subscriber *subscriber) {
  feed_controller *controller = subscriber->controller;
  if (subscriber->dispatcher == FEED_MAIN_IMMEDIATE && controller->main_queue.is_current()) {
    drain(subscriber, false);
    return;
  }
  pthread_mutex_lock(&controller->mutex);
  bool schedule = !subscriber->scheduled && subscriber->oldest;
  subscriber->scheduled = subscriber->scheduled || schedule;
  pthread_mutex_unlock(&controller->mutex);
  if (!schedule) return;

  feed_subscriber_retain(subscriber);
  if (subscriber->dispatcher != FEED_WORKER) {
    controller->main_queue.post(take_turn, subscriber);
  } else if (!feed_workers_submit(controller->workers, take_turn, subscriber)) {
    // Stopped: the observation has ended or is about to. Without memory, the next state tries again.
    pthread_mutex_lock(&controller->mutex);
    subscriber->scheduled = false;
    pthread_mutex_unlock(&controller->mutex);
    feed_subscriber_release(subscriber);
  }
}
