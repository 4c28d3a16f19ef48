/// Drives the feed without Swift, so that sanitizers see all of it. One argument: the check. Exits with 0 when it holds.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed.h"

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

// MARK: A main queue, run by the thread that runs main

typedef struct posted {
  struct posted *next;
  void (*work)(void *context);
  void *context;
} posted;

static pthread_t main_thread;
static pthread_mutex_t main_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t main_given = PTHREAD_COND_INITIALIZER;
static posted *main_first, *main_last;

static bool main_is_current(void) { return pthread_equal(pthread_self(), main_thread) != 0; }

static void main_post(void (*work)(void *context), void *context) {
  posted *given = malloc(sizeof *given);
  CHECK(given);
  *given = (posted){NULL, work, context};
  pthread_mutex_lock(&main_mutex);
  if (main_last) main_last->next = given;
  else main_first = given;
  main_last = given;
  pthread_cond_signal(&main_given);
  pthread_mutex_unlock(&main_mutex);
}

static bool main_turn(bool wait) {
  pthread_mutex_lock(&main_mutex);
  while (wait && !main_first) pthread_cond_wait(&main_given, &main_mutex);
  posted *taken = main_first;
  if (taken) main_first = taken->next;
  if (!main_first) main_last = NULL;
  pthread_mutex_unlock(&main_mutex);
  if (!taken) return false;
  taken->work(taken->context);
  free(taken);
  return true;
}

static const feed_main_queue main_queue = {main_is_current, main_post};

// MARK: An observer that counts

typedef struct {
  atomic_llong last;
  atomic_llong seen;
  atomic_llong off_main;
  atomic_llong disorder;
  atomic_llong released;
  atomic_bool closed;
  atomic_llong late;
  /// Answers with an error at this sequence.
  int64_t fail_at;
  feed_controller *close_at_next;
  feed_observation *_Atomic cancel_at_next;
  feed_controller *set_again;
} watcher;

static int on_state(void *context, const feed_state *state) {
  watcher *watcher = context;
  if (atomic_load(&watcher->closed)) atomic_fetch_add(&watcher->late, 1);
  if (!main_is_current()) atomic_fetch_add(&watcher->off_main, 1);
  if (atomic_load(&watcher->seen) > 0 && state->sequence != atomic_load(&watcher->last) + 1)
    atomic_fetch_add(&watcher->disorder, 1);
  CHECK(strlen(state->title) == state->title_length);
  atomic_store(&watcher->last, state->sequence);
  atomic_fetch_add(&watcher->seen, 1);
  if (watcher->set_again && state->sequence < 5)
    CHECK(feed_controller_set(watcher->set_again, FEED_LOADING, 0.5, "again", 5) == FEED_OK);
  if (watcher->close_at_next && state->sequence > 0) feed_controller_close(watcher->close_at_next);
  feed_observation *cancelled = atomic_load(&watcher->cancel_at_next);
  if (cancelled) feed_observation_cancel(cancelled);
  return watcher->fail_at > 0 && state->sequence == watcher->fail_at;
}

static void on_release(void *context) { atomic_fetch_add(&((watcher *)context)->released, 1); }

static feed_observer observer(watcher *watcher) { return (feed_observer){on_state, on_release, watcher}; }

/// Waits in many short turns: a machine that stands still costs one of them, however long it does.
static void nothing_is_left(void) {
  for (int turn = 0; turn < 300; turn++) {
    while (main_turn(false)) {}
    if (feed_census_await_none(1000)) return;
  }
  feed_census left = feed_census_take();
  fprintf(stderr, "left: %lld controllers, %lld observations, %lld states, %lld threads\n", (long long)left.controllers,
          (long long)left.observations, (long long)left.states, (long long)left.threads);
  exit(1);
}

static void set(feed_controller *controller) {
  CHECK(feed_controller_set(controller, FEED_LOADING, 0.5, "title", 5) == FEED_OK);
}

// MARK: The checks

static void inline_on_main(void) {
  feed_controller *controller = feed_controller_create(main_queue);
  watcher one = {0};
  feed_observation *observation;
  CHECK(feed_controller_observe(controller, observer(&one), &observation) == FEED_OK);
  CHECK(one.seen == 1);
  set(controller);
  CHECK(one.seen == 2 && one.last == 1 && one.off_main == 0);
  CHECK(feed_controller_set(controller, FEED_LOADING, 1.5, "", 0) == FEED_INVALID);
  CHECK(feed_controller_set(controller, FEED_LOADING, 0.0 / 0.0, "", 0) == FEED_INVALID);
  feed_observation_cancel(observation);
  feed_observation_cancel(observation);
  CHECK(!feed_observation_is_active(observation) && one.released == 1);
  set(controller);
  CHECK(one.seen == 2);
  feed_observation_release(observation);
  feed_controller_release(controller);
}

static void reentrant(void) {
  feed_controller *controller = feed_controller_create(main_queue);
  watcher one = {.set_again = controller};
  feed_observation *observation;
  CHECK(feed_controller_observe(controller, observer(&one), &observation) == FEED_OK);
  CHECK(one.seen == 6 && one.disorder == 0);
  one.set_again = NULL;
  atomic_store(&one.cancel_at_next, observation);
  set(controller);
  set(controller);
  CHECK(one.seen == 7 && one.released == 1);
  feed_observation_release(observation);

  watcher two = {.close_at_next = controller};
  CHECK(feed_controller_observe(controller, observer(&two), &observation) == FEED_OK);
  CHECK(two.seen == 1 && two.released == 1);
  CHECK(feed_controller_set(controller, FEED_LOADING, 0, "", 0) == FEED_CLOSED);
  feed_observation_release(observation);
  feed_controller_release(controller);
}

static void failing(void) {
  feed_controller *controller = feed_controller_create(main_queue);
  watcher one = {.fail_at = 2}, two = {0};
  feed_observation *first, *second;
  CHECK(feed_controller_observe(controller, observer(&one), &first) == FEED_OK);
  CHECK(feed_controller_observe(controller, observer(&two), &second) == FEED_OK);
  for (int index = 0; index < 4; index++) set(controller);
  CHECK(one.seen == 3 && one.released == 1 && !feed_observation_is_active(first));
  CHECK(two.seen == 5 && feed_observation_is_active(second));
  feed_observation_release(first);
  feed_observation_release(second);
  feed_controller_release(controller);
  CHECK(two.released == 1);
}

typedef struct {
  feed_controller *controller;
  int updates;
} producer;

static void *produce(void *argument) {
  producer *producer = argument;
  for (int index = 0; index < producer->updates; index++) {
    feed_status status = feed_controller_set(producer->controller, FEED_LOADING, 0.5, "from a thread", 13);
    CHECK(status == FEED_OK || status == FEED_CLOSED);
  }
  return NULL;
}

enum { PRODUCERS = 4, UPDATES = 5000 };

/// Every update reaches both observers once, in order, whoever sets it.
static void hammer(void) {
  feed_controller *controller = feed_controller_create(main_queue);
  watcher on = {0}, off = {0};
  feed_observation *first, *second;
  CHECK(feed_controller_observe(controller, observer(&on), &first) == FEED_OK);
  CHECK(feed_controller_observe_off_main(controller, observer(&off), &second) == FEED_OK);
  producer work = {.controller = controller, .updates = UPDATES};
  pthread_t threads[PRODUCERS];
  for (int index = 0; index < PRODUCERS; index++) pthread_create(&threads[index], NULL, produce, &work);
  while (on.seen < PRODUCERS * UPDATES + 1) main_turn(true);
  for (int index = 0; index < PRODUCERS; index++) pthread_join(threads[index], NULL);
  while (off.seen < PRODUCERS * UPDATES + 1) main_turn(false);
  CHECK(on.off_main == 0 && on.disorder == 0);
  CHECK(off.off_main == off.seen && off.disorder == 0);
  feed_observation_release(first);
  feed_observation_release(second);
  feed_controller_release(controller);
  CHECK(on.released == 1 && off.released == 1);
}

/// However the end meets the updates, nothing comes after it and nothing stays.
static void endings(void) {
  for (int round = 0; round < 200; round++) {
    feed_controller *controller = feed_controller_create(main_queue);
    watcher on = {0}, off = {0};
    feed_observation *first, *second;
    CHECK(feed_controller_observe(controller, observer(&on), &first) == FEED_OK);
    CHECK(feed_controller_observe_off_main(controller, observer(&off), &second) == FEED_OK);
    producer work = {.controller = controller, .updates = 50};
    pthread_t threads[2];
    for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, produce, &work);
    CHECK(feed_controller_play(controller, 1000, round % 2 ? 20000 : 0) == FEED_OK);
    for (int turn = 0; turn < round % 7; turn++, sched_yield()) main_turn(false);
    if (round % 3 == 0) feed_observation_cancel(second);
    if (round % 3 == 1) feed_observation_release(second);
    feed_controller_close(controller);
    atomic_store(&on.closed, true);
    atomic_store(&off.closed, true);
    for (int turn = 0; turn < 3; turn++) main_turn(false);
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    CHECK(feed_controller_play(controller, 1, 0) == FEED_CLOSED);
    feed_observation_release(first);
    if (round % 3 != 1) feed_observation_release(second);
    feed_controller_release(controller);
    nothing_is_left();
    CHECK(on.late == 0 && off.late == 0);
    CHECK(on.released == 1 && off.released == 1);
  }
}

static void *cancel(void *argument) {
  feed_observation_cancel(argument);
  return NULL;
}

/// Two threads cancel and the controller closes, all at once, while states arrive.
static void cancelled_together(void) {
  for (int round = 0; round < 300; round++) {
    feed_controller *controller = feed_controller_create(main_queue);
    watcher off = {0};
    feed_observation *observation;
    CHECK(feed_controller_observe_off_main(controller, observer(&off), &observation) == FEED_OK);
    CHECK(feed_controller_play(controller, 500, 0) == FEED_OK);
    pthread_t threads[2];
    for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, cancel, observation);
    if (round % 2) feed_controller_close(controller);
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    atomic_store(&off.closed, true);
    feed_observation_release(observation);
    feed_controller_release(controller);
    nothing_is_left();
    CHECK(off.late == 0 && off.released == 1);
  }
}

static void played(void) {
  feed_controller *controller = feed_controller_create(main_queue);
  watcher on = {0};
  feed_observation *observation;
  CHECK(feed_controller_observe(controller, observer(&on), &observation) == FEED_OK);
  CHECK(feed_controller_play(controller, 1000, 0) == FEED_OK);
  while (on.seen < 1001) main_turn(true);
  CHECK(feed_controller_play(controller, 20, 1000000) == FEED_OK);
  while (on.seen < 1021) main_turn(true);
  CHECK(on.disorder == 0 && on.off_main == 0);
  feed_observation_release(observation);
  feed_controller_release(controller);
}

int main(int count, char **arguments) {
  main_thread = pthread_self();
  const char *name = count > 1 ? arguments[1] : "";
  if (strcmp(name, "inline") == 0) inline_on_main();
  else if (strcmp(name, "reentrant") == 0) reentrant();
  else if (strcmp(name, "failing") == 0) failing();
  else if (strcmp(name, "hammer") == 0) hammer();
  else if (strcmp(name, "endings") == 0) endings();
  else if (strcmp(name, "cancelled-together") == 0) cancelled_together();
  else if (strcmp(name, "played") == 0) played();
  else return 64;
  nothing_is_left();
  return 0;
}
