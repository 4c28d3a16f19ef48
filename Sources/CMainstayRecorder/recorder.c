// Starting and stopping: by environment when preloaded, by name when linked. See Documentation/Environment.md.
#define _GNU_SOURCE
#include "include/mainstay_recorder.h"

#include "interpose.h"
#include "modules.h"
#include "thread.h"
#include "watcher.h"

#include <errno.h>
#include <fcntl.h>
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
  __atomic_store_n(&mainstay_the.hot.on, 0, __ATOMIC_RELAXED);
  mainstay_jobs_forget();
  mainstay_watcher_forget();
}

static void at_exit(void) { mainstay_recorder_stop(); }

mainstay_status mainstay_recorder_start(const mainstay_options *options) {
  if (mainstay_the.hot.on) return MAINSTAY_ALREADY_RECORDING;
  if (!ticks_are_time()) return MAINSTAY_UNSUPPORTED_CLOCK;
  mainstay_status status = mainstay_runtime_find(&mainstay_the.runtime);
  if (status != MAINSTAY_OK) return status;
  uint64_t memory = options->memory_bytes ? options->memory_bytes : 64u << 20;
  if (!mainstay_store_open(&mainstay_the.store, options->path, memory)) return MAINSTAY_CANNOT_WRITE;
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
  __atomic_store_n(&mainstay_the.hot.on, 1, __ATOMIC_RELEASE);
  mainstay_interpose_begin();
  mainstay_watcher_start();
  return MAINSTAY_OK;
}

void mainstay_recorder_stop(void) {
  if (!mainstay_the.hot.on) return;
  mainstay_jobs_finish();
  __atomic_store_n(&mainstay_the.hot.on, 0, __ATOMIC_RELEASE);
  mainstay_interpose_end();
  mainstay_watcher_stop();
  mainstay_modules_write(&mainstay_the.store);
  mainstay_clock_update();
  mainstay_store_close(&mainstay_the.store, true);
  __atomic_store_n(&mainstay_the.store.header->state, MAINSTAY_STATE_FINISHED, __ATOMIC_RELEASE);
}

// MARK: By environment

static uint64_t number(const char *name) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : 0;
}

// One line for each process of the tree: who it is, and whether it is recorded. Appended in one write, which the kernel
// does not mix with others'.
static void announce(mainstay_status status, const char *path) {
  const char *list = getenv("MAINSTAY_PROCESSES");
  if (list == NULL) return;
  int file = open(list, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  char line[2600], executable[1100];
  ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[length > 0 ? length : 0] = 0;
  int size = snprintf(line, sizeof line, "%d\t%d\t%d\t%s\t%s\t%s\n", (int)getpid(), (int)getppid(), (int)status, executable,
                      path, program_invocation_short_name);
  if (size > 0 && (size_t)size < sizeof line && write(file, line, (size_t)size) != size) { /* it stays unlisted */ }
  close(file);
}

static bool path_for_this_process(const char *path, char *own, size_t room) {
  // The program itself gets the path as it is, its children theirs with the process id.
  int size = getppid() == (int)number("MAINSTAY_PARENT") && access(path, F_OK) != 0
                 ? snprintf(own, room, "%s", path)
                 : snprintf(own, room, "%s.%d", path, (int)getpid());
  if (size < 0 || (size_t)size >= room) return false;
  // A process that executes another program keeps its id.
  for (int again = 2; access(own, F_OK) == 0 && again < 100; again++)
    snprintf(own, room, "%s.%d.%d", path, (int)getpid(), again);
  return true;
}

__attribute__((constructor)) static void start_when_asked(void) {
  const char *path = getenv("MAINSTAY_RECORDING");
  if (path == NULL || *path == 0) return;
  char own[2048] = "";
  mainstay_status status = MAINSTAY_CANNOT_WRITE;
  if (path_for_this_process(path, own, sizeof own)) {
    mainstay_options options = {own, number("MAINSTAY_MEMORY"), number("MAINSTAY_FRAME"), number("MAINSTAY_BUDGET")};
    status = mainstay_recorder_start(&options);
  }
  announce(status, status == MAINSTAY_OK ? own : "");
}
