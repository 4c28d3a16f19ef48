// Stacks of this process's threads, walked by frame pointers. Nothing here trusts an address that it was given.
#ifndef MAINSTAY_STACK_H
#define MAINSTAY_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// From a signal handler on the thread itself: the frames above `pc`. `end` is the end of the stack, 0 when unknown.
/// Safe to call there: it makes no call but system calls.
size_t mainstay_stack_walk(uintptr_t pc, uintptr_t frame, uintptr_t stack, uintptr_t end, uint64_t *frames, size_t room);

typedef enum mainstay_thread_state {
  MAINSTAY_THREAD_UNKNOWN,
  MAINSTAY_THREAD_RUNNING,
  MAINSTAY_THREAD_BLOCKED, // in a system call, whose number, stack pointer and return address are then known
} mainstay_thread_state;

mainstay_thread_state mainstay_stack_state(uint32_t tid, uint64_t *call, uintptr_t *stack, uintptr_t *pc);

/// From another thread, of one that is blocked at `pc` with this stack pointer.
size_t mainstay_stack_copy(uintptr_t pc, uintptr_t stack, uint64_t *frames, size_t room);

/// The functions that resume the async callers of a job, innermost first.
size_t mainstay_stack_callers(uint64_t job, uint64_t *functions, size_t room);

#endif
