#define _GNU_SOURCE
#include "stack.h"

#include "eh_frame.h"
#include "mainstay_trace.h"
#include "runtime.h"
#include "unwind.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define ASYNC_FRAME (1ull << 60) // Swift marks the saved frame pointers of async functions
#define LARGEST_FRAME (1u << 20)
#define LARGEST_SEARCH 8192u

void mainstay_stack_prepare(void) { mainstay_eh_frame_prepare(); }

// Whether a call stands right before this address, as it does before every return address.
static bool is_return_address(uintptr_t address) {
  const mainstay_stack_memory memory = {0};
  unsigned char b[8]; // b[8 - n] is n bytes before
  if (!mainstay_eh_frame_is_loaded(address - 1) || !mainstay_stack_read(&memory, address - sizeof b, b, sizeof b)) return false;
  return b[3] == 0xe8                                                    // call relative
         || (b[6] == 0xff && (b[7] & 0x38) == 0x10)                      // call *register or *(register)
         || (b[5] == 0xff && (b[6] & 0xf8) == 0x50)                      // call *disp8(register)
         || (b[2] == 0xff && (b[3] == 0x15 || (b[3] & 0xf8) == 0x90))    // call *disp32(%rip or register)
         || (b[4] == 0xff && b[5] == 0x54) || (b[1] == 0xff && b[2] == 0x94); // call *disp(%rsp)
}

// How far below rbp the beginning of a function leaves rsp; 0 when it does not say.
static uintptr_t frame_size(uintptr_t start, uintptr_t end) {
  const mainstay_stack_memory memory = {0};
  unsigned char code[64] = {0};
  size_t size = end - start < sizeof code ? end - start : sizeof code;
  if (!mainstay_stack_read(&memory, start, code, size)) return 0;
  uintptr_t below = 0;
  bool keeps = false;
  for (size_t i = 0; i + 7 < sizeof code;) {
    const unsigned char *c = code + i;
    int32_t amount;
    if (memcmp(c, "\xf3\x0f\x1e\xfa", 4) == 0) i += 4;             // endbr64
    else if (memcmp(c, "\x48\x0f\xba\xed\x3c", 5) == 0) i += 5;    // bts $60, %rbp: of an async function
    else if (memcmp(c, "\x48\x89\xe5", 3) == 0) i += 3, below = 0, keeps = true;
    else if (memcmp(c, "\x48\x8d\x6c\x24", 4) == 0) below = c[4], i += 5, keeps = true; // lea n(%rsp), %rbp
    else if ((c[0] & 0xf8) == 0x50) i += 1, below += 8;            // push
    else if (c[0] == 0x41 && (c[1] & 0xf8) == 0x50) i += 2, below += 8;
    else if (memcmp(c, "\x48\x83\xec", 3) == 0) i += 4, below += (uintptr_t)(intptr_t)(signed char)c[3]; // sub
    else if (memcmp(c, "\x48\x81\xec", 3) == 0) memcpy(&amount, c + 3, 4), i += 7, below += (uintptr_t)(intptr_t)amount;
    else break;
  }
  return keeps ? below : 0;
}

typedef enum { NOT_CALLED, MAY_BE_CALLED, CALLED } called;

// Whether the call before a return address goes to the function that starts there: it may also go through a pointer or
// a table of procedure linkage.
static called calls(uintptr_t caller, uintptr_t start) {
  const mainstay_stack_memory memory = {0};
  unsigned char code[5];
  int32_t distance;
  if (!is_return_address(caller) || !mainstay_stack_read(&memory, caller - 5, code, sizeof code)) return NOT_CALLED;
  if (code[0] != 0xe8) return MAY_BE_CALLED;
  memcpy(&distance, code + 1, 4);
  uintptr_t target = caller + (uintptr_t)(intptr_t)distance;
  if (target == start) return CALLED;
  mainstay_function_table other;
  return mainstay_eh_frame_find(target, &other) && other.start == target ? NOT_CALLED : MAY_BE_CALLED;
}

// Whether the tables lead on from what may be a frame.
static bool leads_on(mainstay_frame frame, const mainstay_stack_memory *memory) {
  for (int depth = 0; depth < 3; depth++) {
    mainstay_step step = mainstay_unwind_step(&frame, memory);
    if (step == MAINSTAY_STEP_OUTERMOST || step == MAINSTAY_STEP_NEEDS_FRAME) return depth > 0;
    if (step != MAINSTAY_STEP_CALLER || !mainstay_eh_frame_is_loaded(frame.pc - 1)) return false;
  }
  return true;
}

// Finds rbp of a function that keeps it, which the functions that it called did not save. How the function begins says
// how far above rsp it is; where memory is taken from the stack later on, the first thing that looks like its frame and
// that a call to it has left. What lies below it may be left over from what it called before.
static bool find_frame(mainstay_frame *frame, const mainstay_stack_memory *memory) {
  uintptr_t start, end, caller, low = frame->stack;
  int64_t above;
  if (!mainstay_unwind_function(frame->interrupted ? frame->pc : frame->pc - 1, &start, &end, &above) || above < 8) return false;
  frame->knows_frame = true;
  frame->frame = low + frame_size(start, end);
  if (frame->frame != low && mainstay_stack_read(memory, frame->frame + (uintptr_t)above - 8, &caller, 8) &&
      calls(caller, start) != NOT_CALLED && leads_on(*frame, memory))
    return true;
  for (called wanted = CALLED; wanted >= MAY_BE_CALLED; wanted--)
    for (uintptr_t at = low; at < low + LARGEST_SEARCH; at += 8) {
      if (!mainstay_stack_read(memory, at + (uintptr_t)above - 8, &caller, 8)) break;
      if (caller < 4096 || calls(caller, start) != wanted) continue;
      frame->frame = at;
      if (leads_on(*frame, memory)) return true;
    }
  return frame->knows_frame = false;
}

// The caller of a function of which no table tells, if it and its callers keep rbp. It may be the caller's caller.
static bool follow_frame(mainstay_frame *frame, const mainstay_stack_memory *memory) {
  uintptr_t words[2], at = frame->frame & ~ASYNC_FRAME;
  if (!frame->knows_frame || at < frame->stack || at % 8 != 0 || at - frame->stack > LARGEST_FRAME ||
      !mainstay_stack_read(memory, at, words, sizeof words) || !is_return_address(words[1]))
    return false;
  *frame = (mainstay_frame){.pc = words[1], .stack = at + sizeof words, .frame = words[0] & ~ASYNC_FRAME, .knows_frame = true};
  return true;
}

static size_t walk(mainstay_frame frame, const mainstay_stack_memory *memory, uint64_t *frames, size_t room) {
  size_t count = 0;
  while (count + 2 < room) {
    frames[count++] = frame.pc;
    mainstay_step step = mainstay_unwind_step(&frame, memory);
    if (step == MAINSTAY_STEP_NEEDS_FRAME && find_frame(&frame, memory)) step = mainstay_unwind_step(&frame, memory);
    if (step == MAINSTAY_STEP_OUTERMOST) return count;
    if (step == MAINSTAY_STEP_CALLER) continue;
    frames[count++] = MAINSTAY_FRAME_UNKNOWN;
    if (!follow_frame(&frame, memory)) return count;
  }
  frames[count++] = MAINSTAY_FRAME_UNKNOWN;
  return count;
}

size_t mainstay_stack_walk(uintptr_t pc, uintptr_t frame, uintptr_t stack, uint64_t *frames, size_t room) {
  const mainstay_stack_memory memory = {0};
  return walk((mainstay_frame){pc, stack, frame, true, true}, &memory, frames, room);
}

size_t mainstay_thread_says(uint32_t tid, const char *file, char *text, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%u/%s", tid, file);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = descriptor < 0 ? 0 : read(descriptor, text, room - 1);
  if (descriptor >= 0) close(descriptor);
  size_t length = size > 0 ? (size_t)size : 0;
  text[length] = 0;
  return length;
}

static mainstay_thread_state state_of(uint32_t tid, uint64_t *call, uintptr_t *stack, uintptr_t *pc) {
  char text[256];
  if (mainstay_thread_says(tid, "syscall", text, sizeof text) == 0) return MAINSTAY_THREAD_UNKNOWN;
  if (strncmp(text, "running", 7) == 0) return MAINSTAY_THREAD_RUNNING;
  // "number argument… stack pc", or "-1 stack pc" when it is blocked elsewhere, in a page fault say.
  char *last = strrchr(text, ' ');
  if (last == NULL) return MAINSTAY_THREAD_UNKNOWN;
  *pc = strtoull(last + 1, NULL, 16);
  *last = 0;
  last = strrchr(text, ' ');
  if (last == NULL) return MAINSTAY_THREAD_UNKNOWN;
  *stack = strtoull(last + 1, NULL, 16);
  *call = (uint64_t)strtoll(text, NULL, 10);
  return MAINSTAY_THREAD_BLOCKED;
}

mainstay_thread_state mainstay_stack_of(uint32_t tid, uint64_t *call, uint64_t *frames, size_t room, size_t *count) {
  static char copy[65536];
  for (int attempts = 0; attempts < 3; attempts++) {
    uintptr_t stack = 0, pc = 0, still_stack = 0, still_pc = 0;
    mainstay_thread_state state = state_of(tid, call, &stack, &pc);
    if (state != MAINSTAY_THREAD_BLOCKED) return state;
    struct iovec to = {copy, sizeof copy}, from = {(void *)stack, sizeof copy};
    ssize_t size = stack ? process_vm_readv(getpid(), &to, 1, &from, 1, 0) : 0;
    // What was copied is of the call only if the thread is still in it.
    if (state_of(tid, call, &still_stack, &still_pc) != MAINSTAY_THREAD_BLOCKED || still_stack != stack || still_pc != pc) continue;
    mainstay_stack_memory memory = {stack, copy, size > 0 ? (size_t)size : 0};
    *count = walk((mainstay_frame){.pc = pc, .stack = stack, .interrupted = true}, &memory, frames, room);
    return state;
  }
  return MAINSTAY_THREAD_UNKNOWN;
}

size_t mainstay_stack_callers(uint64_t job, uint64_t *functions, size_t room) {
  const mainstay_stack_memory memory = {0};
  mainstay_job copy;
  size_t count = 0;
  if (!mainstay_stack_read(&memory, job, &copy, offsetof(mainstay_job, origin)) || !mainstay_job_is_task(&copy)) return 0;
  uintptr_t context = (uintptr_t)copy.context;
  while (count < room && context != 0 && context % 8 == 0) {
    uintptr_t words[2]; // the caller's context, and the function that resumes the caller
    if (!mainstay_stack_read(&memory, context, words, sizeof words) || !mainstay_eh_frame_is_loaded(words[1])) break;
    functions[count++] = words[1];
    context = words[0];
  }
  return count;
}
