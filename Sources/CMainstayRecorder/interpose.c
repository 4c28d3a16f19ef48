// Where the runtime calls us: two function pointers, and definitions that take the place of imports. Each only finds out
// what happened, tells jobs.c, and does what it stands in front of.
#define _GNU_SOURCE
#include "interpose.h"

#include "stretch.h"

// MARK: The two pointers

// Which function a call comes from is remembered for its return address. The frequent ones are asked for first, each
// where it is expected; the rest, two dozen, are in a table. An entry is one word, so that it is whole whoever writes
// it: the address, below it the site.
static uint64_t site_cache[128];

static __attribute__((noinline)) mainstay_site site_of(uintptr_t caller) {
  unsigned h = (unsigned)(caller ^ caller >> 7) % 128;
  uint64_t entry = __atomic_load_n(&site_cache[h], __ATOMIC_RELAXED);
  if (mainstay_likely(entry >> 8 == caller)) return (mainstay_site)(entry & 0xff);
  mainstay_site site = mainstay_runtime_site(caller);
  __atomic_store_n(&site_cache[h], (uint64_t)caller << 8 | site, __ATOMIC_RELAXED);
  return site;
}

static inline uint64_t offset_of(uintptr_t caller) { return caller - mainstay_the.hot.runtime_low; }
static inline bool is_known(uint64_t offset, const uint32_t *known) { return offset == __atomic_load_n(known, __ATOMIC_RELAXED); }

// Remembers a frequent caller in the first free place. What finds none is in the table all the same.
static void remember(uintptr_t caller, uint32_t *places, int count) {
  uint64_t offset = offset_of(caller);
  if (offset == 0 || offset > UINT32_MAX) return;
  for (int i = 0; i < count; i++) {
    uint32_t free = 0;
    if (is_known(offset, &places[i]) ||
        __atomic_compare_exchange_n(&places[i], &free, (uint32_t)offset, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
  }
}

static MAINSTAY_RARE void acquired_elsewhere(const void *object, uintptr_t caller, uintptr_t frame) {
  mainstay_known_callers *known = &mainstay_the.hot.callers;
  switch (site_of(caller)) {
  case MAINSTAY_SITE_RUN:
    remember(caller, &known->run, 1);
    mainstay_job_started((mainstay_job *)object, frame);
    break;
  case MAINSTAY_SITE_SWITCH:
    remember(caller, &known->switched, 1);
    mainstay_job_switched(object);
    break;
  case MAINSTAY_SITE_CANCEL: mainstay_task_cancelled(object); break;
  case MAINSTAY_SITE_OTHER: remember(caller, known->acquire_else, 2); break;
  default: break;
  }
}

static MAINSTAY_HOT void acquired(const void *object) {
  if (!mainstay_is_on()) return;
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  const mainstay_known_callers *known = &mainstay_the.hot.callers;
  uint64_t offset = offset_of(caller);
  if (mainstay_likely(is_known(offset, &known->run)))
    mainstay_job_started((mainstay_job *)object, FRAME);
  else if (is_known(offset, &known->switched))
    mainstay_job_switched(object);
  else if (mainstay_unlikely(!is_known(offset, &known->acquire_else[0]) && !is_known(offset, &known->acquire_else[1])))
    acquired_elsewhere(object, caller, FRAME);
}

// In swift_task_enqueue r15 and r14 hold the executor (runtime.c has looked): they must be read before a compiler uses
// them, so the entry is written by hand. It passes them on as the second and third argument.
__asm__(".section .text.hot.,\"ax\",@progbits\n"
        ".p2align 4\n"
        ".type mainstay_released_entry, @function\n"
        "mainstay_released_entry:\n"
        "  endbr64\n"
        "  mov %r15, %rsi\n"
        "  mov %r14, %rdx\n"
        "  mov (%rsp), %rcx\n"
        "  jmp mainstay_released\n"
        ".size mainstay_released_entry, . - mainstay_released_entry\n"
        ".text\n");
__attribute__((visibility("hidden"))) void mainstay_released_entry(const void *object);
__attribute__((visibility("hidden"), used)) void mainstay_released(const void *object, const void *r15, uintptr_t r14,
                                                                   uintptr_t caller);

static bool sees_queue;

static MAINSTAY_RARE void released_elsewhere(const void *object, const void *r15, uintptr_t r14, uintptr_t caller) {
  mainstay_known_callers *known = &mainstay_the.hot.callers;
  switch (site_of(caller)) {
  case MAINSTAY_SITE_ENQUEUE:
    if (sees_queue) remember(caller, &known->enqueue, 1);
    mainstay_job_enqueued((mainstay_job *)object, sees_queue ? r15 : NULL, r14);
    break;
  case MAINSTAY_SITE_ENQUEUE_GLOBAL:
    remember(caller, &known->enqueue_global, 1);
    mainstay_job_enqueued_on_pool((mainstay_job *)object);
    break;
  case MAINSTAY_SITE_UNLOCK:
    remember(caller, known->unlock, 2);
    mainstay_job_left(object);
    break;
  case MAINSTAY_SITE_COMPLETE: mainstay_task_completed(object); break;
  case MAINSTAY_SITE_RESUME: mainstay_task_resumed(object); break;
  case MAINSTAY_SITE_OTHER: remember(caller, known->release_else, 2); break;
  default: break;
  }
}

MAINSTAY_HOT void mainstay_released(const void *object, const void *r15, uintptr_t r14, uintptr_t caller) {
  if (!mainstay_is_on()) return;
  const mainstay_known_callers *known = &mainstay_the.hot.callers;
  uint64_t offset = offset_of(caller);
  if (is_known(offset, &known->release_else[0])) return;
  if (mainstay_likely(is_known(offset, &known->enqueue)))
    mainstay_job_enqueued((mainstay_job *)object, r15, r14);
  else if (is_known(offset, &known->unlock[0]) || is_known(offset, &known->unlock[1])) {
    if (mainstay_self_runs()) mainstay_job_left(object);
  } else if (is_known(offset, &known->enqueue_global))
    mainstay_job_enqueued_on_pool((mainstay_job *)object);
  else if (mainstay_unlikely(!is_known(offset, &known->release_else[1])))
    released_elsewhere(object, r15, r14, caller);
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

static const mainstay_job *task_of(const char *private_) { return (const mainstay_job *)(private_ - MAINSTAY_TASK_PRIVATE); }

EXPORTED void swift_task_enterThreadLocalContext(char *private_);
EXPORTED void swift_task_exitThreadLocalContext(char *private_);

MAINSTAY_HOT void swift_task_enterThreadLocalContext(char *private_) {
  if (mainstay_is_on()) {
    if (mainstay_unlikely(mainstay_task_enters(task_of(private_)))) mainstay_task_entered(task_of(private_), FRAME);
    PASS_ON mainstay_the.hot.next_enter(private_);
  }
  NEXT(swift_task_enterThreadLocalContext)
  PASS_ON next(private_);
}

static MAINSTAY_RARE mainstay_end end_of(uintptr_t caller) {
  switch (site_of(caller)) {
  case MAINSTAY_SITE_AWAIT_HOP: remember(caller, &mainstay_the.hot.callers.hop, 1); return MAINSTAY_END_HOP;
  case MAINSTAY_SITE_AWAIT_CONTINUATION: return MAINSTAY_END_CONTINUATION;
  case MAINSTAY_SITE_AWAIT_TASK: return MAINSTAY_END_TASK;
  case MAINSTAY_SITE_AWAIT_GROUP: return MAINSTAY_END_GROUP;
  default: return MAINSTAY_END_SUSPENDED;
  }
}

MAINSTAY_HOT void swift_task_exitThreadLocalContext(char *private_) {
  if (mainstay_is_on()) {
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    bool hops = mainstay_likely(is_known(offset_of(caller), &mainstay_the.hot.callers.hop));
    mainstay_task_suspended(task_of(private_), hops ? MAINSTAY_END_HOP : end_of(caller));
    PASS_ON mainstay_the.hot.next_exit(private_);
  }
  NEXT(swift_task_exitThreadLocalContext)
  PASS_ON next(private_);
}

void mainstay_callers(uint64_t callers[3], uintptr_t frame) {
  mainstay_unwind_callers(callers, frame, mainstay_self_stack_end(), mainstay_self.steps);
}

EXPORTED mainstay_swiftcall mainstay_task_and_context swift_task_create(size_t flags, void *options, void *metadata,
                                                                        void *function, void *context);

mainstay_swiftcall mainstay_task_and_context swift_task_create(size_t flags, void *options, void *metadata,
                                                               void *function, void *context) {
  NEXT(swift_task_create)
  if (!mainstay_is_on()) PASS_ON next(flags, options, metadata, function, context);
  uint64_t callers[3] = {(uint64_t)__builtin_return_address(0)};
  mainstay_callers(callers, FRAME);
  mainstay_task_creating(callers, flags & MAINSTAY_TASK_INHERITS);
  mainstay_task_and_context created = next(flags, options, metadata, function, context);
  mainstay_task_created(created.task);
  return created;
}

void mainstay_interpose_prepare(void) {
  sees_queue = mainstay_the.runtime.capabilities & MAINSTAY_CAN_SEE_QUEUE;
  mainstay_the.hot.next_enter = (void (*)(char *))dlsym(RTLD_NEXT, "swift_task_enterThreadLocalContext");
  mainstay_the.hot.next_exit = (void (*)(char *))dlsym(RTLD_NEXT, "swift_task_exitThreadLocalContext");
  mainstay_dispatch_prepare();
}
