#define _GNU_SOURCE
#include "jobs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

mainstay_recorder mainstay_the;

#define NESTED 4     // jobs within jobs whose outer part is taken up again
#define FUNCTIONS 64 // of the last functions and executors: a power of two, as their hashes are cut
#define EXECUTORS 32
#define RETRY_RECORDS 4096u

typedef struct {
  const mainstay_job *job;
  uintptr_t frame;
  uint64_t task, whole;
  uint16_t function, executor, origin, type;
  uint8_t kind, priority;
} outer_stretch;

// What a thread remembers. The open stretch itself is in the file (`slot`), so that it survives a crash. The first line
// is what every event needs.
typedef struct {
  mainstay_thread *slot;
  mainstay_record *records; // of the block; NULL: none
  const mainstay_job *job;  // of the open stretch, or the last
  uintptr_t frame;
  uint64_t closed;                // ticks of the last suspension,
  const mainstay_job *closed_job; // and of which job: its enqueue follows at once
  uint16_t type;                  // of the open stretch's executor
  bool creating;
  bool refused; // no slot was free
  uint32_t depth;
  uint64_t base; // of the block

  uint32_t task_high; // of the block
  uint32_t without_block;
  uint16_t creating_origin;
  uintptr_t stack_end;
  outer_stretch outer[NESTED];
  struct {
    uint64_t address;
    uint32_t key;
    uint16_t index;
  } functions[FUNCTIONS];
  struct {
    const void *identity, *metadata;
    uint16_t index, type;
  } executors[EXECUTORS];
} thread_state __attribute__((aligned(64)));

static __thread thread_state T __attribute__((tls_model("initial-exec")));
static pthread_key_t thread_key;

static void thread_ended(void *slot);

static void *const *initial_stack_end; // the loader's variable __libc_stack_end

uintptr_t mainstay_stack_end(void) { return T.stack_end; }

static __attribute__((noinline)) mainstay_thread *begin_thread(void) {
  if (T.refused) return NULL;
  uint32_t tid = (uint32_t)syscall(SYS_gettid);
  T.slot = mainstay_store_thread(&mainstay_the.store, tid);
  if (T.slot == NULL) {
    T.refused = true;
    return NULL;
  }
  // The kernel's answer for the main thread means reading /proc/self/maps; the loader knows it too.
  if (tid == (uint32_t)getpid() && initial_stack_end != NULL)
    T.stack_end = (uintptr_t)*initial_stack_end;
  else {
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      if (pthread_attr_getstack(&attributes, &low, &size) == 0) T.stack_end = (uintptr_t)low + size;
      pthread_attr_destroy(&attributes);
    }
  }
  pthread_setspecific(thread_key, T.slot);
  return T.slot;
}

static inline mainstay_thread *slot(void) { return mainstay_likely(T.slot != NULL) ? T.slot : begin_thread(); }

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

static bool next_block(uint64_t task, uint64_t now) {
  mainstay_thread *slot = T.slot;
  if (T.records != NULL) mainstay_store_retire((mainstay_block *)T.records - 1, slot->used);
  T.records = NULL;
  slot->block = 0;
  if (T.without_block != 0) {
    T.without_block--;
    return false;
  }
  mainstay_store *store = &mainstay_the.store;
  mainstay_block *block = mainstay_store_block(store, slot->tid, task, now);
  if (block == NULL) {
    T.without_block = RETRY_RECORDS;
    return false;
  }
  T.records = mainstay_block_records(block);
  T.base = block->base;
  T.task_high = block->task_high;
  slot->used = 0;
  __atomic_store_n(&slot->block, (uint32_t)(((char *)block - store->blocks) / MAINSTAY_BLOCK_BYTES) + 1, __ATOMIC_RELEASE);
  return true;
}

static inline void publish(void) { __atomic_store_n(&T.slot->used, T.slot->used + 1, __ATOMIC_RELEASE); }

static inline uint64_t since_base(uint64_t ticks) { return ticks > T.base ? ticks - T.base : 0; }

// The place for a record of this task; NULL when it must go without. When the block's records are of tasks with another
// upper half, a record with the whole id goes in front.
static inline mainstay_record *place(uint64_t task, uint64_t now) {
  uint32_t needed = 1 + mainstay_unlikely(T.task_high != (uint32_t)(task >> 32));
  if (mainstay_unlikely(T.records == NULL || T.slot->used + needed > MAINSTAY_RECORDS_PER_BLOCK)) {
    if (!next_block(task, now)) return NULL;
    needed = 1; // a new block is made for this task
  }
  mainstay_record *record = T.records + T.slot->used;
  if (mainstay_unlikely(needed == 2)) {
    mainstay_event *whole = (mainstay_event *)record++;
    *whole = (mainstay_event){.kind_end = MAINSTAY_KIND_TASK, .task = (uint32_t)task, .value = task};
    publish();
  }
  return record;
}

static void event(mainstay_kind kind, uint64_t task, uint8_t priority, uint16_t origin, uint64_t value) {
  if (slot() == NULL) return;
  uint64_t now = mainstay_ticks();
  mainstay_event *record = (mainstay_event *)place(task, now);
  if (record == NULL) {
    __atomic_fetch_add(&mainstay_the.store.header->lost_records, 1, __ATOMIC_RELAXED);
    return;
  }
  *record = (mainstay_event){.kind_end = (uint8_t)kind, .priority = priority, .origin = origin, .task = (uint32_t)task,
                             .start_executor = since_base(now) << 16, .value = value};
  publish();
}

static __attribute__((noinline)) void keep_stall(mainstay_end end, uint64_t length) {
  mainstay_clock_update();
  if (length < mainstay_the.hot.stall_ticks) return;
  mainstay_thread *open = T.slot;
  mainstay_stall stall = {.start = open->whole, .length = length, .wait = open->wait, .task = open->task,
                          .function = open->function, .origin = open->origin, .kind = open->kind,
                          .priority = open->priority, .end = (uint8_t)end, .tid = open->tid};
  mainstay_store_stall(&mainstay_the.store, &stall);
}

// MARK: Opening and closing

static inline void close_stretch(mainstay_end end, uint64_t now) {
  mainstay_thread *open = T.slot;
  uint64_t start = open->start, length = now > start ? now - start : 0;
  mainstay_record *record = place(open->task, now);
  if (mainstay_likely(record != NULL)) {
    *record = (mainstay_record){.kind_end = (uint8_t)(open->kind | end << 4), .priority = open->priority,
                                .function = open->function, .task = (uint32_t)open->task,
                                .start_executor = since_base(start) << 16 | open->executor,
                                .length = mainstay_span(length),
                                .wait = open->wait == UINT64_MAX ? MAINSTAY_SPAN_UNKNOWN : mainstay_span(open->wait)};
    publish();
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
  if (mainstay_unlikely(now - open->whole >= mainstay_the.hot.stall_ticks && T.type == MAINSTAY_EXECUTOR_MAIN &&
                        end != MAINSTAY_END_INTERRUPTED))
    keep_stall(end, now - open->whole);
  __atomic_store_n(&open->start, 0, __ATOMIC_RELEASE);
}

// Both caches have places in pairs: two that a program uses in turn do not push each other out.
static __attribute__((noinline)) uint32_t learn_function(uint32_t h, uint64_t address, uint32_t key) {
  uint16_t index = mainstay_store_function(&mainstay_the.store, address, key);
  T.functions[h + 1] = T.functions[h];
  T.functions[h].address = address;
  T.functions[h].key = key;
  T.functions[h].index = index;
  return h;
}

static inline uint16_t function_index(uint64_t address, uint32_t key) {
  uint32_t h = (uint32_t)((address ^ (uint64_t)key << 32) * 0x9e3779b97f4a7c15ull >> 59) * 2; // of 64
  if (mainstay_unlikely(T.functions[h].address != address || T.functions[h].key != key)) {
    if (T.functions[h + 1].address == address && T.functions[h + 1].key == key)
      h++;
    else
      h = learn_function(h, address, key);
  }
  return T.functions[h].index;
}

// The function that a task runs when it starts or resumes now.
static inline uint64_t task_function(const mainstay_job *task) {
  uintptr_t resume = (uintptr_t)task->resume;
  if (mainstay_likely(resume - mainstay_the.hot.runtime_low >= mainstay_the.hot.runtime_size)) return resume;
  // A task that the runtime made itself, of an async let, is first seen when it starts.
  if (mainstay_runtime_starts(&mainstay_the.runtime, task) && mainstay_task_origin(task) == 0 && !T.creating)
    T.slot->created++;
  return mainstay_runtime_function(&mainstay_the.runtime, task);
}

static __attribute__((noinline)) void learn_executor(uint32_t h, const void *identity, const void *metadata,
                                                     uintptr_t witness) {
  mainstay_store *store = &mainstay_the.store;
  uint16_t type, index;
  if (identity == mainstay_the.hot.main_executor)
    type = MAINSTAY_EXECUTOR_MAIN;
  else
    type = mainstay_store_type(store, metadata, witness ? MAINSTAY_EXECUTOR_CUSTOM : MAINSTAY_EXECUTOR_ACTOR,
                               mainstay_runtime_type_name(metadata));
  index = type ? mainstay_store_executor(store, identity, type) : 0;
  T.executors[h + 1] = T.executors[h];
  T.executors[h].identity = identity;
  T.executors[h].metadata = metadata;
  T.executors[h].index = index;
  T.executors[h].type = type;
}

// Where an executor stands in this thread's small cache, learned when it is new. `identity` is not NULL.
static inline uint32_t executor_place(const void *identity, uintptr_t witness) {
  uint32_t h = (uint32_t)((uintptr_t)identity * 0x9e3779b97f4a7c15ull >> 60) * 2; // of 32
  const void *metadata = *(const void *const *)identity;
  if (mainstay_unlikely(T.executors[h].identity != identity || T.executors[h].metadata != metadata)) {
    if (T.executors[h + 1].identity == identity && T.executors[h + 1].metadata == metadata)
      h++;
    else
      learn_executor(h, identity, metadata, witness);
  }
  return h;
}

// Makes the slot say what runs from now on, and on which executor. `start` comes last: what it guards is then whole.
static inline void open_stretch(const mainstay_job *job, mainstay_kind kind, uint64_t address, uint16_t executor,
                                uint32_t type, uint64_t now) {
  mainstay_thread *open = T.slot;
  T.job = job;
  T.type = (uint16_t)type;
  open->job = (uint64_t)job;
  open->executor = executor;
  open->kind = (uint8_t)kind;
  open->function = function_index(address, (type + 1) | (kind == MAINSTAY_KIND_BLOCK ? MAINSTAY_FUNCTION_BLOCK : 0));
  __atomic_store_n(&open->start, now, __ATOMIC_RELEASE);
}

static inline void open_stretch_on(const mainstay_job *job, mainstay_kind kind, uint64_t address, const void *identity,
                                   uintptr_t witness, uint64_t now) {
  if (identity == NULL) {
    open_stretch(job, kind, address, 0, MAINSTAY_EXECUTOR_POOL, now);
    return;
  }
  uint32_t h = executor_place(identity, witness);
  open_stretch(job, kind, address, T.executors[h].index, T.executors[h].type, now);
}

// A job begins while another is open. Either the other's end was not seen, and this one has its place on the stack; or
// this one runs inside it, deeper on the stack.
static __attribute__((noinline)) void interrupt(uintptr_t frame, uint64_t now) {
  if (frame >= T.frame) {
    close_stretch(MAINSTAY_END_NEXT, now);
    return;
  }
  mainstay_thread *open = T.slot;
  if (T.depth < NESTED)
    T.outer[T.depth] = (outer_stretch){T.job, T.frame, open->task, open->whole, open->function, open->executor,
                                       open->origin, T.type,
                                       open->kind == MAINSTAY_KIND_JOB ? MAINSTAY_KIND_INLINE : open->kind,
                                       open->priority};
  T.depth++;
  close_stretch(MAINSTAY_END_INTERRUPTED, now);
}

// What was interrupted at or above this frame goes on.
static __attribute__((noinline)) void take_up_outer(uint64_t now) {
  T.depth--;
  if (T.depth >= NESTED) return;
  const outer_stretch *outer = &T.outer[T.depth];
  mainstay_thread *open = T.slot;
  T.job = outer->job;
  T.frame = outer->frame;
  T.type = outer->type;
  open->job = (uint64_t)outer->job;
  open->task = outer->task;
  open->function = outer->function;
  open->executor = outer->executor;
  open->origin = outer->origin;
  open->kind = outer->kind;
  open->priority = outer->priority;
  open->whole = outer->whole;
  open->wait = UINT64_MAX;
  __atomic_store_n(&open->start, now, __ATOMIC_RELEASE);
}

static inline void close_and_take_up(mainstay_end end, uint64_t now) {
  close_stretch(end, now);
  if (mainstay_unlikely(T.depth > 0)) take_up_outer(now);
}

static void thread_ended(void *slot) {
  if (mainstay_is_on()) {
    // A runtime that is linked statically does not say when a job ends: some are still open.
    if (T.slot != NULL && T.slot->start != 0) close_stretch(MAINSTAY_END_UNKNOWN, mainstay_ticks());
    mainstay_store_thread_ended(&mainstay_the.store, slot);
  }
  memset(&T, 0, sizeof T);
  T.refused = true; // what still runs on this thread runs after its end
}

static inline bool is_open(const mainstay_job *job) {
  return T.slot != NULL && T.slot->start != 0 && T.job == job;
}

// MARK: What the runtime tells

static inline uint64_t since_start(uint64_t ticks) { return ticks - mainstay_the.hot.started; }

void mainstay_job_enqueued(mainstay_job *job, const void *executor, uintptr_t witness, bool again) {
  if (again && mainstay_likely(slot() != NULL)) T.slot->pool_enqueued++;
  if (mainstay_job_drains_actor(job)) return;
  // A task that hops was just suspended, within a few instructions of here.
  uint64_t now = mainstay_likely(T.closed_job == job) ? T.closed : mainstay_ticks();
  T.closed_job = NULL;
  if (mainstay_unlikely(T.creating) && mainstay_job_is_task(job)) mainstay_task_created(job);
  uint16_t index = 0;
  if (executor != NULL && !again && mainstay_likely(slot() != NULL)) {
    index = mainstay_the.hot.main_index;
    if (executor != mainstay_the.hot.main_executor || index == 0) {
      uint32_t h = executor_place(executor, witness);
      index = T.executors[h].index;
    }
    mainstay_executor *entry = &mainstay_the.hot.executors[index];
    uint32_t enqueued = __atomic_add_fetch(&entry->enqueued, 1, __ATOMIC_RELAXED);
    int32_t queued = (int32_t)(enqueued - __atomic_load_n(&entry->started, __ATOMIC_RELAXED));
    if (mainstay_unlikely(queued > entry->queue_max)) entry->queue_max = queued;
    if (queued == 1) entry->since = now;
  }
  mainstay_job_set_enqueued(job, since_start(now), index);
}

void mainstay_job_started(mainstay_job *job, uintptr_t frame) {
  mainstay_thread *open = slot();
  if (mainstay_unlikely(open == NULL)) return;
  if (mainstay_job_drains_actor(job)) { // the jobs in it come by themselves
    open->pool_started++;
    return;
  }
  uint64_t now = mainstay_ticks();
  if (mainstay_unlikely(open->start != 0)) interrupt(frame, now);
  T.frame = frame;
  T.closed_job = NULL;
  uint64_t word = job->enqueued, enqueued = word >> 16, since = since_start(now) & ((1ull << 48) - 1);
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
  if (T.slot == NULL || T.slot->start == 0) return;
  uint64_t now = mainstay_ticks();
  const mainstay_job *job = T.job;
  close_stretch(MAINSTAY_END_INLINE, now);
  T.slot->wait = UINT64_MAX;
  open_stretch_on(job, MAINSTAY_KIND_INLINE, task_function(job), actor, 0, now);
}

void mainstay_job_left(const void *actor) {
  if (T.slot == NULL || T.slot->start == 0) return;
  // Only if the open stretch is on this actor: after a switch to another actor it is not, nor when its drain ends.
  uint16_t executor = T.slot->executor;
  if (executor == 0 || mainstay_the.hot.executors[executor].identity != (uint64_t)actor) return;
  uint64_t now = mainstay_ticks();
  const mainstay_job *job = T.job;
  close_stretch(MAINSTAY_END_INLINE, now);
  T.slot->wait = UINT64_MAX;
  open_stretch(job, MAINSTAY_KIND_INLINE, task_function(job), 0, MAINSTAY_EXECUTOR_POOL, now);
}

// Where a task waits in a continuation: what resumes it, and the program's function behind that.
static __attribute__((noinline)) void note_continuation(const mainstay_job *task) {
  uint16_t resumes = function_index((uint64_t)task->resume, 1 + MAINSTAY_EXECUTOR_POOL);
  event(MAINSTAY_KIND_SUSPENDED, mainstay_task_id(task), task->priority, resumes, task_function(task));
}

void mainstay_task_suspended(const mainstay_job *task, mainstay_end end) {
  if (!is_open(task)) return;
  uint64_t now = mainstay_ticks();
  close_and_take_up(end, now);
  T.closed = now;
  T.closed_job = end == MAINSTAY_END_HOP ? task : NULL;
  if (mainstay_unlikely(end == MAINSTAY_END_CONTINUATION)) note_continuation(task);
}

void mainstay_task_entered(const mainstay_job *task, uintptr_t frame) {
  // What is suspended and entered again on the same thread at once was resumed before it could leave.
  if (mainstay_likely(T.slot == NULL || T.slot->start != 0 || T.job != task)) return;
  T.frame = frame;
  T.slot->kind = MAINSTAY_KIND_INLINE;
  T.slot->wait = UINT64_MAX;
  __atomic_store_n(&T.slot->start, mainstay_ticks(), __ATOMIC_RELEASE);
}

void mainstay_task_completed(const mainstay_job *task) {
  if (slot() == NULL) return;
  T.slot->completed++;
  if (is_open(task)) {
    close_and_take_up(MAINSTAY_END_COMPLETED, mainstay_ticks());
    if (T.slot->start == 0) T.job = NULL;
  }
}

void mainstay_task_resumed(const mainstay_job *task) {
  if (slot() == NULL) return;
  T.slot->continuations++;
  event(MAINSTAY_KIND_RESUMED, mainstay_task_id(task), 0, 0, 0);
}

void mainstay_task_cancelled(const mainstay_job *task) {
  if (slot() == NULL) return;
  T.slot->cancelled++;
  event(MAINSTAY_KIND_CANCELLED, mainstay_task_id(task), task->priority, mainstay_task_origin(task), 0);
}

void mainstay_returned(uintptr_t frame) {
  if (T.slot == NULL) return;
  while (T.slot->start != 0 && T.frame <= frame) {
    uint32_t depth = T.depth;
    close_and_take_up(MAINSTAY_END_RETURNED, mainstay_ticks());
    if (depth == 0) break;
  }
  if (T.slot->start == 0) T.job = NULL;
}

void mainstay_block_started(const void *function, uintptr_t frame) {
  mainstay_thread *open = slot();
  if (open == NULL) return;
  uint64_t now = mainstay_ticks();
  if (open->start != 0) interrupt(frame, now);
  T.frame = frame;
  open->wait = UINT64_MAX;
  open->priority = 0;
  open->task = 0;
  open->origin = 0;
  open->whole = now;
  open_stretch_on(NULL, MAINSTAY_KIND_BLOCK, (uint64_t)function, mainstay_the.hot.main_executor, 1, now);
  mainstay_header *header = mainstay_the.store.header;
  if (__atomic_load_n(&header->queued_blocks, __ATOMIC_RELAXED) > 0)
    __atomic_fetch_sub(&header->queued_blocks, 1, __ATOMIC_RELAXED);
}

void mainstay_task_creating(const uint64_t callers[3]) {
  T.creating = true;
  T.creating_origin = mainstay_store_origin(&mainstay_the.store, callers);
}

// Called from the enqueue of the new task, before anybody else can run it; or, when it was not enqueued, afterwards.
void mainstay_task_created(mainstay_job *task) {
  if (!T.creating) return;
  T.creating = false;
  if (slot() == NULL) return;
  mainstay_task_set_origin(task, T.creating_origin);
  T.slot->created++;
  uint64_t parent = 0;
  if (T.slot->start != 0 && T.slot->kind != MAINSTAY_KIND_BLOCK)
    parent = T.slot->task;
  event(MAINSTAY_KIND_CREATED, mainstay_task_id(task), task->priority, T.creating_origin, parent);
}

void mainstay_jobs_forget(void) { memset(&T, 0, sizeof T); }

void mainstay_jobs_finish(void) {
  if (T.slot == NULL) return;
  while (T.slot->start != 0) {
    uint32_t depth = T.depth;
    close_and_take_up(MAINSTAY_END_EXIT, mainstay_ticks());
    if (depth == 0) break;
  }
}

void mainstay_jobs_prepare(void) {
  initial_stack_end = dlsym(RTLD_DEFAULT, "__libc_stack_end");
  static bool made;
  if (!made) made = pthread_key_create(&thread_key, thread_ended) == 0;
}
