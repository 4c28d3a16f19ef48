// Stacks of this process's threads. Nothing here trusts an address that it was given.
#ifndef MAINSTAY_STACK_H
#define MAINSTAY_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Before anything else here, and not in a signal handler.
void mainstay_stack_prepare(void);

/// From a signal handler on the thread itself: where it stands and the return addresses above, as far as they are known;
/// MAINSTAY_FRAME_UNKNOWN stands for what is not. Safe to call there: it makes no call but system calls.
size_t mainstay_stack_walk(uintptr_t pc, uintptr_t frame, uintptr_t stack, uint64_t *frames, size_t room);

typedef enum mainstay_thread_state {
  MAINSTAY_THREAD_UNKNOWN,
  MAINSTAY_THREAD_RUNNING,
  MAINSTAY_THREAD_BLOCKED, // in a system call, whose number is then known
} mainstay_thread_state;

/// What the kernel says of a thread in one of its files, `status` say, and how long that is: 0 when it says nothing. The text
/// is terminated in any case.
size_t mainstay_thread_says(uint32_t tid, const char *file, char *text, size_t room);

/// What another thread does. Of one that is blocked, its frames as above. Called by one thread, the watcher.
mainstay_thread_state mainstay_stack_of(uint32_t tid, uint64_t *call, uint64_t *frames, size_t room, size_t *count);

/// The functions that resume the async callers of a job, innermost first.
size_t mainstay_stack_callers(uint64_t job, uint64_t *functions, size_t room);

#endif
