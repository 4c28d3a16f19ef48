// What each thread runs: stretches that open and close, and what becomes of them. Every function here is called on the
// thread that it is about; none locks or allocates.
#ifndef MAINSTAY_JOBS_H
#define MAINSTAY_JOBS_H

#include "runtime.h"
#include "store.h"

/// Where the runtime calls us from, as it was first met, in bytes from the beginning of its code; 0: not yet. `else` is
/// what is none of our business, and comes as often as the rest.
typedef struct mainstay_known_callers {
  uint32_t run, switched, acquire_else[2];
  uint32_t enqueue, enqueue_global, unlock[2], release_else[2];
  uint32_t hop;
} mainstay_known_callers;

/// What every event of every job needs, together in as few cache lines as it takes: between two jobs the kernel has
/// used the others.
typedef struct mainstay_hot {
  uint32_t on; // number of the recording that is being written, from 1; 0: none. Looked at before everything else
  uint16_t main_index;
  uint16_t scopes; // that are open, or whose tasks still run: scope.h
  uint64_t started; // ticks
  uint64_t stall_ticks; // stretches on the main actor at least this long are kept as stalls
  mainstay_executor *executors;
  const void *main_executor;
  uintptr_t runtime_low, runtime_size; // the runtime's own code
  void (*run_job)(void *); // the runtime's function behind the first wrapper

  mainstay_known_callers callers;
  void (*next_enter)(char *);
  void (*next_exit)(char *);
} mainstay_hot;

/// The recorder of this process.
typedef struct mainstay_recorder {
  mainstay_hot hot __attribute__((aligned(64)));
  mainstay_runtime runtime;
  mainstay_store store;
} mainstay_recorder;
extern mainstay_recorder mainstay_the __attribute__((visibility("hidden")));

static inline bool mainstay_is_on(void) { return mainstay_likely(__atomic_load_n(&mainstay_the.hot.on, __ATOMIC_RELAXED)); }

/// A job was enqueued; `executor` is where, when it is known and not the pool.
void mainstay_job_enqueued(mainstay_job *job, const void *executor, uintptr_t witness);
/// It was handed to the pool, after that or by itself: also what an actor drains itself with.
void mainstay_job_enqueued_on_pool(mainstay_job *job);
/// A job starts on this thread. `frame` is the stack pointer of who runs it.
void mainstay_job_started(mainstay_job *job, uintptr_t frame);
/// The open job goes on inline on `actor`, or on no actor.
void mainstay_job_switched(const void *actor);
void mainstay_job_left(const void *actor);
/// The task leaves this thread.
void mainstay_task_suspended(const mainstay_job *task, mainstay_end end);
void mainstay_task_entered(const mainstay_job *task, uintptr_t frame);
/// It waits in a continuation.
void mainstay_task_waits(const mainstay_job *task);
void mainstay_task_completed(const mainstay_job *task);
void mainstay_task_resumed(const mainstay_job *task);
void mainstay_task_cancelled(const mainstay_job *task);
/// Everything that was opened in frames below `frame` has returned.
void mainstay_returned(uintptr_t frame);
/// A block of the main queue begins, of a scope or of none (0); mainstay_returned ends it.
void mainstay_block_started(const void *function, uint16_t scope, uintptr_t frame);

/// A task is about to be created at this origin, which inherits the context of its creator or does not; and was, unless
/// it has already been enqueued.
void mainstay_task_creating(const uint64_t callers[3], bool inherits);
void mainstay_task_created(mainstay_job *task);

/// The calling thread ends: what it has open is closed.
void mainstay_jobs_thread_ends(void);
/// Opens what the calling thread is running already, when the recording begins in the middle of it.
void mainstay_jobs_begin(uintptr_t frame);
/// Forgets what the calling thread does, in a forked child; and closes what it does, at the end.
void mainstay_jobs_forget(void);
void mainstay_jobs_finish(void);
/// Turns ticks into what the recording's header says of the clock, now.
void mainstay_clock_update(void);

#endif
