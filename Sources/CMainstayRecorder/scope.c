#define _GNU_SOURCE
#include "scope.h"

#include "thread.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A scope counts with atomic instructions. Its jobs are written by one thread at a time, the one that runs the main actor;
// a reader who sees `writes` change or odd reads again.
typedef struct {
  uint32_t used;   // 0: free, 1: open, 2: closed, and something that it began has not ended
  uint32_t writes;
  uint64_t budget; // nanoseconds
  int64_t live, queued, running;
  uint64_t created;
  mainstay_scope_report report; // the part about jobs
} scope_entry;

static scope_entry scopes[MAINSTAY_SCOPES];
static uint32_t ever_used = 1; // entries from here on never were

#define NEEDED \
  (MAINSTAY_CAN_SEE_ENQUEUE | MAINSTAY_CAN_SEE_START | MAINSTAY_CAN_SEE_SUSPEND | MAINSTAY_CAN_SEE_COMPLETION | \
   MAINSTAY_CAN_SEE_CREATION | MAINSTAY_CAN_SEE_RETURN)

static scope_entry *entry_of(uint32_t scope) {
  return scope > 0 && scope < MAINSTAY_SCOPES ? &scopes[scope] : NULL;
}

static int64_t load(const int64_t *count) { return __atomic_load_n(count, __ATOMIC_ACQUIRE); }
static void add(int64_t *count, int64_t change) { __atomic_add_fetch(count, change, __ATOMIC_ACQ_REL); }

// MARK: Opening and closing

static void release_when_done(scope_entry *entry) {
  if (load(&entry->live) > 0 || load(&entry->queued) > 0 || load(&entry->running) > 0) return;
  uint32_t closed = 2;
  if (__atomic_compare_exchange_n(&entry->used, &closed, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    __atomic_sub_fetch(&mainstay_the.hot.scopes, 1, __ATOMIC_ACQ_REL);
}

uint32_t mainstay_scope_open(uint64_t budget_nanoseconds, uint64_t *previous) {
  if (!mainstay_is_on() || mainstay_the.runtime.current_task == NULL ||
      (mainstay_the.runtime.capabilities & NEEDED) != NEEDED)
    return 0;
  mainstay_job *task = mainstay_the.runtime.current_task();
  if (task == NULL || mainstay_self_slot() == NULL) return 0;
  for (uint32_t index = 1; index < MAINSTAY_SCOPES; index++) {
    uint32_t none = 0;
    scope_entry *entry = &scopes[index];
    if (__atomic_load_n(&entry->used, __ATOMIC_RELAXED) != 0 ||
        !__atomic_compare_exchange_n(&entry->used, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    memset(&entry->writes, 0, sizeof *entry - offsetof(scope_entry, writes));
    entry->budget = budget_nanoseconds ? budget_nanoseconds : 1;
    uint32_t most = __atomic_load_n(&ever_used, __ATOMIC_RELAXED);
    while (most <= index && !__atomic_compare_exchange_n(&ever_used, &most, index + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    *previous = task->origin;
    mainstay_task_set_origin(task, mainstay_task_origin(task), (uint16_t)index);
    if (mainstay_self.slot->start != 0 && mainstay_self.job == task) {
      if (mainstay_self.scope != 0) mainstay_scope_left(false);
      mainstay_scope_entered((uint16_t)index, true);
    }
    __atomic_add_fetch(&mainstay_the.hot.scopes, 1, __ATOMIC_ACQ_REL);
    return index;
  }
  return 0;
}

void mainstay_scope_close(uint32_t scope, uint64_t previous) {
  scope_entry *entry = entry_of(scope);
  if (entry == NULL || mainstay_the.runtime.current_task == NULL) return;
  mainstay_job *task = mainstay_the.runtime.current_task();
  if (task != NULL && mainstay_task_scope(task) == scope) {
    task->origin = previous;
    if (mainstay_self_known() != NULL && mainstay_self.slot->start != 0 && mainstay_self.job == task &&
        mainstay_self.scope == scope) {
      mainstay_scope_left(true);
      uint16_t outer = mainstay_task_scope(task);
      if (outer != 0) mainstay_scope_entered(outer, true);
    }
  }
  __atomic_store_n(&entry->used, 2, __ATOMIC_RELEASE);
  release_when_done(entry);
}

uint64_t mainstay_scope_least_budget(void) {
  if (__atomic_load_n(&mainstay_the.hot.scopes, __ATOMIC_RELAXED) == 0) return 0;
  uint64_t least = 0;
  uint32_t end = __atomic_load_n(&ever_used, __ATOMIC_RELAXED);
  for (uint32_t i = 1; i < end; i++)
    if (__atomic_load_n(&scopes[i].used, __ATOMIC_RELAXED) == 1 && (least == 0 || scopes[i].budget < least))
      least = scopes[i].budget;
  return least;
}

bool mainstay_scope_report_of(uint32_t scope, mainstay_scope_report *report) {
  scope_entry *entry = entry_of(scope);
  if (entry == NULL || __atomic_load_n(&entry->used, __ATOMIC_ACQUIRE) == 0 || !mainstay_is_on()) return false;
  for (;;) {
    uint32_t before = __atomic_load_n(&entry->writes, __ATOMIC_ACQUIRE);
    memcpy(report, &entry->report, sizeof *report);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (before % 2 == 0 && __atomic_load_n(&entry->writes, __ATOMIC_RELAXED) == before) break;
    sched_yield();
  }
  report->created = __atomic_load_n(&entry->created, __ATOMIC_RELAXED);
  int64_t live = load(&entry->live), busy = load(&entry->queued) + load(&entry->running);
  // Whoever asks from within runs too, and does not wait for itself.
  if (mainstay_self_known() != NULL && mainstay_self.slot->start != 0 && mainstay_self.scope == scope) busy--;
  report->live = live > 0 ? (uint64_t)live : 0;
  report->busy = busy > 0 ? (uint64_t)busy : 0;
  return true;
}

// MARK: Whose task

uint16_t mainstay_scope_of(const mainstay_job *task) {
  // The runtime itself makes the tasks of async lets, unseen. Parents live longer than their children.
  for (int depth = 0; task != NULL && depth < 64 && mainstay_job_is_task(task); depth++) {
    if (mainstay_task_is_stamped(task)) return mainstay_task_scope(task);
    task = mainstay_task_parent(task);
  }
  return 0;
}

uint16_t mainstay_scope_here(void) {
  if (mainstay_self_known() != NULL && mainstay_self.slot->start != 0) return mainstay_self.scope;
  const mainstay_job *task = mainstay_the.runtime.current_task ? mainstay_the.runtime.current_task() : NULL;
  return task != NULL ? mainstay_scope_of(task) : 0;
}

void mainstay_scope_task_created(mainstay_job *task) {
  uint16_t scope = mainstay_scope_here();
  mainstay_task_set_origin(task, mainstay_task_origin(task), scope);
  if (scope == 0) return;
  task->enqueued = 0; // the runtime leaves there what was there before
  add(&scopes[scope].live, 1);
  __atomic_add_fetch(&scopes[scope].created, 1, __ATOMIC_RELAXED);
}

void mainstay_scope_task_completed(const mainstay_job *task) {
  uint16_t scope = mainstay_task_scope(task);
  if (scope == 0) return;
  add(&scopes[scope].live, -1);
  release_when_done(&scopes[scope]);
}

void mainstay_scope_enqueued(const mainstay_job *job) {
  uint16_t scope = mainstay_job_is_task(job) && job->enqueued == 0 ? mainstay_task_scope(job) : 0;
  if (scope != 0) add(&scopes[scope].queued, 1);
}

// Where a job has the time of its enqueue: an executor that there is not, so that nobody takes it for a time.
#define YIELDED(scope) (~0ull << 32 | (uint64_t)(scope) << 16 | 0xffff)

void mainstay_scope_yielded(mainstay_job *job) {
  uint16_t scope = mainstay_scope_here();
  if (scope == 0) return;
  job->enqueued = YIELDED(scope);
  add(&scopes[scope].queued, 1);
}

void mainstay_scope_dequeued(const mainstay_job *job) {
  uint16_t scope = 0;
  if (mainstay_job_yields(job))
    scope = job->enqueued == YIELDED(job->enqueued >> 16 & 0x3ff) ? job->enqueued >> 16 & 0x3ff : 0;
  else if (mainstay_job_is_task(job) && job->enqueued != 0)
    scope = mainstay_task_scope(job);
  if (scope != 0) add(&scopes[scope].queued, -1);
}

void mainstay_scope_block_queued(uint16_t scope, bool now) {
  if (scope == 0) return;
  add(&scopes[scope].live, 1);
  if (now) add(&scopes[scope].queued, 1);
}

void mainstay_scope_block_started(uint16_t scope, bool now) {
  if (scope != 0 && now) add(&scopes[scope].queued, -1);
}

void mainstay_scope_block_done(uint16_t scope) {
  if (scope == 0) return;
  add(&scopes[scope].live, -1);
  release_when_done(&scopes[scope]);
}

// MARK: How long it ran

// How long this thread has waited for a processor, in nanoseconds, as the scheduler counts it. 0 where it does not say:
// then lengths are those of the clock on the wall.
static uint64_t processor_delay(void) {
  if (mainstay_self.schedule <= 0) {
    if (mainstay_self.schedule < 0) return 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
    int file = open(path, O_RDONLY | O_CLOEXEC);
    mainstay_self.schedule = file < 0 ? -1 : file + 1;
    if (file < 0) return 0;
  }
  char text[96]; // time run, time waited, turns
  ssize_t size = pread(mainstay_self.schedule - 1, text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = 0;
  const char *waited = strchr(text, ' ');
  return waited ? strtoull(waited, NULL, 10) : 0;
}

// What this thread has run, and how often it gave up its processor by itself, to wait for something.
static uint64_t ran(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
static uint64_t times_blocked(void) {
  struct rusage use;
  return getrusage(RUSAGE_THREAD, &use) == 0 ? (uint64_t)use.ru_nvcsw : 0;
}

void mainstay_scope_thread_ends(void) {
  if (mainstay_self.schedule > 0) close(mainstay_self.schedule - 1);
  mainstay_self.schedule = 0;
}

void mainstay_scope_entered(uint16_t scope, bool fresh) {
  mainstay_self.scope = scope;
  if (scope == 0) return;
  add(&scopes[scope].running, 1);
  if (!fresh || mainstay_self.type != MAINSTAY_EXECUTOR_MAIN) return;
  mainstay_self.before = (mainstay_usage){.delayed = processor_delay(), .blocked = times_blocked(), .ran = ran()};
  mainstay_self.before.time = mainstay_nanoseconds();
}

// What the open stretch ran and was blocked in. Time on the wall holds more: waiting for a processor, which the scheduler
// counts; and what a machine below this one took away, which nobody counts for a thread. So one that never waited for
// anything has run for as long as its own clock says.
static uint64_t run_time(uint64_t length) {
  uint64_t own = ran() - mainstay_self.before.ran, delay = processor_delay() - mainstay_self.before.delayed;
  if (times_blocked() == mainstay_self.before.blocked && own < length) return own;
  return delay < length ? length - delay : 0;
}

static void keep(mainstay_scope_report *report, const mainstay_scope_job *job) {
  uint32_t place = report->kept;
  if (place < MAINSTAY_SCOPE_JOBS)
    report->kept++;
  else {
    place = 0;
    for (uint32_t i = 1; i < MAINSTAY_SCOPE_JOBS; i++)
      if (report->longest[i].run_nanoseconds < report->longest[place].run_nanoseconds) place = i;
    if (report->longest[place].run_nanoseconds >= job->run_nanoseconds) return;
  }
  report->longest[place] = *job;
}

void mainstay_scope_left(bool measured) {
  uint16_t scope = mainstay_self.scope;
  if (scope == 0) return;
  scope_entry *entry = &scopes[scope];
  // What runs inside another job of the same scope is part of that one.
  uint32_t depth = mainstay_self.depth;
  bool inner = depth > 0 && depth <= MAINSTAY_NESTED && mainstay_self.outer[depth - 1].scope == scope &&
               mainstay_self.outer[depth - 1].type == MAINSTAY_EXECUTOR_MAIN;
  if (measured && !inner && mainstay_self.type == MAINSTAY_EXECUTOR_MAIN) {
    uint64_t length = mainstay_nanoseconds() - mainstay_self.before.time;
    const mainstay_thread *open = mainstay_self.slot;
    mainstay_scope_job job = {.start = open->whole, .run_nanoseconds = run_time(length),
                              .wall_nanoseconds = length, .function = mainstay_the.store.functions[open->function].address,
                              .task = open->task, .origin = open->origin, .kind = open->kind};
    mainstay_scope_report *report = &entry->report;
    __atomic_store_n(&entry->writes, entry->writes + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    report->jobs++;
    if (job.run_nanoseconds > entry->budget) {
      report->over++;
      report->dropped_frames += (job.run_nanoseconds - 1) / entry->budget;
    }
    keep(report, &job);
    __atomic_store_n(&entry->writes, entry->writes + 1, __ATOMIC_RELEASE);
  }
  mainstay_self.scope = 0;
  add(&entry->running, -1);
  if (__atomic_load_n(&entry->used, __ATOMIC_RELAXED) == 2) release_when_done(entry);
}
