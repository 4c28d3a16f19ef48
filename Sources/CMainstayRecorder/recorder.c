// Starting and stopping. A process has one recorder that records: of one that is preloaded and one that is linked, the
// first.
#define _GNU_SOURCE
#include "include/mainstay_recorder.h"

#include "interpose.h"
#include "modules.h"
#include "scope.h"
#include "thread.h"
#include "watcher.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Ticks measure time only where the counter runs at one rate in every state of the processor.
static bool ticks_are_time(void) {
  unsigned a = 0x80000000u, b = 0, c = 0, d = 0;
  __asm__("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
  if (a < 0x80000007u) return false;
  a = 0x80000007u;
  __asm__("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
  return (d & 1u << 8) != 0;
}

static void describe(const mainstay_options *options) {
  mainstay_header *header = mainstay_the.store.header;
  header->pid = (uint32_t)getpid();
  header->parent_pid = (uint32_t)getppid();
  header->capabilities = mainstay_the.runtime.capabilities;
  header->layout = MAINSTAY_LAYOUT_VERSION;
  header->frame_nanoseconds = options->frame_nanoseconds ? options->frame_nanoseconds : 16666667u;
  header->budget_nanoseconds = options->budget_nanoseconds ? options->budget_nanoseconds : header->frame_nanoseconds;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  header->realtime_nanoseconds = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  ssize_t length = readlink("/proc/self/exe", header->executable, sizeof header->executable - 1);
  header->executable[length > 0 ? length : 0] = 0;
  snprintf(header->note, sizeof header->note, "%s", mainstay_the.runtime.missing);
  // A threshold before the clock is known: a quarter of a millisecond on a fast processor. The first stretch that is
  // longer sets the true one.
  mainstay_hot *hot = &mainstay_the.hot;
  hot->stall_ticks = 1u << 20;
  header->started = (mainstay_clock){mainstay_ticks(), mainstay_nanoseconds()};
  header->latest = header->started;
  hot->started = header->started.ticks;
  hot->executors = mainstay_the.store.executors;
  hot->main_executor = mainstay_the.runtime.main_executor;
  hot->runtime_low = mainstay_the.runtime.low;
  hot->runtime_size = mainstay_the.runtime.high - mainstay_the.runtime.low;
  mainstay_store_type(&mainstay_the.store, NULL, MAINSTAY_EXECUTOR_MAIN, "MainActor");
  hot->main_index = hot->main_executor ? mainstay_store_executor(&mainstay_the.store, hot->main_executor, MAINSTAY_EXECUTOR_MAIN, true) : 0;
}

static void forked_child(void) {
  // The mapping is the parent's recording. A child that executes a program records for itself.
  if (!mainstay_is_on()) return;
  __atomic_store_n(&mainstay_the.hot.on, 0, __ATOMIC_RELAXED);
  mainstay_interpose_end();
  mainstay_jobs_forget();
  mainstay_watcher_forget();
}

static void at_exit(void) { mainstay_recorder_stop(); }

static char recording_path[4096];
static uint64_t stopped; // nanoseconds
static uint32_t recordings;

const char *mainstay_recorder_path(void) { return mainstay_is_on() ? recording_path : NULL; }

static const mainstay_recorder_interface linked = MAINSTAY_RECORDER_INTERFACE_HERE;

const mainstay_recorder_interface *mainstay_recorder_here(void) {
  const mainstay_recorder_interface *preloaded = dlsym(RTLD_DEFAULT, "mainstay_recorder_preloaded");
  if (preloaded != NULL && preloaded->path() != NULL) return preloaded;
  return mainstay_is_on() ? &linked : NULL;
}

// A thread that was noting an event when the last recording stopped has long done so.
static void let_others_finish(void) {
  uint64_t now = mainstay_nanoseconds();
  if (stopped == 0 || now - stopped > 20000000u) return;
  struct timespec rest = {0, (long)(20000000u - (now - stopped))};
  nanosleep(&rest, NULL);
}

mainstay_status mainstay_recorder_start(const mainstay_options *options) {
  if (mainstay_recorder_here() != NULL) return MAINSTAY_ALREADY_RECORDING;
  if (!ticks_are_time()) return MAINSTAY_UNSUPPORTED_CLOCK;
  if (options->path == NULL || strlen(options->path) >= sizeof recording_path) return MAINSTAY_CANNOT_WRITE;
  let_others_finish();
  mainstay_runtime runtime = {0};
  mainstay_status status = mainstay_runtime_find(&runtime);
  if (status != MAINSTAY_OK) return status;
  uint64_t memory = options->memory_bytes ? options->memory_bytes : 64u << 20;
  mainstay_store_release(&mainstay_the.store);
  if (!mainstay_store_open(&mainstay_the.store, options->path, memory)) return MAINSTAY_CANNOT_WRITE;
  mainstay_the.runtime = runtime;
  snprintf(recording_path, sizeof recording_path, "%s", options->path);
  mainstay_interpose_prepare();
  mainstay_self_prepare();
  describe(options);
  mainstay_modules_write(&mainstay_the.store);
  static bool registered;
  if (!registered) {
    pthread_atfork(NULL, NULL, forked_child);
    atexit(at_exit);
    registered = true;
  }
  mainstay_the.store.header->state = MAINSTAY_STATE_RECORDING;
  __atomic_store_n(&mainstay_the.hot.on, ++recordings, __ATOMIC_RELEASE);
  mainstay_interpose_begin();
  mainstay_jobs_begin((uintptr_t)__builtin_frame_address(0));
  mainstay_watcher_start();
  return MAINSTAY_OK;
}

void mainstay_recorder_stop(void) {
  if (!mainstay_is_on()) return;
  mainstay_jobs_finish();
  __atomic_store_n(&mainstay_the.hot.on, 0, __ATOMIC_RELEASE);
  stopped = mainstay_nanoseconds();
  mainstay_interpose_end();
  mainstay_watcher_stop();
  mainstay_modules_write(&mainstay_the.store);
  mainstay_clock_update();
  mainstay_store_close(&mainstay_the.store, true);
  __atomic_store_n(&mainstay_the.store.header->state, MAINSTAY_STATE_FINISHED, __ATOMIC_RELEASE);
}
