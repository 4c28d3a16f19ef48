/// A controller: its state, who observes it, and how it ends.
#include "controller.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "feed_census.h"

enum { WORKERS = 2 };

void feed_controller_drop(feed_controller *controller) {
  if (atomic_fetch_sub_explicit(&controller->references, 1, memory_order_acq_rel) != 1) return;
  if (controller->state) feed_shared_state_release(controller->state);
  if (controller->workers) feed_workers_release(controller->workers);
  pthread_mutex_destroy(&controller->mutex);
  free(controller);
  feed_census_add(FEED_COUNT_CONTROLLERS, -1);
}

static void drop(void *context) {
  feed_controller_drop(context);
}

/// One step of what is played, on the loop's thread.
static bool step(void *context, uint64_t index, uint64_t count) {
  char title[48];
  int length = snprintf(title, sizeof title, "%llu of %llu", (unsigned long long)index, (unsigned long long)count);
  feed_phase phase = index == count ? FEED_LOADED : FEED_LOADING;
  return feed_controller_set(context, phase, (double)index / (double)count, title, (size_t)length) == FEED_OK;
}

feed_controller *feed_controller_create(feed_main_queue main_queue) {
  feed_controller *controller = calloc(1, sizeof *controller);
  if (!controller) return NULL;
  feed_census_add(FEED_COUNT_CONTROLLERS, 1);
  atomic_init(&controller->references, 1);
  controller->main_queue = main_queue;
  pthread_mutex_init(&controller->mutex, NULL);
  controller->state = feed_shared_state_create(0, FEED_LOADING, 0, "", 0);
  controller->workers = feed_workers_start(WORKERS);
  // The loop's thread has a reference of its own until it ends.
  atomic_fetch_add(&controller->references, 1);
  controller->loop = feed_loop_start((feed_ticking){step, drop, controller});
  if (controller->state && controller->workers && controller->loop) return controller;

  if (!controller->loop) feed_controller_drop(controller);
  feed_controller_release(controller);
  return NULL;
}

void feed_controller_release(feed_controller *controller) {
  feed_controller_close(controller);
  feed_controller_drop(controller);
}

feed_status feed_controller_observe_on(feed_controller *controller, feed_dispatcher dispatcher, feed_observer observer,
                                       feed_observation **observation) {
  *observation = NULL;
  feed_status status;
  feed_subscriber *subscriber = feed_subscriber_create(controller, dispatcher, observer, &status);
  if (!subscriber) return status;
  *observation = subscriber->observation;
  feed_subscriber_dispatch(subscriber);
  feed_subscriber_release(subscriber);
  return FEED_OK;
}

feed_status feed_controller_observe(feed_controller *controller, feed_observer observer,
                                    feed_observation **observation) {
  return feed_controller_observe_on(controller, FEED_MAIN_IMMEDIATE, observer, observation);
}

feed_status feed_controller_observe_off_main(feed_controller *controller, feed_observer observer,
                                             feed_observation **observation) {
  return feed_controller_observe_on(controller, FEED_WORKER, observer, observation);
}

/// Those who were told to wait for a state, retained, and how many.
static feed_subscriber **tell_all(feed_controller *controller, feed_shared_state *state, size_t *count) {
  feed_subscriber **told = malloc(sizeof(feed_subscriber *) * (controller->subscribers + 1));
  *count = 0;
  if (!told) return NULL;
  for (feed_subscriber *subscriber = controller->first; subscriber; subscriber = subscriber->next) {
    if (feed_subscriber_append(subscriber, state)) told[(*count)++] = feed_subscriber_retain(subscriber);
  }
  return told;
}

feed_status feed_controller_set(feed_controller *controller, feed_phase phase, double progress, const char *title,
                                size_t title_length) {
  if (!(progress >= 0 && progress <= 1)) return FEED_INVALID;
  feed_shared_state *state = feed_shared_state_create(0, phase, progress, title, title_length);
  if (!state) return FEED_NO_RESOURCES;

  pthread_mutex_lock(&controller->mutex);
  size_t count = 0;
  feed_subscriber **told = controller->closed ? NULL : tell_all(controller, state, &count);
  feed_shared_state *before = state;
  if (told) {
    before = controller->state;
    feed_shared_state_number(state, feed_shared_state_view(before)->sequence + 1);
    controller->state = state;
  }
  feed_status status = told ? FEED_OK : controller->closed ? FEED_CLOSED : FEED_NO_RESOURCES;
  pthread_mutex_unlock(&controller->mutex);

  feed_shared_state_release(before);
  for (size_t index = 0; index < count; index++) {
    feed_subscriber_dispatch(told[index]);
    feed_subscriber_release(told[index]);
  }
  free(told);
  return status;
}

/// A change that waits for a worker.
typedef struct {
  feed_controller *controller;
  feed_phase phase;
  double progress;
  size_t title_length;
  char title[];
} change;

static void carry_out(void *context) {
  change *change = context;
  feed_controller_set(change->controller, change->phase, change->progress, change->title, change->title_length);
  feed_controller_drop(change->controller);
  free(change);
}

feed_status feed_controller_set_from_worker(feed_controller *controller, feed_phase phase, double progress,
                                            const char *title, size_t title_length) {
  if (!(progress >= 0 && progress <= 1)) return FEED_INVALID;
  pthread_mutex_lock(&controller->mutex);
  bool closed = controller->closed;
  pthread_mutex_unlock(&controller->mutex);
  if (closed) return FEED_CLOSED;
  if (title_length > SIZE_MAX - sizeof(change)) return FEED_NO_RESOURCES;
  change *asked = malloc(sizeof *asked + title_length);
  if (!asked) return FEED_NO_RESOURCES;
  *asked = (change){.controller = controller, .phase = phase, .progress = progress, .title_length = title_length};
  if (title_length > 0) memcpy(asked->title, title, title_length);
  atomic_fetch_add(&controller->references, 1);
  if (feed_workers_submit(controller->workers, carry_out, asked)) return FEED_OK;
  feed_controller_drop(controller);
  free(asked);
  return FEED_CLOSED;
}

feed_status feed_controller_play(feed_controller *controller, uint64_t count, uint64_t interval) {
  pthread_mutex_lock(&controller->mutex);
  bool closed = controller->closed;
  // Under the lock, so that the loop is not stopped, and gone, in between.
  if (!closed) feed_loop_play(controller->loop, count, interval);
  pthread_mutex_unlock(&controller->mutex);
  return closed ? FEED_CLOSED : FEED_OK;
}

void feed_controller_close(feed_controller *controller) {
  pthread_mutex_lock(&controller->mutex);
  bool first = !controller->closed;
  controller->closed = true;
  if (first && controller->loop) feed_loop_stop(controller->loop);
  // Taken from the list here and not when each has ended: one whose end is under way, perhaps further up on this very
  // stack, must not be waited for.
  feed_subscriber *subscriber;
  while ((subscriber = controller->first)) {
    feed_subscriber_unlist(subscriber);
    pthread_mutex_unlock(&controller->mutex);
    feed_observation_cancel(subscriber->observation);
    feed_subscriber_release(subscriber);
    pthread_mutex_lock(&controller->mutex);
  }
  pthread_mutex_unlock(&controller->mutex);
  if (first && controller->workers) feed_workers_stop(controller->workers);
}
