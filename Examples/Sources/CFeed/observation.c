/// One observation: a gate that callbacks pass, and that shuts for good.
#include "feed_observation.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "feed_census.h"

struct feed_observation {
  atomic_uint references;
  feed_observer observer;
  feed_source source;
  pthread_mutex_t mutex;
  /// Signalled when the last callback has left.
  pthread_cond_t left;
  unsigned inside;
  bool shut;
  bool released;
};

/// Callbacks that this thread is in the middle of, of whatever observation. Whoever is in one waits for none: two
/// callbacks that cancel each other's observation would wait forever.
static _Thread_local unsigned callbacks_here;

feed_observation *feed_observation_create(feed_observer observer, feed_source source) {
  feed_observation *observation = calloc(1, sizeof *observation);
  if (!observation) {
    if (observer.release) observer.release(observer.context);
    return NULL;
  }
  atomic_init(&observation->references, 2);
  observation->observer = observer;
  observation->source = source;
  pthread_mutex_init(&observation->mutex, NULL);
  pthread_cond_init(&observation->left, NULL);
  feed_census_add(FEED_COUNT_OBSERVATIONS, 1);
  return observation;
}

feed_observation *feed_observation_retain(feed_observation *observation) {
  atomic_fetch_add_explicit(&observation->references, 1, memory_order_relaxed);
  return observation;
}

/// With the lock held, which this gives up: once shut and empty, the observer is let go.
static void unlock(feed_observation *observation) {
  bool release = observation->shut && observation->inside == 0 && !observation->released;
  if (release) observation->released = true;
  pthread_mutex_unlock(&observation->mutex);
  if (release && observation->observer.release) observation->observer.release(observation->observer.context);
}

void feed_observation_release(feed_observation *observation) {
  if (!observation || atomic_fetch_sub_explicit(&observation->references, 1, memory_order_acq_rel) != 1) return;
  // Nobody is left who could deliver.
  pthread_mutex_lock(&observation->mutex);
  observation->shut = true;
  unlock(observation);
  pthread_cond_destroy(&observation->left);
  pthread_mutex_destroy(&observation->mutex);
  free(observation);
  feed_census_add(FEED_COUNT_OBSERVATIONS, -1);
}

static void end_source(feed_observation *observation) {
  if (observation->source.ended) observation->source.ended(observation->source.context);
}

bool feed_observation_deliver(feed_observation *observation, const feed_state *state) {
  pthread_mutex_lock(&observation->mutex);
  if (observation->shut) {
    pthread_mutex_unlock(&observation->mutex);
    return false;
  }
  observation->inside += 1;
  pthread_mutex_unlock(&observation->mutex);

  callbacks_here += 1;
  int status = observation->observer.on_state(observation->observer.context, state);
  callbacks_here -= 1;

  pthread_mutex_lock(&observation->mutex);
  observation->inside -= 1;
  bool ended_now = status != 0 && !observation->shut;
  if (ended_now) observation->shut = true;
  bool active = !observation->shut;
  if (observation->inside == 0) pthread_cond_broadcast(&observation->left);
  unlock(observation);
  if (ended_now) end_source(observation);
  return active;
}

void feed_observation_cancel(feed_observation *observation) {
  pthread_mutex_lock(&observation->mutex);
  bool ended_now = !observation->shut;
  observation->shut = true;
  // The second caller waits as well: what is promised when this returns is promised to both.
  while (observation->inside > 0 && callbacks_here == 0) pthread_cond_wait(&observation->left, &observation->mutex);
  unlock(observation);
  if (ended_now) end_source(observation);
}

bool feed_observation_is_active(feed_observation *observation) {
  pthread_mutex_lock(&observation->mutex);
  bool active = !observation->shut;
  pthread_mutex_unlock(&observation->mutex);
  return active;
}
