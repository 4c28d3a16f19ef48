#define _GNU_SOURCE
#include "stretch.h"

#include <string.h>

// MARK: The way of a job

static MAINSTAY_RARE uint64_t function_behind(const mainstay_job *task) {
  // A task that the runtime made itself, of an async let, is first seen when it starts.
  if (mainstay_runtime_starts(&mainstay_the.runtime, task) && mainstay_task_origin(task) == 0 && !mainstay_self.creating)
    mainstay_self.slot->created++;
  return mainstay_runtime_function(&mainstay_the.runtime, task);
}

// The function that a task runs when it starts or resumes now.
static inline uint64_t task_function(const mainstay_job *task) {
  uintptr_t resume = (uintptr_t)task->resume;
  bool in_runtime = resume - mainstay_the.hot.runtime_low < mainstay_the.hot.runtime_size;
  return mainstay_unlikely(in_runtime) ? function_behind(task) : resume;
}

static inline uint64_t since_start(uint64_t ticks) { return ticks - mainstay_the.hot.started; }

MAINSTAY_HOT void mainstay_job_enqueued_on_pool(mainstay_job *job) {
  if (mainstay_likely(mainstay_self_slot() != NULL)) mainstay_self.slot->pool_enqueued++;
  if (mainstay_likely(mainstay_job_drains_actor(job))) return; // the jobs in it were enqueued on the actor
  mainstay_job_enqueued(job, NULL, 0);
}

MAINSTAY_HOT void mainstay_job_enqueued(mainstay_job *job, const void *executor, uintptr_t witness) {
  // A task that hops was just suspended, within a few instructions of here.
  uint64_t now = mainstay_likely(mainstay_self.closed_job == job) ? mainstay_self.closed : mainstay_ticks();
  mainstay_self.closed_job = NULL;
  if (mainstay_unlikely(mainstay_self.creating) && mainstay_job_is_task(job)) mainstay_task_created(job);
  uint16_t index = 0;
  if (executor != NULL && mainstay_likely(mainstay_self_slot() != NULL)) {
    index = mainstay_the.hot.main_index;
    if (executor != mainstay_the.hot.main_executor || mainstay_unlikely(index == 0)) {
      uint32_t h = mainstay_self_executor(executor, witness);
      index = mainstay_self.executors[h].index;
    }
    mainstay_executor *entry = &mainstay_the.hot.executors[index];
    uint32_t enqueued = __atomic_add_fetch(&entry->enqueued, 1, __ATOMIC_RELAXED);
    int32_t queued = (int32_t)(enqueued - __atomic_load_n(&entry->started, __ATOMIC_RELAXED));
    if (mainstay_unlikely(queued > entry->queue_max)) entry->queue_max = queued;
    if (queued == 1) entry->since = now;
  }
  if (mainstay_has_scopes()) mainstay_scope_enqueued(job);
  mainstay_job_set_enqueued(job, since_start(now), index);
}

MAINSTAY_HOT void mainstay_job_started(mainstay_job *job, uintptr_t frame) {
  mainstay_thread *open = mainstay_self_slot();
  if (mainstay_unlikely(open == NULL)) return;
  if (mainstay_job_drains_actor(job)) { // the jobs in it come by themselves
    open->pool_started++;
    return;
  }
  uint64_t now = mainstay_ticks();
  if (mainstay_unlikely(open->start != 0)) mainstay_stretch_interrupt(frame, now);
  mainstay_self.frame = frame;
  mainstay_self.closed_job = NULL;
  uint64_t word = job->enqueued, enqueued = word >> 16, since = since_start(now) & ((1ull << 48) - 1);
  if (mainstay_has_scopes()) mainstay_scope_dequeued(job);
  job->enqueued = 0;
  // The word of a job whose enqueue was not seen may hold anything, most likely 0.
  bool known = word != 0 && enqueued <= since + (1u << 16) && (uint16_t)word < MAINSTAY_EXECUTORS;
  open->wait = !known ? UINT64_MAX : since > enqueued ? since - enqueued : 0;
  open->priority = job->priority;
  open->whole = now;
  uint64_t address;
  if (mainstay_likely(mainstay_job_is_task(job))) {
    open->task = mainstay_task_id(job);
    open->origin = mainstay_task_origin(job);
    address = task_function(job);
  } else {
    open->task = job->id;
    open->origin = 0;
    address = (uint64_t)job->resume;
  }
  // An actor runs what was enqueued on it; a custom executor may hand its jobs to another.
  uint16_t index = known ? (uint16_t)word : 0;
  mainstay_executor *entry = &mainstay_the.hot.executors[index];
  if (index != 0)
    __atomic_store_n(&entry->started, entry->started + 1, __ATOMIC_RELAXED);
  else if (known) // a job that slept comes by another way, uncounted both times
    open->pool_started++;
  if (mainstay_likely(index != 0 && entry->settled))
    mainstay_stretch_open(job, MAINSTAY_KIND_JOB, address, index, entry->type, now);
  else {
    mainstay_executor_ref executor = mainstay_the.runtime.current_executor();
    mainstay_stretch_open_on(job, MAINSTAY_KIND_JOB, address, executor.identity, executor.witness, now);
  }
}

void mainstay_job_switched(const void *actor) {
  if (!mainstay_self_runs()) return;
  uint64_t now = mainstay_ticks();
  const mainstay_job *job = mainstay_self.job;
  mainstay_stretch_end(MAINSTAY_END_INLINE, now);
  mainstay_self.slot->wait = UINT64_MAX;
  mainstay_stretch_open_on(job, MAINSTAY_KIND_INLINE, task_function(job), actor, 0, now);
}

void mainstay_job_left(const void *actor) {
  if (!mainstay_self_runs()) return;
  // Only if the open stretch is on this actor: after a switch to another actor it is not, nor when its drain ends.
  uint16_t executor = mainstay_self.slot->executor;
  if (executor == 0 || mainstay_the.hot.executors[executor].identity != (uint64_t)actor) return;
  uint64_t now = mainstay_ticks();
  const mainstay_job *job = mainstay_self.job;
  mainstay_stretch_end(MAINSTAY_END_INLINE, now);
  mainstay_self.slot->wait = UINT64_MAX;
  mainstay_stretch_open(job, MAINSTAY_KIND_INLINE, task_function(job), 0, MAINSTAY_EXECUTOR_POOL, now);
}

MAINSTAY_HOT void mainstay_task_suspended(const mainstay_job *task, mainstay_end end) {
  if (!mainstay_stretch_is_open(task)) return;
  uint64_t now = mainstay_ticks();
  mainstay_stretch_close(end, now);
  if (mainstay_unlikely(mainstay_self.depth > 0)) mainstay_stretch_take_up(now);
  mainstay_self.closed = now;
  mainstay_self.closed_job = end == MAINSTAY_END_HOP ? task : NULL;
  if (mainstay_unlikely(end == MAINSTAY_END_CONTINUATION)) mainstay_task_waits(task);
}

void mainstay_task_entered(const mainstay_job *task, uintptr_t frame) {
  if (!mainstay_task_enters(task)) return;
  mainstay_self.frame = frame;
  mainstay_self.slot->kind = MAINSTAY_KIND_INLINE;
  mainstay_self.slot->wait = UINT64_MAX;
  if (mainstay_has_scopes()) mainstay_scope_entered(mainstay_scope_of(task), true);
  __atomic_store_n(&mainstay_self.slot->start, mainstay_ticks(), __ATOMIC_RELEASE);
}

void mainstay_task_completed(const mainstay_job *task) {
  if (mainstay_self_slot() == NULL) return;
  mainstay_self.slot->completed++;
  if (mainstay_has_scopes()) mainstay_scope_task_completed(task);
  if (mainstay_stretch_is_open(task)) {
    mainstay_stretch_close_and_take_up(MAINSTAY_END_COMPLETED, mainstay_ticks());
    if (mainstay_self.slot->start == 0) mainstay_self.job = NULL;
  }
}

void mainstay_returned(uintptr_t frame) {
  if (mainstay_self_known() == NULL) return;
  while (mainstay_self.slot->start != 0 && mainstay_self.frame <= frame) {
    uint32_t depth = mainstay_self.depth;
    mainstay_stretch_close_and_take_up(MAINSTAY_END_RETURNED, mainstay_ticks());
    if (depth == 0) break;
  }
  if (mainstay_self.slot->start == 0) mainstay_self.job = NULL;
}

// MARK: Other work, and the ends of a recording

void mainstay_block_started(const void *function, uint16_t scope, uintptr_t frame) {
  mainstay_thread *open = mainstay_self_slot();
  if (open == NULL) return;
  uint64_t now = mainstay_ticks();
  if (open->start != 0) mainstay_stretch_interrupt(frame, now);
  mainstay_self.frame = frame;
  open->wait = UINT64_MAX;
  open->priority = 0;
  open->task = 0;
  open->origin = 0;
  open->whole = now;
  mainstay_self.block_scope = scope;
  mainstay_stretch_open_on(NULL, MAINSTAY_KIND_BLOCK, (uint64_t)function, mainstay_the.hot.main_executor, 1, now);
  mainstay_header *header = mainstay_the.store.header;
  if (__atomic_load_n(&header->queued_blocks, __ATOMIC_RELAXED) > 0)
    __atomic_fetch_sub(&header->queued_blocks, 1, __ATOMIC_RELAXED);
}

// The frame of what runs the open job: whose return address is in the runtime's function that does. Nested jobs are told
// from it by where they are on the stack.
static uintptr_t running_frame(uintptr_t frame) {
  uintptr_t end = mainstay_self_stack_end(), at = frame;
  for (int i = 0; i < 256 && at % 8 == 0 && at >= frame && end - at >= 16 && at < end; i++) {
    const uintptr_t *words = (const uintptr_t *)at;
    if (mainstay_runtime_site(words[1]) == MAINSTAY_SITE_RUN) return at;
    uintptr_t next = words[0] & ~(1ull << 60);
    if (next <= at) break;
    at = next;
  }
  return frame;
}

void mainstay_jobs_begin(uintptr_t frame) {
  if (mainstay_the.runtime.current_task == NULL) return;
  const mainstay_job *task = mainstay_the.runtime.current_task();
  mainstay_thread *open = mainstay_self_slot();
  if (task == NULL || open == NULL || open->start != 0) return;
  mainstay_self.frame = running_frame(frame);
  open->wait = UINT64_MAX;
  open->priority = task->priority;
  open->task = mainstay_task_id(task);
  open->origin = mainstay_task_origin(task);
  uint64_t now = mainstay_ticks();
  open->whole = now;
  mainstay_executor_ref executor = mainstay_the.runtime.current_executor();
  uintptr_t resume = (uintptr_t)task->resume;
  bool in_runtime = resume - mainstay_the.hot.runtime_low < mainstay_the.hot.runtime_size;
  uint64_t function = in_runtime ? mainstay_runtime_function(&mainstay_the.runtime, task) : resume;
  mainstay_stretch_open_on(task, MAINSTAY_KIND_INLINE, function, executor.identity, executor.witness, now);
}

void mainstay_jobs_forget(void) { memset(&mainstay_self, 0, sizeof mainstay_self); }

void mainstay_jobs_finish(void) {
  if (mainstay_self_known() == NULL) return;
  while (mainstay_self.slot->start != 0) {
    uint32_t depth = mainstay_self.depth;
    mainstay_stretch_close_and_take_up(MAINSTAY_END_EXIT, mainstay_ticks());
    if (depth == 0) break;
  }
}

void mainstay_jobs_thread_ends(void) {
  // A runtime that is linked statically does not say when a job ends: some are still open.
  if (mainstay_self.slot != NULL && mainstay_self.slot->start != 0) mainstay_stretch_end(MAINSTAY_END_UNKNOWN, mainstay_ticks());
}
