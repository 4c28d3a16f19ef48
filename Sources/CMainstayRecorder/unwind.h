// From a frame of a stack to its caller, by the tables that compilers write for exceptions (.eh_frame): the only account
// of a stack that is exact at every instruction and needs no frame pointers, which optimised code does not keep. Nothing
// here allocates, locks or calls anything but system calls, so it may be used in a signal handler.
#ifndef MAINSTAY_UNWIND_H
#define MAINSTAY_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mainstay_frame {
  uintptr_t pc, stack, frame; // the registers rip, rsp and rbp
  bool knows_frame;           // rbp is known
  bool interrupted;           // pc is the next instruction, and not behind a call
} mainstay_frame;

/// How a stack is read: how many of `size` bytes were there. Part of it may be a copy.
typedef struct mainstay_stack_memory {
  uintptr_t address; // of the copy; what lies outside it is read where it is
  const char *copy;
  size_t size;
} mainstay_stack_memory;

bool mainstay_stack_read(const mainstay_stack_memory *memory, uintptr_t address, void *bytes, size_t size);

typedef enum mainstay_step {
  MAINSTAY_STEP_CALLER,      // the frame is now the caller's
  MAINSTAY_STEP_OUTERMOST,   // there is no caller
  MAINSTAY_STEP_NEEDS_FRAME, // the function keeps rbp, whose value is not known
  MAINSTAY_STEP_UNKNOWN,     // no table says where the caller is
} mainstay_step;

mainstay_step mainstay_unwind_step(mainstay_frame *frame, const mainstay_stack_memory *memory);
/// The first and the last address of the function around an address, and how far above rbp a caller's frame begins
/// there. False when no table knows it, or it does not keep rbp.
bool mainstay_unwind_function(uintptr_t address, uintptr_t *start, uintptr_t *end, int64_t *above);

/// How one call's frame leads to its caller's, when its table says so without an expression: the same whenever that call
/// is under way, so it is remembered and costs nothing the next time.
typedef struct mainstay_call_step {
  uintptr_t pc;        // the return address of the call; 0: none
  int32_t base;        // where the caller's frame begins, above rsp or rbp
  int32_t saved_frame; // where rbp was saved, from there; 0: nowhere, it is the caller's
  bool from_frame;     // above rbp
  bool known;          // false: its table says something else, or there is none
} mainstay_call_step;

/// The return addresses above `callers[0]`, the return address of the function whose frame begins with its saved rbp at
/// `frame`, on the calling thread; 0 where they end. Follows rbp where no table tells. `end` is the end of the stack,
/// `steps` a cache of the thread's.
#define MAINSTAY_CALL_STEPS 32u
void mainstay_unwind_callers(uint64_t callers[3], uintptr_t frame, uintptr_t end, mainstay_call_step steps[MAINSTAY_CALL_STEPS]);

#endif
