// Stretches: opened, closed, interrupted by what runs inside them. Of the calling thread; shared by jobs.c, which opens and
// closes them, and tasks.c, which says what becomes of tasks in between. In a header, so that the way of a job has no calls.
#ifndef MAINSTAY_STRETCH_H
#define MAINSTAY_STRETCH_H

#include "scope.h"
#include "thread.h"

/// Between two jobs the kernel has used the processor's caches, also that of instructions: what every job needs lies
/// together, and nothing else between it.
#define MAINSTAY_HOT __attribute__((hot))
#define MAINSTAY_RARE __attribute__((noinline, cold))

/// Keeps the open stretch as a stall, when it is one by what is known of the clock by now.
void mainstay_stretch_keep_stall(mainstay_end end, uint64_t length);
/// For a record that found no block.
void mainstay_stretch_lost(mainstay_end end, uint64_t length);
/// The same as mainstay_stretch_close, for what happens now and then.
void mainstay_stretch_end(mainstay_end end, uint64_t now);
/// A job begins while another is open. Either the other's end was not seen, and this one has its place on the stack; or
/// this one runs inside it, deeper on the stack.
void mainstay_stretch_interrupt(uintptr_t frame, uint64_t now);
/// What was interrupted last goes on.
void mainstay_stretch_take_up(uint64_t now);

static inline bool mainstay_has_scopes(void) { return mainstay_unlikely(mainstay_the.hot.scopes != 0); }

static inline void mainstay_stretch_close(mainstay_end end, uint64_t now) {
  mainstay_thread *open = mainstay_self.slot;
  uint64_t start = open->start, length = now > start ? now - start : 0;
  mainstay_record *record = mainstay_self_place(open->task, now);
  if (mainstay_likely(record != NULL)) {
    *record = (mainstay_record){.kind_end = (uint8_t)(open->kind | end << 4), .priority = open->priority,
                                .function = open->function, .task = (uint32_t)open->task,
                                .start_executor = mainstay_self_since_base(start) << 16 | open->executor,
                                .length = mainstay_span(length),
                                .wait = open->wait == UINT64_MAX ? MAINSTAY_SPAN_UNKNOWN : mainstay_span(open->wait)};
    mainstay_self_publish();
  } else
    mainstay_stretch_lost(end, length);
  if (mainstay_self.type == MAINSTAY_EXECUTOR_MAIN) {
    open->main_ticks += length;
    if (mainstay_unlikely(length > open->main_worst)) open->main_worst = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    // A stall counts whole, from before what ran inside it to its own end.
    if (mainstay_unlikely(now - open->whole >= mainstay_the.hot.stall_ticks) && end != MAINSTAY_END_INTERRUPTED)
      mainstay_stretch_keep_stall(end, now - open->whole);
  }
  if (mainstay_unlikely(mainstay_self.scope != 0)) mainstay_scope_left(end != MAINSTAY_END_INTERRUPTED);
  __atomic_store_n(&open->start, 0, __ATOMIC_RELEASE);
}

/// Makes the slot say what runs from now on, and on which executor. `start` comes last: what it guards is then whole.
static inline void mainstay_stretch_open(const mainstay_job *job, mainstay_kind kind, uint64_t address, uint16_t executor,
                                         uint32_t type, uint64_t now) {
  mainstay_thread *open = mainstay_self.slot;
  mainstay_self.job = job;
  mainstay_self.type = (uint16_t)type;
  open->job = (uint64_t)job;
  open->executor = executor;
  open->kind = (uint8_t)kind;
  open->function = mainstay_self_function(address, (type + 1) | (kind == MAINSTAY_KIND_BLOCK ? MAINSTAY_FUNCTION_BLOCK : 0));
  if (mainstay_has_scopes()) mainstay_scope_entered(job != NULL ? mainstay_scope_of(job) : mainstay_self.block_scope, true);
  __atomic_store_n(&open->start, now, __ATOMIC_RELEASE);
}

static inline void mainstay_stretch_open_on(const mainstay_job *job, mainstay_kind kind, uint64_t address,
                                            const void *identity, uintptr_t witness, uint64_t now) {
  if (identity == NULL) {
    mainstay_stretch_open(job, kind, address, 0, MAINSTAY_EXECUTOR_POOL, now);
    return;
  }
  uint32_t h = mainstay_self_executor(identity, witness);
  mainstay_stretch_open(job, kind, address, mainstay_self.executors[h].index, mainstay_self.executors[h].type, now);
}

static inline void mainstay_stretch_close_and_take_up(mainstay_end end, uint64_t now) {
  mainstay_stretch_end(end, now);
  if (mainstay_unlikely(mainstay_self.depth > 0)) mainstay_stretch_take_up(now);
}

/// Whether a task that is entered goes on with what it had been suspended from on this thread: it was resumed before it
/// could leave.
static inline bool mainstay_task_enters(const mainstay_job *task) {
  return mainstay_self_is_current() && mainstay_self.slot->start == 0 && mainstay_self.job == task;
}

static inline bool mainstay_stretch_is_open(const mainstay_job *job) {
  return mainstay_self_runs() && mainstay_self.job == job;
}

#endif
