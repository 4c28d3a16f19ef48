// Everything that is known of how Dispatch lets another loop serve its main queue, and the check that it is still so.
//
// libdispatch exports, for CoreFoundation's run loop, an eventfd that it writes to when the main queue is no longer
// empty, and a function that runs what the queue holds. Neither is in a public header.
#define _GNU_SOURCE
#include "glib_main_actor.h"

#include <dlfcn.h>
#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// A main actor that never pauses must not keep the loop from its other sources: after this long without a pause it gives
// way once to everything down to GTK's redrawing (priority 120).
static const uint64_t patience = 4 * 1000 * 1000;
static const int giving_way = G_PRIORITY_HIGH_IDLE + 25;
// Shorter gaps between two drains are the loop's own work and no pause.
static const uint64_t pause_length = 500 * 1000;

// All of it belongs to the main thread.
static struct {
  int (*handle)(void);
  void (*drain)(void *);
  GSource *source;
  int priority;
  bool gives_way;
  uint64_t busy_since, last_end;
  glib_main_actor_observer drained, turned;
  GPollFunc poll;
  uint64_t turn_began;
} pump;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// While this runs, GLib polls no source that is being dispatched, so a nested loop within a job neither spins on the
// handle nor eats a wake-up: what comes meanwhile is found when the outer loop polls again.
static gboolean dispatch(GSource *source, GSourceFunc callback, gpointer data) {
  (void)callback;
  (void)data;
  uint64_t wakeups;
  // Before the drain: what is enqueued during it writes again.
  ssize_t count = read(pump.handle(), &wakeups, sizeof wakeups);
  (void)count;
  uint64_t start = now();
  if (start - pump.last_end > pause_length) pump.busy_since = start;
  pump.drain(NULL);
  uint64_t end = now();
  pump.last_end = end;
  if (pump.drained) pump.drained(end - start);
  if (g_source_is_destroyed(source)) return G_SOURCE_REMOVE;
  if (pump.gives_way) {
    // Nothing more urgent was ready any longer.
    pump.gives_way = false;
    pump.busy_since = end;
    g_source_set_priority(source, pump.priority);
  } else if (end - pump.busy_since > patience && pump.priority < giving_way) {
    pump.gives_way = true;
    g_source_set_priority(source, giving_way);
  }
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs functions = {.dispatch = dispatch};

static glib_main_actor_status check(void (*post_probe)(void)) {
  if (syscall(SYS_gettid) != getpid()) return glib_main_actor_not_main_thread;
  *(void **)&pump.handle = dlsym(RTLD_DEFAULT, "_dispatch_get_main_queue_handle_4CF");
  *(void **)&pump.drain = dlsym(RTLD_DEFAULT, "_dispatch_main_queue_callback_4CF");
  if (!pump.handle || !pump.drain) return glib_main_actor_no_functions;
  int handle = pump.handle();
  char path[64], target[64] = "";
  snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
  if (handle < 0 || readlink(path, target, sizeof target - 1) < 0 || strcmp(target, "anon_inode:[eventfd]") != 0)
    return glib_main_actor_no_eventfd;
  post_probe();
  struct pollfd ready = {.fd = handle, .events = POLLIN};
  return poll(&ready, 1, 0) == 1 ? glib_main_actor_ok : glib_main_actor_silent;
}

glib_main_actor_status glib_main_actor_attach(int priority, void (*post_probe)(void)) {
  if (syscall(SYS_gettid) != getpid()) return glib_main_actor_not_main_thread;
  pump.priority = priority;
  if (pump.source) {
    pump.gives_way = false;
    g_source_set_priority(pump.source, priority);
    return glib_main_actor_ok;
  }
  glib_main_actor_status status = check(post_probe);
  if (status != glib_main_actor_ok) return status;
  pump.gives_way = false;
  pump.busy_since = pump.last_end = now();
  pump.source = g_source_new(&functions, sizeof(GSource));
  g_source_set_name(pump.source, "Swift's main actor");
  g_source_set_priority(pump.source, priority);
  g_source_add_unix_fd(pump.source, pump.handle(), G_IO_IN);
  g_source_attach(pump.source, NULL);
  return glib_main_actor_ok;
}

void glib_main_actor_detach(void) {
  if (!pump.source) return;
  g_source_destroy(pump.source);
  g_source_unref(pump.source);
  pump.source = NULL;
}

bool glib_main_actor_is_attached(void) { return pump.source != NULL; }

// The one place that every turn of a loop passes, nested loops included. Other contexts of other threads have functions
// of their own.
static gint timed_poll(GPollFD *descriptors, guint count, gint timeout) {
  if (pump.turn_began && pump.turned) pump.turned(now() - pump.turn_began);
  gint ready = pump.poll(descriptors, count, timeout);
  pump.turn_began = now();
  return ready;
}

void glib_main_actor_observe(glib_main_actor_observer drained, glib_main_actor_observer turned) {
  pump.drained = drained;
  pump.turned = turned;
  GMainContext *context = g_main_context_default();
  if (turned && !pump.poll) {
    pump.poll = g_main_context_get_poll_func(context);
    pump.turn_began = 0;
    g_main_context_set_poll_func(context, timed_poll);
  } else if (!turned && pump.poll) {
    // Another's function that was put around this one stays, and finds this one in its place.
    if (g_main_context_get_poll_func(context) == timed_poll) {
      g_main_context_set_poll_func(context, pump.poll);
      pump.poll = NULL;
    }
  }
}
