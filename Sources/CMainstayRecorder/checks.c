// Who asks whether it runs on an executor. The runtime ends the process in the middle of a question whose answer is no, so
// what the thread's slot says then is the reason: which code, isolated to which executor, was called elsewhere.
#define _GNU_SOURCE
#include "interpose.h"

EXPORTED mainstay_swiftcall bool swift_task_isCurrentExecutor(void *identity, uintptr_t witness);

mainstay_swiftcall bool swift_task_isCurrentExecutor(void *identity, uintptr_t witness) {
  NEXT(swift_task_isCurrentExecutor)
  mainstay_thread *slot = mainstay_is_on() ? mainstay_self_slot() : NULL;
  if (slot == NULL || identity == NULL) PASS_ON next(identity, witness);
  // Who asks may be a copy of `assumeIsolated`: who called that counts.
  uint64_t callers[3] = {(uint64_t)__builtin_return_address(0)};
  mainstay_callers(callers, FRAME);
  uint32_t asked = mainstay_store_origin(&mainstay_the.store, callers);
  uint16_t executor = mainstay_self.executors[mainstay_self_executor(identity, witness)].index;
  __atomic_store_n(&slot->check, MAINSTAY_CHECKING | (uint64_t)asked << 16 | executor, __ATOMIC_RELEASE);
  bool is_current = next(identity, witness);
  __atomic_store_n(&slot->check, 0, __ATOMIC_RELEASE);
  return is_current;
}
