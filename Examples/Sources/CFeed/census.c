/// The counts of what exists in this process.
#include "feed_census.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static feed_census counts;

static bool is_none(void) {
  return counts.controllers == 0 && counts.observations == 0 && counts.states == 0 && counts.threads == 0 &&
         counts.references == 0;
}

void feed_census_add(feed_counted kind, int64_t change) {
  pthread_mutex_lock(&mutex);
  switch (kind) {
  case FEED_COUNT_CONTROLLERS: counts.controllers += change; break;
  case FEED_COUNT_OBSERVATIONS: counts.observations += change; break;
  case FEED_COUNT_STATES: counts.states += change; break;
  case FEED_COUNT_THREADS: counts.threads += change; break;
  case FEED_COUNT_REFERENCES: counts.references += change; break;
  }
  if (change < 0 && is_none()) pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

feed_census feed_census_take(void) {
  pthread_mutex_lock(&mutex);
  feed_census taken = counts;
  pthread_mutex_unlock(&mutex);
  return taken;
}

bool feed_census_await_none(uint32_t milliseconds) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += milliseconds / 1000;
  end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  if (end.tv_nsec >= 1000000000) {
    end.tv_sec += 1;
    end.tv_nsec -= 1000000000;
  }
  pthread_mutex_lock(&mutex);
  int status = 0;
  while (!is_none() && status != ETIMEDOUT) status = pthread_cond_timedwait(&changed, &mutex, &end);
  bool none = is_none();
  pthread_mutex_unlock(&mutex);
  return none;
}
