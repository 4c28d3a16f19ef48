// What each thread remembers, and how it writes records. Everything here is about the calling thread.
#ifndef MAINSTAY_THREAD_H
#define MAINSTAY_THREAD_H

#include "jobs.h"
#include "unwind.h"

#define MAINSTAY_NESTED 4     // jobs within jobs whose outer part is taken up again
#define MAINSTAY_CACHED_FUNCTIONS 64 // of the last functions and executors: a power of two, as their hashes are cut
#define MAINSTAY_CACHED_EXECUTORS 32

// What a thread had used at some moment: the clock, waited for a processor, ran, in nanoseconds; and how often it blocked.
typedef struct {
  uint64_t time, delayed, ran, blocked;
} mainstay_usage;

typedef struct {
  const mainstay_job *job;
  uintptr_t frame;
  uint64_t task, whole;
  uint16_t function, executor, origin, type;
  uint8_t kind, priority;
  uint16_t scope;
  mainstay_usage before;
} mainstay_outer;

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
  bool ended; // the thread's last hour: nothing is noted of it any more
  uint32_t depth;
  uint32_t recording; // that the rest belongs to, as mainstay_hot numbers them; in it the thread has a slot

  uint64_t base;      // of the block
  uint32_t task_high; // of the block
  uint32_t without_block;
  uint16_t creating_origin;
  bool creating_inherits;
  uint16_t scope; // of the open stretch; 0: none
  uint16_t block_scope; // of the block that begins
  uint32_t refused;     // the recording that had no slot for the thread
  int schedule;   // 1 + the file that says how long this thread waits for a processor; 0: not asked yet, -1: none
  mainstay_usage before; // when the open stretch was fresh, in a scope
  uintptr_t stack_end;
  mainstay_outer outer[MAINSTAY_NESTED];
  struct {
    uint64_t address;
    uint32_t key;
    uint16_t index;
  } functions[MAINSTAY_CACHED_FUNCTIONS];
  struct {
    const void *identity, *metadata;
    uint16_t index, type;
  } executors[MAINSTAY_CACHED_EXECUTORS];
  mainstay_call_step steps[MAINSTAY_CALL_STEPS]; // of the calls that made tasks
} mainstay_thread_state __attribute__((aligned(64)));

extern __thread mainstay_thread_state mainstay_self __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// Before any thread is recorded.
void mainstay_self_prepare(void);
/// The calling thread's slot in this recording, found for it when it has none; NULL when there is none.
mainstay_thread *mainstay_self_begin(void);
/// The end of the calling thread's stack; 0 when it is not known.
uintptr_t mainstay_self_stack_end(void);
/// Retires the block that is written and takes another. False when there is none.
bool mainstay_self_next_block(uint64_t task, uint64_t now);
uint32_t mainstay_self_learn_function(uint32_t place, uint64_t address, uint32_t key);
void mainstay_self_learn_executor(uint32_t place, const void *identity, const void *metadata, uintptr_t witness);

static inline bool mainstay_self_is_current(void) {
  return mainstay_likely(mainstay_self.recording == __atomic_load_n(&mainstay_the.hot.on, __ATOMIC_RELAXED));
}
static inline mainstay_thread *mainstay_self_slot(void) { return mainstay_self_is_current() ? mainstay_self.slot : mainstay_self_begin(); }
/// The slot if the thread has one already.
static inline mainstay_thread *mainstay_self_known(void) { return mainstay_self_is_current() ? mainstay_self.slot : NULL; }
/// Whether a stretch is open, while the recorder is on.
static inline bool mainstay_self_runs(void) { return mainstay_self_is_current() && mainstay_self.slot->start != 0; }

static inline void mainstay_self_publish(void) { __atomic_store_n(&mainstay_self.slot->used, mainstay_self.slot->used + 1, __ATOMIC_RELEASE); }

static inline uint64_t mainstay_self_since_base(uint64_t ticks) { return ticks > mainstay_self.base ? ticks - mainstay_self.base : 0; }

// The place for a record of this task; NULL when it must go without. When the block's records are of tasks with another
// upper half, a record with the whole id goes in front.
static inline mainstay_record *mainstay_self_place(uint64_t task, uint64_t now) {
  uint32_t needed = 1 + mainstay_unlikely(mainstay_self.task_high != (uint32_t)(task >> 32));
  if (mainstay_unlikely(mainstay_self.records == NULL || mainstay_self.slot->used + needed > MAINSTAY_RECORDS_PER_BLOCK)) {
    if (!mainstay_self_next_block(task, now)) return NULL;
    needed = 1; // a new block is made for this task
  }
  mainstay_record *record = mainstay_self.records + mainstay_self.slot->used;
  if (mainstay_unlikely(needed == 2)) {
    mainstay_event *whole = (mainstay_event *)record++;
    *whole = (mainstay_event){.kind_end = MAINSTAY_KIND_TASK, .task = (uint32_t)task, .value = task};
    mainstay_self_publish();
  }
  return record;
}

// Both caches have places in pairs: two that a program uses in turn do not push each other out.
static inline uint16_t mainstay_self_function(uint64_t address, uint32_t key) {
  uint32_t h = (uint32_t)((address ^ (uint64_t)key << 32) * 0x9e3779b97f4a7c15ull >> 59) * 2; // of 64
  if (mainstay_unlikely(mainstay_self.functions[h].address != address || mainstay_self.functions[h].key != key)) {
    if (mainstay_self.functions[h + 1].address == address && mainstay_self.functions[h + 1].key == key)
      h++;
    else
      h = mainstay_self_learn_function(h, address, key);
  }
  return mainstay_self.functions[h].index;
}

// Where an executor stands in this thread's small cache, learned when it is new. `identity` is not NULL.
static inline uint32_t mainstay_self_executor(const void *identity, uintptr_t witness) {
  uint32_t h = (uint32_t)((uintptr_t)identity * 0x9e3779b97f4a7c15ull >> 60) * 2; // of 32
  const void *metadata = *(const void *const *)identity;
  if (mainstay_unlikely(mainstay_self.executors[h].identity != identity || mainstay_self.executors[h].metadata != metadata)) {
    if (mainstay_self.executors[h + 1].identity == identity && mainstay_self.executors[h + 1].metadata == metadata)
      h++;
    else
      mainstay_self_learn_executor(h, identity, metadata, witness);
  }
  return h;
}

#endif
