#define _GNU_SOURCE
#include "watcher.h"

#include "boundaries.h"
#include "jobs.h"
#include "modules.h"
#include "scope.h"
#include "stack.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define PERIOD_NANOSECONDS 10000000u // a stall of 30 ms is over a budget of 17 ms for longer than this
#define SCOPED_PERIOD_NANOSECONDS 2000000u // while scopes are open, whose budgets may be short (scope.h)
#define GAP_NANOSECONDS 250000000u   // the watcher itself overslept by this much, and the process used no processor
#define TOLD_NANOSECONDS 250000000u  // between two times that boundaries are asked what they have seen
#define MODULES_PERIOD 128u          // looks between two at what code is loaded
#define SAMPLES_PER_STALL 12u

static pthread_t watcher;
static bool watching;
static int held, sending; // see mainstay_watcher_hold

// MARK: A running thread

// One request at a time: the watcher fills it in, sends the signal and waits for the answer.
static struct {
  uint32_t tid; // 0: none; taken by the handler
  mainstay_sample sample;
  int done;
} request;

// A system call that began between our look and the signal was interrupted by it and would return EINTR, which the
// program does not expect. It has hardly begun, so it is begun again: the kernel keeps the arguments in their
// registers, and the number stands in the instruction before the call.
static void begin_call_again(greg_t *registers) {
  const unsigned char *pc = (const unsigned char *)registers[REG_RIP];
  if (registers[REG_RAX] != -EINTR || pc[-2] != 0x0f || pc[-1] != 0x05 || pc[-7] != 0xb8) return;
  int32_t number;
  memcpy(&number, pc - 6, sizeof number);
  if (number == SYS_close) return; // the descriptor is gone all the same, and may be another file's by now
  registers[REG_RAX] = number;
  registers[REG_RIP] -= 2;
}

static void handle(int signal, siginfo_t *information, void *context) {
  (void)signal;
  int saved = errno;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  if (information->si_code == SI_TKILL && information->si_pid == getpid()) begin_call_again(registers);
  uint32_t tid = (uint32_t)syscall(SYS_gettid);
  if (__atomic_compare_exchange_n(&request.tid, &tid, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    request.sample.count = (uint16_t)mainstay_stack_walk(
        (uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RBP], (uintptr_t)registers[REG_RSP], request.sample.frames,
        MAINSTAY_SAMPLE_FRAMES);
    __atomic_store_n(&request.done, 1, __ATOMIC_RELEASE);
  }
  errno = saved;
}

static bool handles(void) {
  struct sigaction action;
  return sigaction(SIGPROF, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == handle;
}

// A program that profiles itself keeps its signal. Ours is taken only when nobody has it.
static void take_signal(void) {
  struct sigaction action;
  if (sigaction(SIGPROF, NULL, &action) != 0 || (action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL) return;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGPROF, &action, NULL);
}

// Whether a thread would handle the signal now. One that blocks it would do so whenever it lets it in, and be seen there;
// and the program would see one pending that it has not sent.
static bool lets_in(uint32_t tid) {
  char text[2048];
  mainstay_thread_says(tid, "status", text, sizeof text);
  const char *blocked = strstr(text, "\nSigBlk:");
  return blocked != NULL && !(strtoull(blocked + 8, NULL, 16) >> (SIGPROF - 1) & 1);
}

static bool ask(uint32_t tid, mainstay_sample *sample) {
  memset(&request.sample, 0, sizeof request.sample);
  request.done = 0;
  __atomic_store_n(&request.tid, tid, __ATOMIC_RELEASE);
  if (syscall(SYS_tgkill, getpid(), tid, SIGPROF) != 0) {
    request.tid = 0;
    return false;
  }
  for (int waits = 0; waits < 50; waits++) {
    if (__atomic_load_n(&request.done, __ATOMIC_ACQUIRE)) {
      sample->count = request.sample.count;
      memcpy(sample->frames, request.sample.frames, sizeof sample->frames);
      sample->state = MAINSTAY_SAMPLE_RUNNING;
      return sample->count > 0;
    }
    struct timespec pause = {0, 100000};
    nanosleep(&pause, NULL);
  }
  // It blocks the signal, or gets no processor. Whoever takes the request back first decides.
  uint32_t expected = tid;
  if (!__atomic_compare_exchange_n(&request.tid, &expected, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    while (!__atomic_load_n(&request.done, __ATOMIC_ACQUIRE)) sched_yield();
  return false;
}

static bool sample_running(uint32_t tid, mainstay_sample *sample) {
  __atomic_store_n(&sending, 1, __ATOMIC_SEQ_CST);
  bool took = !__atomic_load_n(&held, __ATOMIC_SEQ_CST) && handles() && lets_in(tid) && ask(tid, sample);
  __atomic_store_n(&sending, 0, __ATOMIC_SEQ_CST);
  return took;
}

void mainstay_watcher_hold(void) {
  __atomic_add_fetch(&held, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&sending, __ATOMIC_SEQ_CST)) sched_yield();
}

void mainstay_watcher_release(void) { __atomic_sub_fetch(&held, 1, __ATOMIC_SEQ_CST); }

// MARK: Any thread

static bool take_sample(const mainstay_thread *thread, mainstay_sample *sample) {
  size_t count = 0;
  switch (mainstay_stack_of(thread->tid, &sample->call, sample->frames, MAINSTAY_SAMPLE_FRAMES, &count)) {
  case MAINSTAY_THREAD_BLOCKED:
    sample->state = MAINSTAY_SAMPLE_BLOCKED;
    sample->count = (uint16_t)count;
    return true;
  case MAINSTAY_THREAD_RUNNING: return sample_running(thread->tid, sample);
  default: return false;
  }
}

static void keep(const mainstay_sample *sample, uint64_t stretch) {
  mainstay_header *header = mainstay_the.store.header;
  uint64_t index = header->next_sample++;
  if (index >= MAINSTAY_SAMPLES) return;
  mainstay_sample *place = &mainstay_the.store.samples[index];
  *place = *sample;
  __atomic_store_n(&place->stretch, stretch, __ATOMIC_RELEASE);
}

// The async functions that wait for the job, from its contexts. They live as long as it runs: afterwards what was read
// counts only if it still does.
static void keep_callers(const mainstay_thread *thread, uint64_t stretch) {
  mainstay_sample sample = {.time = mainstay_ticks(), .tid = thread->tid, .state = MAINSTAY_SAMPLE_CALLERS};
  if (thread->kind == MAINSTAY_KIND_BLOCK || thread->job == 0) return;
  sample.count = (uint16_t)mainstay_stack_callers(thread->job, sample.frames, 16);
  if (sample.count > 0 && __atomic_load_n(&thread->whole, __ATOMIC_ACQUIRE) == stretch) keep(&sample, stretch);
}

typedef struct {
  uint64_t stretch, next; // ticks
  uint32_t taken;
} watched_stretch;

static void look_at(const mainstay_thread *thread, watched_stretch *watched, uint64_t now, uint64_t budget) {
  uint64_t stretch = __atomic_load_n(&thread->whole, __ATOMIC_ACQUIRE);
  if (stretch == 0 || now <= stretch || now - stretch <= budget) return;
  if (watched->stretch != stretch) {
    *watched = (watched_stretch){stretch, now, 0};
    keep_callers(thread, stretch);
  }
  if (now < watched->next || watched->taken >= SAMPLES_PER_STALL) return;
  mainstay_sample sample = {.time = now, .tid = thread->tid};
  bool took = take_sample(thread, &sample);
  if (__atomic_load_n(&thread->whole, __ATOMIC_ACQUIRE) != stretch || __atomic_load_n(&thread->start, __ATOMIC_ACQUIRE) == 0)
    return; // it had gone on: the sample is of something else
  watched->taken++;
  // The first ones close together, then ever farther apart: a long hang needs no more of them than a short one.
  watched->next = now + (now - stretch) / 3;
  if (took)
    keep(&sample, stretch);
  else
    mainstay_the.store.header->lost_samples++;
}

static bool is_main(const mainstay_thread *thread) {
  if (__atomic_load_n(&thread->tid, __ATOMIC_RELAXED) == 0 || __atomic_load_n(&thread->start, __ATOMIC_ACQUIRE) == 0)
    return false;
  uint16_t function = thread->function;
  return function < MAINSTAY_FUNCTIONS &&
         (mainstay_the.store.functions[function].key & 0xffff) == 1 + MAINSTAY_EXECUTOR_MAIN;
}

// The others lie in as many cache lines again as a program of a few threads ever touches.
static uint32_t threads_used(void) { return __atomic_load_n(&mainstay_the.store.threads_used, __ATOMIC_RELAXED); }

// MARK: The pool

#define STARVED_NANOSECONDS 100000000u

// Whether every thread of the pool is blocked, in jobs that began a tenth of a second ago or more, while jobs wait. The
// pool has as many threads as the machine has processors.
static void look_at_pool(uint64_t now, uint64_t patience, mainstay_starvation **current) {
  static long processors;
  if (processors == 0) processors = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t enqueued = 0, started = 0;
  const mainstay_thread *blockers[MAINSTAY_BLOCKERS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < threads_used(); i++) {
    const mainstay_thread *thread = &mainstay_the.store.threads[i];
    enqueued += thread->pool_enqueued;
    started += thread->pool_started;
    uint64_t start = __atomic_load_n(&thread->start, __ATOMIC_ACQUIRE);
    if (thread->tid != 0 && start != 0 && now > start && now - start > patience && !is_main(thread)) {
      if (count < MAINSTAY_BLOCKERS) blockers[count] = thread;
      count++;
    }
  }
  if ((long)count < processors || enqueued <= started) {
    *current = NULL;
    return;
  }
  if (*current != NULL) {
    (*current)->end = now;
    if ((*current)->queued < enqueued - started) (*current)->queued = enqueued - started;
    return;
  }
  mainstay_starvation *place = NULL;
  for (uint32_t i = 0; i < MAINSTAY_STARVATIONS && place == NULL; i++)
    if (mainstay_the.store.starvations[i].start == 0) place = &mainstay_the.store.starvations[i];
  if (place == NULL) return;
  mainstay_starvation starvation = {.end = now, .queued = enqueued - started};
  uint64_t latest = 0;
  for (uint32_t i = 0; i < count && i < MAINSTAY_BLOCKERS; i++) {
    uint64_t stretch = __atomic_load_n(&blockers[i]->start, __ATOMIC_ACQUIRE);
    mainstay_sample sample = {.time = now, .tid = blockers[i]->tid};
    size_t frames = 0;
    if (mainstay_stack_of(sample.tid, &sample.call, sample.frames, MAINSTAY_SAMPLE_FRAMES, &frames) != MAINSTAY_THREAD_BLOCKED)
      return; // it works
    sample.state = MAINSTAY_SAMPLE_BLOCKED;
    sample.count = (uint16_t)frames;
    keep(&sample, stretch);
    starvation.blockers[starvation.count++] = stretch;
    if (stretch > latest) latest = stretch;
  }
  *place = starvation;
  __atomic_store_n(&place->start, latest, __ATOMIC_RELEASE);
  *current = place;
}

static uint64_t processor_nanoseconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

static struct {
  uint64_t ticks, nanoseconds, used;
  int busy;
} last_look; // of the watcher; or of who stops the recording, in its stead

static void note_gap(uint64_t start, uint64_t end) {
  mainstay_header *header = mainstay_the.store.header;
  uint64_t index = header->next_gap;
  if (index >= MAINSTAY_GAPS) return;
  mainstay_the.store.gaps[index] = (mainstay_gap){start, end};
  __atomic_store_n(&header->next_gap, index + 1, __ATOMIC_RELEASE);
}

// Whether nothing of the process ran since the last look. A machine that is busy lets the watcher oversleep too, but then
// the process uses what it gets of the processor.
static bool looks_late(uint64_t now, uint64_t nanoseconds) {
  if (__atomic_exchange_n(&last_look.busy, 1, __ATOMIC_ACQUIRE)) return true; // the other one notes it
  uint64_t used = processor_nanoseconds(), slept = nanoseconds - last_look.nanoseconds;
  bool late = slept > GAP_NANOSECONDS && used - last_look.used < slept / 20;
  if (late) note_gap(last_look.ticks, now);
  last_look.ticks = now;
  last_look.nanoseconds = nanoseconds;
  last_look.used = used;
  __atomic_store_n(&last_look.busy, 0, __ATOMIC_RELEASE);
  return late;
}

static void *watch(void *recording) {
  pthread_setname_np(pthread_self(), "mainstay-watch");
  mainstay_header *header = mainstay_the.store.header;
  watched_stretch watched = {0, 0, 0};
  mainstay_starvation *starvation = NULL;
  uint64_t told = mainstay_nanoseconds();
  uint32_t looks = 0;
  for (;;) {
    uint64_t scoped = mainstay_scope_least_budget();
    struct timespec pause = {0, scoped ? SCOPED_PERIOD_NANOSECONDS : PERIOD_NANOSECONDS};
    nanosleep(&pause, NULL);
    if (mainstay_the.hot.on != (uint32_t)(uintptr_t)recording) break; // stopped; another may have begun
    uint64_t now = mainstay_ticks(), nanoseconds = mainstay_nanoseconds();
    mainstay_clock_update();
    uint64_t elapsed = nanoseconds - header->started.nanoseconds;
    uint64_t limit = scoped && scoped < header->budget_nanoseconds ? scoped : header->budget_nanoseconds;
    uint64_t budget = (uint64_t)((__uint128_t)limit * (now - header->started.ticks) / (elapsed ? elapsed : 1));
    bool late = looks_late(now, nanoseconds);
    if (nanoseconds - told > TOLD_NANOSECONDS) {
      told = nanoseconds;
      mainstay_boundaries_note();
    }
    if (++looks % MODULES_PERIOD == 0) mainstay_modules_write(&mainstay_the.store);
    if (late || elapsed < PERIOD_NANOSECONDS) continue; // what overran while nothing ran is not known yet
    for (uint32_t i = 0; i < threads_used(); i++)
      if (is_main(&mainstay_the.store.threads[i])) look_at(&mainstay_the.store.threads[i], &watched, now, budget);
    look_at_pool(now, (uint64_t)((double)STARVED_NANOSECONDS / (double)limit * (double)budget), &starvation);
  }
  return NULL;
}

void mainstay_watcher_start(void) {
  mainstay_stack_prepare();
  take_signal();
  last_look.ticks = mainstay_ticks();
  last_look.nanoseconds = mainstay_nanoseconds();
  last_look.used = processor_nanoseconds();
  // The program's signals are handled on its own threads. Only SIGPROF stays open, as on libdispatch's: the runtime's
  // crash handler stops each thread with SIGUSR1, SIGUSR2 or SIGPROF, whichever the thread does not block, and where all
  // three are blocked it complains that the backtrace is incomplete (handle_fatal_signal, 6.3.1, reads SigBlk).
  sigset_t all, old;
  sigfillset(&all);
  sigdelset(&all, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  watching = pthread_create(&watcher, &attributes, watch, (void *)(uintptr_t)mainstay_the.hot.on) == 0;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void mainstay_watcher_stop(void) {
  if (!watching) return;
  watching = false;
  looks_late(mainstay_ticks(), mainstay_nanoseconds()); // a program may end as soon as it is continued
  pthread_detach(watcher); // it ends by itself: an exiting program waits for nobody
}

void mainstay_watcher_forget(void) {
  watching = false;
  last_look.busy = 0;
  request.tid = 0;
  sending = held = 0;
}
