// Where the runtime and Dispatch call us: two function pointers, and definitions that take the place of imports.
// Each only finds out what happened, tells jobs.c, and does what it stands in front of.
#define _GNU_SOURCE
#include "interpose.h"

#include "scope.h"
#include "thread.h"
#include "watcher.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

// Weak, so that a program into which the runtime is linked statically has the runtime's own.
#define EXPORTED __attribute__((visibility("default"), weak))
// What we only stand in front of must not see us: another recorder behind this one, preloaded into the same process,
// judges a call by who made it. So nothing of ours is left on the stack, also in code that is not optimised.
#define PASS_ON __attribute__((musttail)) return
#define FRAME ((uintptr_t)__builtin_frame_address(0))

// MARK: The two pointers

// Which function a call comes from is remembered for its return address. The frequent ones are asked for first, each
// where it is expected; the rest, two dozen, are in a table. An entry is one word, so that it is whole whoever writes
// it: the address, below it the site.
static uint64_t site_cache[128];

static __attribute__((noinline)) mainstay_site learn_site(uintptr_t caller) {
  unsigned h = (unsigned)(caller ^ caller >> 7) % 128;
  uint64_t entry = __atomic_load_n(&site_cache[h], __ATOMIC_RELAXED);
  if (mainstay_likely(entry >> 8 == caller)) return (mainstay_site)(entry & 0xff);
  mainstay_site site = mainstay_runtime_site(caller);
  if (site < MAINSTAY_HOT_SITES) __atomic_store_n(&mainstay_the.hot.callers[site], caller, __ATOMIC_RELAXED);
  __atomic_store_n(&site_cache[h], (uint64_t)caller << 8 | site, __ATOMIC_RELAXED);
  return site;
}

static inline bool is_site(uintptr_t caller, mainstay_site site) {
  return caller == __atomic_load_n(&mainstay_the.hot.callers[site], __ATOMIC_RELAXED);
}

static void acquired(const void *object) {
  if (!mainstay_is_on()) return;
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  mainstay_site site = is_site(caller, MAINSTAY_SITE_RUN)      ? MAINSTAY_SITE_RUN
                       : is_site(caller, MAINSTAY_SITE_SWITCH) ? MAINSTAY_SITE_SWITCH
                                                               : learn_site(caller);
  switch (site) {
  case MAINSTAY_SITE_RUN: mainstay_job_started((mainstay_job *)object, FRAME); break;
  case MAINSTAY_SITE_SWITCH: mainstay_job_switched(object); break;
  case MAINSTAY_SITE_CANCEL: mainstay_task_cancelled(object); break;
  default: break;
  }
}

// In swift_task_enqueue r15 and r14 hold the executor (runtime.c has looked): they must be read before a compiler uses
// them, so the entry is written by hand. It passes them on as the second and third argument.
__asm__(".text\n"
        ".p2align 4\n"
        ".type mainstay_released_entry, @function\n"
        "mainstay_released_entry:\n"
        "  endbr64\n"
        "  mov %r15, %rsi\n"
        "  mov %r14, %rdx\n"
        "  mov (%rsp), %rcx\n"
        "  jmp mainstay_released\n"
        ".size mainstay_released_entry, . - mainstay_released_entry\n");
__attribute__((visibility("hidden"))) void mainstay_released_entry(const void *object);
__attribute__((visibility("hidden"), used)) void mainstay_released(const void *object, const void *r15, uintptr_t r14,
                                                                   uintptr_t caller);

static bool sees_queue;

void mainstay_released(const void *object, const void *r15, uintptr_t r14, uintptr_t caller) {
  if (!mainstay_is_on()) return;
  mainstay_site site = is_site(caller, MAINSTAY_SITE_ENQUEUE)          ? MAINSTAY_SITE_ENQUEUE
                       : is_site(caller, MAINSTAY_SITE_ENQUEUE_GLOBAL) ? MAINSTAY_SITE_ENQUEUE_GLOBAL
                       : is_site(caller, MAINSTAY_SITE_UNLOCK)         ? MAINSTAY_SITE_UNLOCK
                                                                       : learn_site(caller);
  switch (site) {
  case MAINSTAY_SITE_ENQUEUE:
    if (mainstay_unlikely(!sees_queue)) r15 = NULL;
    mainstay_job_enqueued((mainstay_job *)object, r15, r14, false);
    break;
  case MAINSTAY_SITE_ENQUEUE_GLOBAL: mainstay_job_enqueued((mainstay_job *)object, NULL, 0, true); break;
  case MAINSTAY_SITE_COMPLETE: mainstay_task_completed(object); break;
  case MAINSTAY_SITE_UNLOCK: mainstay_job_left(object); break;
  case MAINSTAY_SITE_RESUME: mainstay_task_resumed(object); break;
  default: break;
  }
}

void mainstay_interpose_begin(void) {
  *mainstay_the.runtime.release = mainstay_released_entry;
  *mainstay_the.runtime.acquire = acquired;
}

void mainstay_interpose_end(void) {
  if (*mainstay_the.runtime.release == mainstay_released_entry) *mainstay_the.runtime.release = NULL;
  if (*mainstay_the.runtime.acquire == acquired) *mainstay_the.runtime.acquire = NULL;
}

// MARK: Imports of the runtime and of programs

// The definition behind ours, found once. Two threads may both find it, and find the same.
#define NEXT(name)                                                                                                     \
  static __typeof__(&name) found_;                                                                                     \
  __typeof__(&name) next = __atomic_load_n(&found_, __ATOMIC_RELAXED);                                                 \
  if (mainstay_unlikely(next == NULL)) {                                                                               \
    next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                                 \
    __atomic_store_n(&found_, next, __ATOMIC_RELAXED);                                                                 \
  }

static const mainstay_job *task_of(const char *private_) { return (const mainstay_job *)(private_ - MAINSTAY_TASK_PRIVATE); }

EXPORTED void swift_task_enterThreadLocalContext(char *private_);
EXPORTED void swift_task_exitThreadLocalContext(char *private_);

void swift_task_enterThreadLocalContext(char *private_) {
  if (mainstay_is_on()) {
    mainstay_task_entered(task_of(private_), FRAME);
    PASS_ON mainstay_the.hot.next_enter(private_);
  }
  NEXT(swift_task_enterThreadLocalContext)
  PASS_ON next(private_);
}

static mainstay_end end_of(uintptr_t caller) {
  switch (learn_site(caller)) {
  case MAINSTAY_SITE_AWAIT_HOP: return MAINSTAY_END_HOP;
  case MAINSTAY_SITE_AWAIT_CONTINUATION: return MAINSTAY_END_CONTINUATION;
  case MAINSTAY_SITE_AWAIT_TASK: return MAINSTAY_END_TASK;
  case MAINSTAY_SITE_AWAIT_GROUP: return MAINSTAY_END_GROUP;
  default: return MAINSTAY_END_SUSPENDED;
  }
}

void swift_task_exitThreadLocalContext(char *private_) {
  if (mainstay_is_on()) {
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    mainstay_task_suspended(task_of(private_), mainstay_likely(is_site(caller, MAINSTAY_SITE_AWAIT_HOP)) ? MAINSTAY_END_HOP : end_of(caller));
    PASS_ON mainstay_the.hot.next_exit(private_);
  }
  NEXT(swift_task_exitThreadLocalContext)
  PASS_ON next(private_);
}

// Return addresses above this frame, along the frame pointers that Swift keeps; `callers[0]` is given. Bit 60 marks the
// frames of async functions. Bounded by the thread's stack, which is known once something ran on it.
static void walk_callers(uint64_t callers[3], uintptr_t frame) {
  uintptr_t end = mainstay_self_stack_end(), low = frame;
  callers[1] = callers[2] = 0;
  if (end == 0 || frame >= end) return;
  const uintptr_t *words = (const uintptr_t *)frame;
  for (int i = 1; i < 3; i++) {
    uintptr_t next = words[0] & ~(1ull << 60);
    if (next <= low || next % 8 != 0 || end - next < 16 || next >= end) return;
    words = (const uintptr_t *)next;
    low = next;
    callers[i] = words[1];
  }
}

EXPORTED mainstay_swiftcall mainstay_task_and_context swift_task_create(size_t flags, void *options, void *metadata,
                                                                        void *function, void *context);

mainstay_swiftcall mainstay_task_and_context swift_task_create(size_t flags, void *options, void *metadata,
                                                               void *function, void *context) {
  NEXT(swift_task_create)
  if (!mainstay_is_on()) PASS_ON next(flags, options, metadata, function, context);
  uint64_t callers[3] = {(uint64_t)__builtin_return_address(0)};
  walk_callers(callers, FRAME);
  mainstay_task_creating(callers, flags & MAINSTAY_TASK_INHERITS);
  mainstay_task_and_context created = next(flags, options, metadata, function, context);
  mainstay_task_created(created.task);
  return created;
}

// MARK: Executing another program

// A signal that is under way when the program is replaced would find no handler in the new one, and end it.

// Not in a child of vfork, which has its parent's memory and would hold it for ever.
#define HOLDING(call)                                                                                                  \
  bool own = mainstay_is_on() && mainstay_the.store.header->pid == (uint32_t)getpid();                                 \
  if (own) mainstay_watcher_hold();                                                                                    \
  int result = call;                                                                                                   \
  if (own) mainstay_watcher_release();                                                                                 \
  return result;

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[]) {
  NEXT(execve)
  HOLDING(next(path, arguments, environment))
}
EXPORTED int execv(const char *path, char *const arguments[]) {
  NEXT(execv)
  HOLDING(next(path, arguments))
}
EXPORTED int execvp(const char *file, char *const arguments[]) {
  NEXT(execvp)
  HOLDING(next(file, arguments))
}
EXPORTED int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  NEXT(execvpe)
  HOLDING(next(file, arguments, environment))
}
EXPORTED int fexecve(int file, char *const arguments[], char *const environment[]) {
  NEXT(fexecve)
  HOLDING(next(file, arguments, environment))
}

// MARK: Dispatch

typedef void (*dispatch_function)(void *);

// The functions that the runtime hands to Dispatch to run its jobs. There are two or three; each gets a wrapper that
// notices its return. Finding none free, we hand on the original.
#define WRAPPERS 4
static dispatch_function wrapped[WRAPPERS];
static inline void run_wrapped(dispatch_function function, void *context) {
  function(context);
  if (mainstay_is_on()) mainstay_returned(FRAME);
}
static void wrapper_0(void *context) { run_wrapped(mainstay_the.hot.run_job, context); }
static void wrapper_1(void *context) { run_wrapped(__atomic_load_n(&wrapped[1], __ATOMIC_RELAXED), context); }
static void wrapper_2(void *context) { run_wrapped(__atomic_load_n(&wrapped[2], __ATOMIC_RELAXED), context); }
static void wrapper_3(void *context) { run_wrapped(__atomic_load_n(&wrapped[3], __ATOMIC_RELAXED), context); }
static const dispatch_function wrappers[WRAPPERS] = {wrapper_0, wrapper_1, wrapper_2, wrapper_3};

static __attribute__((noinline)) dispatch_function wrapper_of(dispatch_function function) {
  for (int i = 0; i < WRAPPERS; i++) {
    if (function == wrappers[i]) return function; // dispatch_after_f may go on through dispatch_async_f
    dispatch_function found = __atomic_load_n(&wrapped[i], __ATOMIC_ACQUIRE);
    if (found == NULL && __atomic_compare_exchange_n(&wrapped[i], &found, function, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      if (i == 0) __atomic_store_n(&mainstay_the.hot.run_job, function, __ATOMIC_RELEASE);
      found = function;
    }
    // Another thread may have claimed the first wrapper, and not yet told it what to run.
    if (found == function) return i > 0 || __atomic_load_n(&mainstay_the.hot.run_job, __ATOMIC_ACQUIRE) ? wrappers[i] : function;
  }
  return function;
}

static inline bool from_runtime(uintptr_t caller) {
  return caller - mainstay_the.hot.runtime_low < mainstay_the.hot.runtime_size;
}
static inline bool from_dispatch(uintptr_t caller) {
  return caller - mainstay_the.runtime.dispatch_low < mainstay_the.runtime.dispatch_high - mainstay_the.runtime.dispatch_low;
}

// A function for the main queue, from code that is not the runtime's, or a block; with the scope that it belongs to.
typedef struct {
  dispatch_function function;
  void *context;
  uint16_t scope;
  bool now; // put into the queue at once
} main_function;

static void run_main_function(void *context) {
  main_function call = *(main_function *)context;
  free(context);
  bool on = mainstay_is_on();
  mainstay_scope_block_started(call.scope, call.now);
  if (on) mainstay_block_started((const void *)call.function, call.scope, FRAME);
  call.function(call.context);
  if (on && mainstay_is_on()) mainstay_returned(FRAME);
  mainstay_scope_block_done(call.scope);
}

static void run_block(void *context);
static void run_scoped_block(void *context);

static uint16_t scope_here(void) { return mainstay_unlikely(mainstay_the.hot.scopes != 0) ? mainstay_scope_here() : 0; }

static main_function *main_call(dispatch_function function, void *context, uint16_t scope, bool now) {
  main_function *call = malloc(sizeof *call);
  if (call == NULL) return NULL;
  *call = (main_function){function, context, scope, now};
  mainstay_scope_block_queued(scope, now);
  return call;
}

// What stands in for a function that is handed to a queue. Called once on the way: our own stand-ins pass as they are,
// whichever of Dispatch's entry points hands them to another.
static void stand_in(const void *queue, void **context, dispatch_function *function, bool now, uintptr_t caller) {
  if (mainstay_likely(from_runtime(caller))) {
    if (mainstay_unlikely(mainstay_the.hot.scopes != 0) && mainstay_job_yields(*context)) mainstay_scope_yielded(*context);
    *function = mainstay_likely(*function == mainstay_the.hot.run_job) ? wrapper_0 : wrapper_of(*function);
    return;
  }
  if (queue != mainstay_the.runtime.main_queue || queue == NULL || from_dispatch(caller) || *function == run_main_function)
    return;
  if (*function != run_block && *function != run_scoped_block) {
    void *call = main_call(*function, *context, scope_here(), now);
    if (call == NULL) return;
    *context = call;
    *function = run_main_function;
  }
  if (now) __atomic_fetch_add(&mainstay_the.store.header->queued_blocks, 1, __ATOMIC_RELAXED);
}

EXPORTED void dispatch_async_f(void *queue, void *context, dispatch_function function);
EXPORTED void dispatch_after_f(uint64_t when, void *queue, void *context, dispatch_function function);

void dispatch_async_f(void *queue, void *context, dispatch_function function) {
  NEXT(dispatch_async_f)
  if (mainstay_is_on()) stand_in(queue, &context, &function, true, (uintptr_t)__builtin_return_address(0));
  PASS_ON next(queue, context, function);
}

void dispatch_after_f(uint64_t when, void *queue, void *context, dispatch_function function) {
  NEXT(dispatch_after_f)
  if (mainstay_is_on()) stand_in(queue, &context, &function, false, (uintptr_t)__builtin_return_address(0));
  PASS_ON next(when, queue, context, function);
}

// A block as the ABI of blocks lays it out.
typedef struct {
  void *isa;
  int flags, reserved;
  void (*invoke)(void *);
  const struct {
    uint64_t reserved, size;
  } *descriptor;
  void *captures[];
} block;

static struct {
  void *(*copy)(const void *);
  void (*release)(const void *);
  int (*find_object)(void *, struct dl_find_object *); // of the loader, by name: the library needs libc alone
} blocks;

// A Swift closure given as a block is a thunk with the closure in its first capture; the closure is what was written.
static const void *block_function(const block *work) {
  if (work->descriptor->size >= sizeof *work + 2 * sizeof(void *)) {
    struct dl_find_object object;
    if (blocks.find_object != NULL && blocks.find_object(work->captures[0], &object) == 0) return work->captures[0];
  }
  return (const void *)work->invoke;
}

static inline void run_main_block(block *work, uint16_t scope, uintptr_t frame) {
  bool on = mainstay_is_on();
  if (on) mainstay_block_started(block_function(work), scope, frame);
  work->invoke(work);
  if (on && mainstay_is_on()) mainstay_returned(frame);
  blocks.release(work);
}

static void run_block(void *context) { run_main_block(context, 0, FRAME); }

static void run_scoped_block(void *context) {
  main_function call = *(main_function *)context;
  free(context);
  mainstay_scope_block_started(call.scope, call.now);
  run_main_block(call.context, call.scope, FRAME);
  mainstay_scope_block_done(call.scope);
}

// Hands a copy of the block to the queue, as a function that runs it.
static void *main_block(const block *work, dispatch_function *function, bool now) {
  block *copy = blocks.copy(work);
  uint16_t scope = scope_here();
  main_function *call = scope ? main_call(run_block, copy, scope, now) : NULL;
  *function = call ? run_scoped_block : run_block;
  return call ? (void *)call : copy;
}

// Blocks that Dispatch itself made carry a quality of service that only it can read: they are left alone, and counted.
static bool is_main_block(const void *queue, const block *work) {
  if (!mainstay_is_on() || queue != mainstay_the.runtime.main_queue || blocks.copy == NULL) return false;
  if (!from_dispatch((uintptr_t)work->invoke)) return true;
  __atomic_fetch_add(&mainstay_the.store.header->unseen_blocks, 1, __ATOMIC_RELAXED);
  return false;
}

EXPORTED void dispatch_async(void *queue, void *work);
EXPORTED void dispatch_after(uint64_t when, void *queue, void *work);

void dispatch_async(void *queue, void *work) {
  NEXT(dispatch_async)
  if (!is_main_block(queue, work)) PASS_ON next(queue, work);
  dispatch_function function;
  void *context = main_block(work, &function, true);
  dispatch_async_f(queue, context, function);
}

void dispatch_after(uint64_t when, void *queue, void *work) {
  NEXT(dispatch_after)
  if (!is_main_block(queue, work)) PASS_ON next(when, queue, work);
  dispatch_function function;
  void *context = main_block(work, &function, false);
  dispatch_after_f(when, queue, context, function);
}

void mainstay_interpose_prepare(void) {
  sees_queue = mainstay_the.runtime.capabilities & MAINSTAY_CAN_SEE_QUEUE;
  mainstay_the.hot.next_enter = (void (*)(char *))dlsym(RTLD_NEXT, "swift_task_enterThreadLocalContext");
  mainstay_the.hot.next_exit = (void (*)(char *))dlsym(RTLD_NEXT, "swift_task_exitThreadLocalContext");
  blocks.copy = (void *(*)(const void *))dlsym(RTLD_DEFAULT, "_Block_copy");
  blocks.release = (void (*)(const void *))dlsym(RTLD_DEFAULT, "_Block_release");
  blocks.find_object = (int (*)(void *, struct dl_find_object *))dlsym(RTLD_DEFAULT, "_dl_find_object");
  if (blocks.release == NULL) blocks.copy = NULL;
}
