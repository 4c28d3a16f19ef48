// Everything the recorder knows of the Swift 6.3 concurrency runtime on Linux x86-64: where its objects keep what we
// read, and which of its functions call us. No other file names an offset, a mangled name or a calling function.
//
// Evidence: `objdump -d libswift_Concurrency.so` of the 6.3.1 toolchain. The offsets are those of swift/ABI/Task.h
// (struct Job, class AsyncTask) and swift/ABI/Metadata.h (class metadata without Objective-C). runtime.c checks the
// layout version and task size that the library itself exports before anything here is used.
#ifndef MAINSTAY_RUNTIME_H
#define MAINSTAY_RUNTIME_H

#include "include/mainstay_recorder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define mainstay_swiftcall __attribute__((swiftcall))
#define mainstay_likely(x) __builtin_expect(!!(x), 1)
#define mainstay_unlikely(x) __builtin_expect(!!(x), 0)

// A job, as far as we read it. `enqueued` is the word that Job keeps in reserve (`Reserved`): the runtime neither reads
// nor writes it, so when and where it was enqueued travels in the job itself. AsyncTask likewise keeps `reserved64`; in it
// travels the place where the task was created.
typedef struct mainstay_job {
  void *metadata, *references;
  void *scheduler[2]; // 0x10
  uint8_t kind;       // 0x20: 0 is a task, 192 to 194 are what a default actor drains itself with
  uint8_t priority;   // 0x21
  uint16_t flags;
  uint32_t id;        // 0x24: the lower half of a task's id
  void *voucher;      // 0x28
  uint64_t enqueued;  // 0x30
  void *resume;       // 0x38
  void **context;     // 0x40: of a task. [0] the caller's context, [1] the function that resumes the caller
  uint64_t origin;    // 0x48: of a task
  uint64_t private_[8]; // 0x50
} mainstay_job;
_Static_assert(offsetof(mainstay_job, kind) == 0x20 && offsetof(mainstay_job, id) == 0x24, "Job");
_Static_assert(offsetof(mainstay_job, enqueued) == 0x30 && offsetof(mainstay_job, resume) == 0x38, "Job");
_Static_assert(offsetof(mainstay_job, origin) == 0x48 && offsetof(mainstay_job, private_) == 0x50, "AsyncTask");

#define MAINSTAY_TASK_PRIVATE 0x50u    // what swift_task_{enter,exit}ThreadLocalContext get is a task + this
#define MAINSTAY_TASK_ID_HIGH 0x90u    // upper half of a task's id
#define MAINSTAY_TASK_INHERITS 0x800u  // flag of swift_task_create: the task inherits the context of its creator
#define MAINSTAY_TASK_SIZE 208u        // _swift_concurrency_debug_asyncTaskSize
#define MAINSTAY_LAYOUT_VERSION 1u     // _swift_concurrency_debug_internal_layout_version
#define MAINSTAY_ENTRY_POINT (-3)      // in the context of a task that has not run: its first function
#define MAINSTAY_METADATA_DESCRIPTOR 5 // word of a class's metadata with its type descriptor
#define MAINSTAY_DESCRIPTOR_NAME 8     // offset of the relative pointer to the name
#define MAINSTAY_DESCRIPTOR_CLASS 16u  // kind of a class's descriptor, the lower 5 bits of its flags

static inline bool mainstay_job_is_task(const mainstay_job *job) { return job->kind == 0; }
// What Task.yield() hands to Dispatch in the task's place, which waits in a continuation meanwhile: JobKind's
// NullaryContinuation.
static inline bool mainstay_job_yields(const mainstay_job *job) { return job->kind == 195; }
static inline bool mainstay_job_drains_actor(const mainstay_job *job) { return job->kind >= 192 && job->kind <= 194; }
static inline uint64_t mainstay_task_id(const mainstay_job *task) {
  return (uint64_t)*(const uint32_t *)((const char *)task + MAINSTAY_TASK_ID_HIGH) << 32 | task->id;
}
static inline uint64_t mainstay_job_id(const mainstay_job *job) {
  return mainstay_job_is_task(job) ? mainstay_task_id(job) : job->id;
}

// The time of the enqueue, since the recording began, and where it went: 48 bits and 16.
static inline void mainstay_job_set_enqueued(mainstay_job *job, uint64_t ticks, uint16_t executor) {
  job->enqueued = ticks << 16 | executor;
}

// Where a task was created, and in which scope (scope.h), travels in the task: 11 bits of a mark, 10 of the scope, 11 of
// the origin's index, and the id as a proof that the word is ours and this task's.
#define MAINSTAY_STAMP_MARK 0x4d5ull
_Static_assert(MAINSTAY_ORIGINS <= 1u << 11, "an origin's index has 11 bits in a task's stamp");
static inline void mainstay_task_set_origin(mainstay_job *task, uint16_t origin, uint16_t scope) {
  task->origin = MAINSTAY_STAMP_MARK << 53 | (uint64_t)scope << 43 | (uint64_t)origin << 32 | task->id;
}
static inline bool mainstay_task_is_stamped(const mainstay_job *task) {
  return task->origin >> 53 == MAINSTAY_STAMP_MARK && (uint32_t)task->origin == task->id;
}
static inline uint16_t mainstay_task_origin(const mainstay_job *task) {
  return mainstay_task_is_stamped(task) ? (uint16_t)(task->origin >> 32 & 0x7ff) : 0;
}
static inline uint16_t mainstay_task_scope(const mainstay_job *task) {
  return mainstay_task_is_stamped(task) ? (uint16_t)(task->origin >> 43 & 0x3ff) : 0;
}

// A child task, of a group or an async let, has its parent behind it (swift/ABI/Task.h: JobFlags::Task_IsChildTask is bit
// 24, AsyncTask::ChildFragment follows the task). A task that is no child has none.
#define MAINSTAY_TASK_IS_CHILD (1u << 8) // of `flags`
static inline const mainstay_job *mainstay_task_parent(const mainstay_job *task) {
  if (!(task->flags & MAINSTAY_TASK_IS_CHILD)) return NULL;
  return *(const mainstay_job *const *)((const char *)task + MAINSTAY_TASK_SIZE);
}

typedef struct mainstay_executor_ref {
  void *identity;  // NULL: the pool
  uintptr_t witness; // 0: a default actor
} mainstay_executor_ref;

// From where the runtime calls us.
typedef enum mainstay_site {
  MAINSTAY_SITE_RUN = 0,
  MAINSTAY_SITE_ENQUEUE,
  MAINSTAY_SITE_ENQUEUE_GLOBAL,
  MAINSTAY_SITE_AWAIT_HOP,
  MAINSTAY_SITE_UNLOCK,
  MAINSTAY_SITE_SWITCH,
  MAINSTAY_SITE_COMPLETE,
  MAINSTAY_SITE_RESUME,
  MAINSTAY_SITE_CANCEL,
  MAINSTAY_SITE_AWAIT_CONTINUATION,
  MAINSTAY_SITE_AWAIT_TASK,
  MAINSTAY_SITE_AWAIT_GROUP,
  MAINSTAY_SITE_SUSPEND,
  MAINSTAY_SITE_OTHER,
} mainstay_site;

typedef struct mainstay_task_and_context {
  void *task, *context;
} mainstay_task_and_context;

typedef struct mainstay_runtime {
  bool linked_statically; // into the executable: found in its .symtab
  uint32_t capabilities;
  uintptr_t low, high; // where the runtime's code lies
  void (**acquire)(const void *);
  void (**release)(const void *);
  mainstay_swiftcall mainstay_executor_ref (*current_executor)(void);
  mainstay_swiftcall mainstay_job *(*current_task)(void); // NULL: not known
  void *main_executor;
  const void *start_adapters[2]; // what a task that starts resumes in: its first function is behind it
  void *main_queue;
  uintptr_t dispatch_low, dispatch_high; // where libdispatch's code lies
  char missing[256]; // what was not found, for a person
} mainstay_runtime;

/// Finds the runtime of this process, and checks that it is the one described here.
mainstay_status mainstay_runtime_find(mainstay_runtime *runtime);
/// Which of the runtime's functions an address is in.
mainstay_site mainstay_runtime_site(uintptr_t address);

/// Whether the task has not run before.
static inline bool mainstay_runtime_starts(const mainstay_runtime *runtime, const mainstay_job *task) {
  return task->resume == runtime->start_adapters[0] || task->resume == runtime->start_adapters[1];
}

/// The function of a task that resumes in the runtime's own code: its first function when it starts; otherwise that of
/// the program which waits there, for what the runtime does on the way is its work.
uint64_t mainstay_runtime_function(const mainstay_runtime *runtime, const mainstay_job *task);

/// The name of a class, from its metadata; NULL when it has none that can be read.
const char *mainstay_runtime_type_name(const void *metadata);

#endif
