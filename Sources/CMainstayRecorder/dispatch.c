// Dispatch: the jobs that it runs for the runtime, whose return is their definitive end, and the functions and blocks of
// the main queue, which stand in the way of the main actor's jobs.
#define _GNU_SOURCE
#include "interpose.h"

#include "stretch.h"

#include <stdlib.h>

typedef void (*dispatch_function)(void *);

// The functions that the runtime hands to Dispatch to run its jobs. There are two or three; each gets a wrapper that
// notices its return. Finding none free, we hand on the original.
#define WRAPPERS 4
static dispatch_function wrapped[WRAPPERS];
static inline void run_wrapped(dispatch_function function, void *context) {
  function(context);
  if (!mainstay_is_on()) return;
  if (mainstay_likely(mainstay_self_is_current() && mainstay_self.slot->start == 0))
    mainstay_self.job = NULL;
  else
    mainstay_returned(FRAME);
}
static MAINSTAY_HOT void wrapper_0(void *context) { run_wrapped(mainstay_the.hot.run_job, context); }
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
static __attribute__((noinline)) void stand_in(const void *queue, void **context, dispatch_function *function, bool now, uintptr_t caller) {
  if (mainstay_likely(mainstay_from_runtime(caller))) {
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

MAINSTAY_HOT void dispatch_async_f(void *queue, void *context, dispatch_function function) {
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  NEXT(dispatch_async_f)
  // As good as always it is this one.
  if (mainstay_likely(function == mainstay_the.hot.run_job && mainstay_is_on() && mainstay_from_runtime(caller)) &&
      mainstay_likely(mainstay_the.hot.scopes == 0))
    PASS_ON next(queue, context, wrapper_0);
  if (mainstay_is_on()) stand_in(queue, &context, &function, true, caller);
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

void mainstay_dispatch_prepare(void) {
  blocks.copy = (void *(*)(const void *))dlsym(RTLD_DEFAULT, "_Block_copy");
  blocks.release = (void (*)(const void *))dlsym(RTLD_DEFAULT, "_Block_release");
  blocks.find_object = (int (*)(void *, struct dl_find_object *))dlsym(RTLD_DEFAULT, "_dl_find_object");
  if (blocks.release == NULL) blocks.copy = NULL;
}
