// What the definitions that take the place of imports have in common: interpose.c, dispatch.c, execute.c and
// checks.c.
#ifndef MAINSTAY_INTERPOSE_H
#define MAINSTAY_INTERPOSE_H

#include "thread.h"

#include <dlfcn.h>

/// Looks up what the interposed functions need. Before the recorder is on.
void mainstay_interpose_prepare(void);
void mainstay_dispatch_prepare(void);
/// From here on, until the end, the runtime tells what it does.
void mainstay_interpose_begin(void);
void mainstay_interpose_end(void);

// Weak, so that a program into which the runtime is linked statically has the runtime's own.
#define EXPORTED __attribute__((visibility("default"), weak))
// What we only stand in front of must not see us: another recorder behind this one, preloaded into the same process,
// judges a call by who made it. So nothing of ours is left on the stack, also in code that is not optimised.
#define PASS_ON __attribute__((musttail)) return
#define FRAME ((uintptr_t)__builtin_frame_address(0))

// The definition behind ours, found once. Two threads may both find it, and find the same.
#define NEXT(name)                                                                                                     \
  static __typeof__(&name) found_;                                                                                     \
  __typeof__(&name) next = __atomic_load_n(&found_, __ATOMIC_RELAXED);                                                 \
  if (mainstay_unlikely(next == NULL)) {                                                                               \
    next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                                 \
    __atomic_store_n(&found_, next, __ATOMIC_RELAXED);                                                                 \
  }

/// The return addresses above a frame, behind the first, which is given; 0 where they end.
void mainstay_callers(uint64_t callers[3], uintptr_t frame);

static inline bool mainstay_from_runtime(uintptr_t caller) {
  return caller - mainstay_the.hot.runtime_low < mainstay_the.hot.runtime_size;
}

#endif
