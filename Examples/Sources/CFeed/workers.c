/// The threads on which observers off the main thread are told.
#define _GNU_SOURCE
#include "workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "feed_census.h"
#include "threads.h"

typedef struct task {
  struct task *next;
  void (*work)(void *context);
  void *context;
} task;

struct feed_workers {
  atomic_uint references;
  pthread_mutex_t mutex;
  pthread_cond_t given;
  task *first;
  task *last;
  bool stopped;
};

void feed_workers_release(feed_workers *workers) {
  if (atomic_fetch_sub_explicit(&workers->references, 1, memory_order_acq_rel) != 1) return;
  pthread_cond_destroy(&workers->given);
  pthread_mutex_destroy(&workers->mutex);
  free(workers);
}

static task *take(feed_workers *workers) {
  pthread_mutex_lock(&workers->mutex);
  while (!workers->first && !workers->stopped) pthread_cond_wait(&workers->given, &workers->mutex);
  task *taken = workers->first;
  if (taken) workers->first = taken->next;
  if (!workers->first) workers->last = NULL;
  pthread_mutex_unlock(&workers->mutex);
  return taken;
}

static void run(void *argument) {
  feed_workers *workers = argument;
  task *taken;
  while ((taken = take(workers))) {
    taken->work(taken->context);
    free(taken);
  }
  feed_workers_release(workers);
}

feed_workers *feed_workers_start(unsigned count) {
  feed_workers *workers = calloc(1, sizeof *workers);
  if (!workers) return NULL;
  atomic_init(&workers->references, 1);
  pthread_mutex_init(&workers->mutex, NULL);
  pthread_cond_init(&workers->given, NULL);
  for (unsigned index = 0; index < count; index++) {
    atomic_fetch_add(&workers->references, 1);
    if (feed_thread_start("feed-worker", run, workers)) continue;
    feed_workers_release(workers);
    feed_workers_stop(workers);
    feed_workers_release(workers);
    return NULL;
  }
  return workers;
}

bool feed_workers_submit(feed_workers *workers, void (*work)(void *context), void *context) {
  task *given = malloc(sizeof *given);
  if (!given) return false;
  *given = (task){NULL, work, context};
  pthread_mutex_lock(&workers->mutex);
  bool accepted = !workers->stopped;
  if (accepted) {
    if (workers->last) workers->last->next = given;
    else workers->first = given;
    workers->last = given;
    pthread_cond_signal(&workers->given);
  }
  pthread_mutex_unlock(&workers->mutex);
  if (!accepted) free(given);
  return accepted;
}

void feed_workers_stop(feed_workers *workers) {
  pthread_mutex_lock(&workers->mutex);
  workers->stopped = true;
  pthread_cond_broadcast(&workers->given);
  pthread_mutex_unlock(&workers->mutex);
}
