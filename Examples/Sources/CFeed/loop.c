/// A thread, a timer and a descriptor that wakes it.
#include "loop.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "threads.h"

/// Ticks between two looks at the commands.
enum { TICKS_A_TURN = 64 };

struct feed_loop {
  feed_ticking ticking;
  int events;
  int wake;
  int timer;
  pthread_mutex_t mutex;
  /// Commands, under the lock.
  bool stopped;
  uint64_t orders;
  uint64_t count;
  uint64_t interval;
};

/// What the thread is in the middle of.
typedef struct {
  uint64_t order;
  uint64_t count;
  uint64_t done;
  bool paced;
} playing;

static void set_timer(const feed_loop *loop, uint64_t interval) {
  struct timespec every = {(time_t)(interval / 1000000000), (long)(interval % 1000000000)};
  timerfd_settime(loop->timer, 0, &(struct itimerspec){every, every}, NULL);
}

/// Reads the commands. False when it is to end.
static bool obey(feed_loop *loop, playing *now) {
  pthread_mutex_lock(&loop->mutex);
  bool stopped = loop->stopped;
  if (loop->orders != now->order) {
    *now = (playing){loop->orders, loop->count, 0, loop->interval > 0};
    set_timer(loop, loop->interval);
  }
  pthread_mutex_unlock(&loop->mutex);
  return !stopped;
}

static void tick(feed_loop *loop, playing *now, uint64_t times) {
  for (; times > 0 && now->done < now->count; times--) {
    now->done += 1;
    if (!loop->ticking.tick(loop->ticking.context, now->done, now->count)) now->done = now->count;
  }
  if (now->paced && now->done == now->count) set_timer(loop, 0);
}

/// What a descriptor says when it is read; 0 when it says nothing yet.
static uint64_t said(int descriptor) {
  uint64_t number = 0;
  return read(descriptor, &number, sizeof number) == sizeof number ? number : 0;
}

static void destroy(feed_loop *loop) {
  if (loop->events >= 0) close(loop->events);
  if (loop->wake >= 0) close(loop->wake);
  if (loop->timer >= 0) close(loop->timer);
  pthread_mutex_destroy(&loop->mutex);
  free(loop);
}

static void run(void *argument) {
  feed_loop *loop = argument;
  playing now = {0, 0, 0, false};
  while (obey(loop, &now)) {
    bool busy = !now.paced && now.done < now.count;
    struct epoll_event ready[2];
    int many = epoll_wait(loop->events, ready, 2, busy ? 0 : -1);
    if (many < 0 && errno != EINTR) break;
    for (int index = 0; index < many; index++) {
      uint64_t number = said(ready[index].data.fd);
      if (ready[index].data.fd == loop->timer && now.paced) tick(loop, &now, number);
    }
    if (busy) tick(loop, &now, TICKS_A_TURN);
  }
  loop->ticking.ended(loop->ticking.context);
  destroy(loop);
}

static bool watch(const feed_loop *loop, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  return descriptor >= 0 && epoll_ctl(loop->events, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

feed_loop *feed_loop_start(feed_ticking ticking) {
  feed_loop *loop = calloc(1, sizeof *loop);
  if (!loop) return NULL;
  pthread_mutex_init(&loop->mutex, NULL);
  loop->ticking = ticking;
  loop->events = epoll_create1(EPOLL_CLOEXEC);
  loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  loop->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  bool started = loop->events >= 0 && watch(loop, loop->wake) && watch(loop, loop->timer) &&
                 feed_thread_start("feed-loop", run, loop);
  if (started) return loop;
  destroy(loop);
  return NULL;
}

/// With the lock held: once it is given up, a stopped loop may be gone.
static void wake(const feed_loop *loop) {
  uint64_t one = 1;
  while (write(loop->wake, &one, sizeof one) < 0 && errno == EINTR) {}
}

void feed_loop_play(feed_loop *loop, uint64_t count, uint64_t interval) {
  pthread_mutex_lock(&loop->mutex);
  loop->orders += 1;
  loop->count = count;
  loop->interval = interval;
  wake(loop);
  pthread_mutex_unlock(&loop->mutex);
}

void feed_loop_stop(feed_loop *loop) {
  pthread_mutex_lock(&loop->mutex);
  loop->stopped = true;
  wake(loop);
  pthread_mutex_unlock(&loop->mutex);
}
