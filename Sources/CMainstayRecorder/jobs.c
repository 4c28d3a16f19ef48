#define _GNU_SOURCE
#include "thread.h"

#include "scope.h"

#include <string.h>

mainstay_recorder mainstay_the;

// MARK: The clock

void mainstay_clock_update(void) {
  mainstay_header *header = mainstay_the.store.header;
  uint64_t ticks = mainstay_ticks(), nanoseconds = mainstay_nanoseconds();
  header->latest = (mainstay_clock){ticks, nanoseconds};
  uint64_t elapsed = nanoseconds - header->started.nanoseconds;
  uint64_t limit = header->budget_nanoseconds < header->frame_nanoseconds ? header->budget_nanoseconds : header->frame_nanoseconds;
  // Stretches are kept as stalls from three quarters of the limit: the reader, who knows the clock best, decides.
  if (elapsed > 100000)
    mainstay_the.hot.stall_ticks = (uint64_t)((__uint128_t)limit * 3 / 4 * (ticks - header->started.ticks) / elapsed);
}

// MARK: Writing records

static void event(mainstay_kind kind, uint64_t task, uint8_t priority, uint16_t origin, uint16_t executor, uint64_t value) {
  if (mainstay_self_slot() == NULL) return;
  uint64_t now = mainstay_ticks();
  mainstay_event *record = (mainstay_event *)mainstay_self_place(task, now);
  if (record == NULL) {
    __atomic_fetch_add(&mainstay_the.store.header->lost_records, 1, __ATOMIC_RELAXED);
    return;
  }
  *record = (mainstay_event){.kind_end = (uint8_t)kind, .priority = priority, .origin = origin, .task = (uint32_t)task,
                             .start_executor = mainstay_self_since_base(now) << 16 | executor, .value = value};
  mainstay_self_publish();
}

static __attribute__((noinline)) void keep_stall(mainstay_end end, uint64_t length) {
  mainstay_clock_update();
  if (length < mainstay_the.hot.stall_ticks) return;
  mainstay_thread *open = mainstay_self.slot;
  mainstay_stall stall = {.start = open->whole, .length = length, .wait = open->wait, .task = open->task,
                          .function = open->function, .origin = open->origin, .kind = open->kind,
                          .priority = open->priority, .end = (uint8_t)end, .tid = open->tid};
  mainstay_store_stall(&mainstay_the.store, &stall);
}

// MARK: Opening and closing

static inline void close_stretch(mainstay_end end, uint64_t now) {
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
  } else {
    mainstay_record lost = {.kind_end = (uint8_t)(open->kind | end << 4), .function = open->function,
                            .length = mainstay_span(length),
                            .wait = open->wait == UINT64_MAX ? MAINSTAY_SPAN_UNKNOWN : mainstay_span(open->wait)};
    mainstay_store_fold(&mainstay_the.store, &lost, start);
    mainstay_header *header = mainstay_the.store.header;
    __atomic_fetch_add(&header->folded_records, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&header->lost_records, 1, __ATOMIC_RELAXED);
  }
  // A stall counts whole, from before what ran inside it to its own end.
  if (mainstay_unlikely(now - open->whole >= mainstay_the.hot.stall_ticks && mainstay_self.type == MAINSTAY_EXECUTOR_MAIN &&
                        end != MAINSTAY_END_INTERRUPTED))
    keep_stall(end, now - open->whole);
  if (mainstay_unlikely(mainstay_self.scope != 0)) mainstay_scope_left(end != MAINSTAY_END_INTERRUPTED);
  __atomic_store_n(&open->start, 0, __ATOMIC_RELEASE);
}

static inline bool has_scopes(void) { return mainstay_unlikely(mainstay_the.hot.scopes != 0); }

// The function that a task runs when it starts or resumes now.
static inline uint64_t task_function(const mainstay_job *task) {
  uintptr_t resume = (uintptr_t)task->resume;
  if (mainstay_likely(resume - mainstay_the.hot.runtime_low >= mainstay_the.hot.runtime_size)) return resume;
  // A task that the runtime made itself, of an async let, is first seen when it starts.
  if (mainstay_runtime_starts(&mainstay_the.runtime, task) && mainstay_task_origin(task) == 0 && !mainstay_self.creating)
    mainstay_self.slot->created++;
  return mainstay_runtime_function(&mainstay_the.runtime, task);
}

// Makes the slot say what runs from now on, and on which executor. `start` comes last: what it guards is then whole.
static inline void open_stretch(const mainstay_job *job, mainstay_kind kind, uint64_t address, uint16_t executor,
                                uint32_t type, uint64_t now) {
  mainstay_thread *open = mainstay_self.slot;
  mainstay_self.job = job;
  mainstay_self.type = (uint16_t)type;
  open->job = (uint64_t)job;
  open->executor = executor;
  open->kind = (uint8_t)kind;
  open->function = mainstay_self_function(address, (type + 1) | (kind == MAINSTAY_KIND_BLOCK ? MAINSTAY_FUNCTION_BLOCK : 0));
  if (has_scopes()) mainstay_scope_entered(job != NULL ? mainstay_scope_of(job) : mainstay_self.block_scope, true);
  __atomic_store_n(&open->start, now, __ATOMIC_RELEASE);
}

static inline void open_stretch_on(const mainstay_job *job, mainstay_kind kind, uint64_t address, const void *identity,
                                   uintptr_t witness, uint64_t now) {
  if (identity == NULL) {
    open_stretch(job, kind, address, 0, MAINSTAY_EXECUTOR_POOL, now);
    return;
  }
  uint32_t h = mainstay_self_executor(identity, witness);
  open_stretch(job, kind, address, mainstay_self.executors[h].index, mainstay_self.executors[h].type, now);
}

// A job begins while another is open. Either the other's end was not seen, and this one has its place on the stack; or
// this one runs inside it, deeper on the stack.
static __attribute__((noinline)) void interrupt(uintptr_t frame, uint64_t now) {
  if (frame >= mainstay_self.frame) {
    close_stretch(MAINSTAY_END_NEXT, now);
    return;
  }
  mainstay_thread *open = mainstay_self.slot;
  if (mainstay_self.depth < MAINSTAY_NESTED)
    mainstay_self.outer[mainstay_self.depth] = (mainstay_outer){mainstay_self.job, mainstay_self.frame, open->task, open->whole, open->function, open->executor,
                                       open->origin, mainstay_self.type,
                                       open->kind == MAINSTAY_KIND_JOB ? MAINSTAY_KIND_INLINE : open->kind,
                                       open->priority, mainstay_self.scope, mainstay_self.before};
  mainstay_self.depth++;
  close_stretch(MAINSTAY_END_INTERRUPTED, now);
}

// What was interrupted at or above this frame goes on.
static __attribute__((noinline)) void take_up_outer(uint64_t now) {
  mainstay_self.depth--;
  if (mainstay_self.depth >= MAINSTAY_NESTED) return;
  const mainstay_outer *outer = &mainstay_self.outer[mainstay_self.depth];
  mainstay_thread *open = mainstay_self.slot;
  mainstay_self.job = outer->job;
  mainstay_self.frame = outer->frame;
  mainstay_self.type = outer->type;
  open->job = (uint64_t)outer->job;
  open->task = outer->task;
  open->function = outer->function;
  open->executor = outer->executor;
  open->origin = outer->origin;
  open->kind = outer->kind;
  open->priority = outer->priority;
  open->whole = outer->whole;
  open->wait = UINT64_MAX;
  if (mainstay_unlikely(outer->scope != 0)) {
    mainstay_self.before = outer->before;
    mainstay_scope_entered(outer->scope, false);
  }
  __atomic_store_n(&open->start, now, __ATOMIC_RELEASE);
}

static inline void close_and_take_up(mainstay_end end, uint64_t now) {
  close_stretch(end, now);
  if (mainstay_unlikely(mainstay_self.depth > 0)) take_up_outer(now);
}

static inline bool is_open(const mainstay_job *job) {
  return mainstay_self_known() != NULL && mainstay_self.slot->start != 0 && mainstay_self.job == job;
}

// MARK: What the runtime tells

static inline uint64_t since_start(uint64_t ticks) { return ticks - mainstay_the.hot.started; }

void mainstay_job_enqueued(mainstay_job *job, const void *executor, uintptr_t witness, bool again) {
  if (again && mainstay_likely(mainstay_self_slot() != NULL)) mainstay_self.slot->pool_enqueued++;
  if (mainstay_job_drains_actor(job)) return;
  // A task that hops was just suspended, within a few instructions of here.
  uint64_t now = mainstay_likely(mainstay_self.closed_job == job) ? mainstay_self.closed : mainstay_ticks();
  mainstay_self.closed_job = NULL;
  if (mainstay_unlikely(mainstay_self.creating) && mainstay_job_is_task(job)) mainstay_task_created(job);
  uint16_t index = 0;
  if (executor != NULL && !again && mainstay_likely(mainstay_self_slot() != NULL)) {
    index = mainstay_the.hot.main_index;
    if (executor != mainstay_the.hot.main_executor || index == 0) {
      uint32_t h = mainstay_self_executor(executor, witness);
      index = mainstay_self.executors[h].index;
    }
    mainstay_executor *entry = &mainstay_the.hot.executors[index];
    uint32_t enqueued = __atomic_add_fetch(&entry->enqueued, 1, __ATOMIC_RELAXED);
    int32_t queued = (int32_t)(enqueued - __atomic_load_n(&entry->started, __ATOMIC_RELAXED));
    if (mainstay_unlikely(queued > entry->queue_max)) entry->queue_max = queued;
    if (queued == 1) entry->since = now;
  }
  if (has_scopes()) mainstay_scope_enqueued(job);
  mainstay_job_set_enqueued(job, since_start(now), index);
}

void mainstay_job_started(mainstay_job *job, uintptr_t frame) {
  mainstay_thread *open = mainstay_self_slot();
  if (mainstay_unlikely(open == NULL)) return;
  if (mainstay_job_drains_actor(job)) { // the jobs in it come by themselves
    open->pool_started++;
    return;
  }
  uint64_t now = mainstay_ticks();
  if (mainstay_unlikely(open->start != 0)) interrupt(frame, now);
  mainstay_self.frame = frame;
  mainstay_self.closed_job = NULL;
  uint64_t word = job->enqueued, enqueued = word >> 16, since = since_start(now) & ((1ull << 48) - 1);
  if (has_scopes()) mainstay_scope_dequeued(job);
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
    open_stretch(job, MAINSTAY_KIND_JOB, address, index, entry->type, now);
  else {
    mainstay_executor_ref executor = mainstay_the.runtime.current_executor();
    open_stretch_on(job, MAINSTAY_KIND_JOB, address, executor.identity, executor.witness, now);
  }
}

void mainstay_job_switched(const void *actor) {
  if (mainstay_self_known() == NULL || mainstay_self.slot->start == 0) return;
  uint64_t now = mainstay_ticks();
  const mainstay_job *job = mainstay_self.job;
  close_stretch(MAINSTAY_END_INLINE, now);
  mainstay_self.slot->wait = UINT64_MAX;
  open_stretch_on(job, MAINSTAY_KIND_INLINE, task_function(job), actor, 0, now);
}

void mainstay_job_left(const void *actor) {
  if (mainstay_self_known() == NULL || mainstay_self.slot->start == 0) return;
  // Only if the open stretch is on this actor: after a switch to another actor it is not, nor when its drain ends.
  uint16_t executor = mainstay_self.slot->executor;
  if (executor == 0 || mainstay_the.hot.executors[executor].identity != (uint64_t)actor) return;
  uint64_t now = mainstay_ticks();
  const mainstay_job *job = mainstay_self.job;
  close_stretch(MAINSTAY_END_INLINE, now);
  mainstay_self.slot->wait = UINT64_MAX;
  open_stretch(job, MAINSTAY_KIND_INLINE, task_function(job), 0, MAINSTAY_EXECUTOR_POOL, now);
}

// Where a task waits in a continuation: what it resumes in, and the program's function that awaits that. In programs that
// are not optimised it resumes in the library's `withCheckedContinuation`, of which the program has a copy.
static __attribute__((noinline)) void note_continuation(const mainstay_job *task) {
  uint16_t resumes = mainstay_self_function((uint64_t)task->resume, 1 + MAINSTAY_EXECUTOR_POOL);
  event(MAINSTAY_KIND_SUSPENDED, mainstay_task_id(task), task->priority, resumes, 0,
        mainstay_runtime_function(&mainstay_the.runtime, task));
}

void mainstay_task_suspended(const mainstay_job *task, mainstay_end end) {
  if (!is_open(task)) return;
  uint64_t now = mainstay_ticks();
  close_and_take_up(end, now);
  mainstay_self.closed = now;
  mainstay_self.closed_job = end == MAINSTAY_END_HOP ? task : NULL;
  if (mainstay_unlikely(end == MAINSTAY_END_CONTINUATION)) note_continuation(task);
}

void mainstay_task_entered(const mainstay_job *task, uintptr_t frame) {
  // What is suspended and entered again on the same thread at once was resumed before it could leave.
  if (mainstay_likely(mainstay_self_known() == NULL || mainstay_self.slot->start != 0 || mainstay_self.job != task)) return;
  mainstay_self.frame = frame;
  mainstay_self.slot->kind = MAINSTAY_KIND_INLINE;
  mainstay_self.slot->wait = UINT64_MAX;
  if (has_scopes()) mainstay_scope_entered(mainstay_scope_of(task), true);
  __atomic_store_n(&mainstay_self.slot->start, mainstay_ticks(), __ATOMIC_RELEASE);
}

void mainstay_task_completed(const mainstay_job *task) {
  if (mainstay_self_slot() == NULL) return;
  mainstay_self.slot->completed++;
  if (has_scopes()) mainstay_scope_task_completed(task);
  if (is_open(task)) {
    close_and_take_up(MAINSTAY_END_COMPLETED, mainstay_ticks());
    if (mainstay_self.slot->start == 0) mainstay_self.job = NULL;
  }
}

void mainstay_task_resumed(const mainstay_job *task) {
  if (mainstay_self_slot() == NULL) return;
  mainstay_self.slot->continuations++;
  event(MAINSTAY_KIND_RESUMED, mainstay_task_id(task), 0, 0, 0, 0);
}

void mainstay_task_cancelled(const mainstay_job *task) {
  if (mainstay_self_slot() == NULL) return;
  mainstay_self.slot->cancelled++;
  event(MAINSTAY_KIND_CANCELLED, mainstay_task_id(task), task->priority, mainstay_task_origin(task), 0, 0);
}

void mainstay_returned(uintptr_t frame) {
  if (mainstay_self_known() == NULL) return;
  while (mainstay_self.slot->start != 0 && mainstay_self.frame <= frame) {
    uint32_t depth = mainstay_self.depth;
    close_and_take_up(MAINSTAY_END_RETURNED, mainstay_ticks());
    if (depth == 0) break;
  }
  if (mainstay_self.slot->start == 0) mainstay_self.job = NULL;
}

void mainstay_block_started(const void *function, uint16_t scope, uintptr_t frame) {
  mainstay_thread *open = mainstay_self_slot();
  if (open == NULL) return;
  uint64_t now = mainstay_ticks();
  if (open->start != 0) interrupt(frame, now);
  mainstay_self.frame = frame;
  open->wait = UINT64_MAX;
  open->priority = 0;
  open->task = 0;
  open->origin = 0;
  open->whole = now;
  mainstay_self.block_scope = scope;
  open_stretch_on(NULL, MAINSTAY_KIND_BLOCK, (uint64_t)function, mainstay_the.hot.main_executor, 1, now);
  mainstay_header *header = mainstay_the.store.header;
  if (__atomic_load_n(&header->queued_blocks, __ATOMIC_RELAXED) > 0)
    __atomic_fetch_sub(&header->queued_blocks, 1, __ATOMIC_RELAXED);
}

void mainstay_task_creating(const uint64_t callers[3], bool inherits) {
  mainstay_self.creating = true;
  mainstay_self.creating_inherits = inherits;
  mainstay_self.creating_origin = mainstay_store_origin(&mainstay_the.store, callers);
}

// Called from the enqueue of the new task, before anybody else can run it; or, when it was not enqueued, afterwards.
void mainstay_task_created(mainstay_job *task) {
  if (!mainstay_self.creating) return;
  mainstay_self.creating = false;
  if (mainstay_self_slot() == NULL) return;
  mainstay_task_set_origin(task, mainstay_self.creating_origin, 0);
  if (has_scopes()) mainstay_scope_task_created(task);
  mainstay_self.slot->created++;
  uint64_t parent = 0;
  if (mainstay_self.slot->start != 0 && mainstay_self.slot->kind != MAINSTAY_KIND_BLOCK)
    parent = mainstay_self.slot->task;
  uint16_t executor = mainstay_self.creating_inherits && mainstay_self.slot->start != 0 ? mainstay_self.slot->executor : 0;
  event(MAINSTAY_KIND_CREATED, mainstay_task_id(task), task->priority, mainstay_self.creating_origin, executor, parent);
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
  open_stretch_on(task, MAINSTAY_KIND_INLINE, function, executor.identity, executor.witness, now);
}

void mainstay_jobs_forget(void) { memset(&mainstay_self, 0, sizeof mainstay_self); }

void mainstay_jobs_finish(void) {
  if (mainstay_self_known() == NULL) return;
  while (mainstay_self.slot->start != 0) {
    uint32_t depth = mainstay_self.depth;
    close_and_take_up(MAINSTAY_END_EXIT, mainstay_ticks());
    if (depth == 0) break;
  }
}

void mainstay_jobs_thread_ends(void) {
  // A runtime that is linked statically does not say when a job ends: some are still open.
  if (mainstay_self.slot != NULL && mainstay_self.slot->start != 0) close_stretch(MAINSTAY_END_UNKNOWN, mainstay_ticks());
}
