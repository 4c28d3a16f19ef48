/// Threads with a name, counted, without signals of the host's.
#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "feed_census.h"

typedef struct {
  const char *name;
  void (*run)(void *argument);
  void *argument;
} start;

static void *begin(void *argument) {
  start this_start = *(start *)argument;
  free(argument);
  pthread_setname_np(pthread_self(), this_start.name);
  this_start.run(this_start.argument);
  feed_census_add(FEED_COUNT_THREADS, -1);
  return NULL;
}

bool feed_thread_start(const char *name, void (*run)(void *argument), void *argument) {
  start *given = malloc(sizeof *given);
  if (!given) return false;
  *given = (start){name, run, argument};
  // The new thread inherits the mask: signals stay with the host's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  feed_census_add(FEED_COUNT_THREADS, 1);
  int status = pthread_create(&thread, &attributes, begin, given);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (status == 0) return true;
  feed_census_add(FEED_COUNT_THREADS, -1);
  free(given);
  return false;
}
