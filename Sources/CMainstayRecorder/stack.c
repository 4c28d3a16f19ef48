#define _GNU_SOURCE
#include "stack.h"

#include "runtime.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define ASYNC_FRAME (1ull << 60) // Swift marks the frame pointers of async functions
#define LARGEST_FRAME (1u << 20)

// Reads this process's memory without the risk of a fault: the kernel says how much of it is there.
static size_t read_memory(uintptr_t address, void *bytes, size_t size) {
  struct iovec to = {bytes, size}, from = {(void *)address, size};
  ssize_t count = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  return count > 0 ? (size_t)count : 0;
}

size_t mainstay_stack_walk(uintptr_t pc, uintptr_t frame, uintptr_t stack, uintptr_t end, uint64_t *frames, size_t room) {
  size_t count = 0;
  if (room > 0) frames[count++] = pc;
  uintptr_t low = stack;
  while (count < room) {
    frame &= ~ASYNC_FRAME;
    uintptr_t words[2];
    if (frame < low || frame % 8 != 0 || frame - low > LARGEST_FRAME || (end != 0 && frame >= end)) break;
    if (read_memory(frame, words, sizeof words) != sizeof words || words[1] == 0) break;
    frames[count++] = words[1];
    low = frame + sizeof words;
    frame = words[0];
  }
  return count;
}

mainstay_thread_state mainstay_stack_state(uint32_t tid, uint64_t *call, uintptr_t *stack, uintptr_t *pc) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%u/syscall", tid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return MAINSTAY_THREAD_UNKNOWN;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return MAINSTAY_THREAD_UNKNOWN;
  text[size] = 0;
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

static bool is_code(uintptr_t address) {
  static int (*find)(void *, struct dl_find_object *); // of the loader, by name: the library needs libc alone
  if (find == NULL) find = (int (*)(void *, struct dl_find_object *))dlsym(RTLD_DEFAULT, "_dl_find_object");
  struct dl_find_object object;
  return address > 4096 && (find == NULL || find((void *)(address - 1), &object) == 0);
}

// Whether a call stands right before this address, as it does before every return address.
static bool is_return_address(uintptr_t address) {
  unsigned char b[8]; // b[8 - n] is n bytes before
  if (!is_code(address) || read_memory(address - sizeof b, b, sizeof b) != sizeof b) return false;
  return b[3] == 0xe8                                                    // call relative
         || (b[6] == 0xff && (b[7] & 0x38) == 0x10)                      // call *register or *(register)
         || (b[5] == 0xff && (b[6] & 0xf8) == 0x50)                      // call *disp8(register)
         || (b[2] == 0xff && (b[3] == 0x15 || (b[3] & 0xf8) == 0x90))    // call *disp32(%rip or register)
         || (b[4] == 0xff && b[5] == 0x54) || (b[1] == 0xff && b[2] == 0x94); // call *disp(%rsp)
}

// How many frames are linked from the word at `index` on, if it is a frame's first.
static size_t chain(const uint64_t *words, size_t count, uintptr_t stack, size_t index, uint64_t *frames, size_t room) {
  size_t found = 0;
  while (found < room && index + 1 < count && is_code(words[index + 1])) {
    frames[found++] = words[index + 1];
    uintptr_t here = stack + 8 * index, next = words[index] & ~ASYNC_FRAME;
    if (next <= here || next % 8 != 0 || next - here > LARGEST_FRAME || (next - stack) / 8 >= count) break;
    index = (next - stack) / 8;
  }
  return found;
}

size_t mainstay_stack_copy(uintptr_t pc, uintptr_t stack, uint64_t *frames, size_t room) {
  static uint64_t words[8192]; // one caller: the watcher
  size_t count = 0;
  if (room > 0) frames[count++] = pc;
  if (stack == 0 || stack % 8 != 0) return count;
  size_t size = read_memory(stack, words, sizeof words);
  if (size == 0) size = read_memory(stack, words, 4096 - stack % 4096);
  size_t available = size / 8;
  // System-call wrappers keep no frame pointers: theirs may be anything, also the one of a function further out. So the
  // first three frames that are linked say where the chain surely goes on, at the second of them; what looks like a
  // return address before that belongs to the wrappers and to who called them.
  for (size_t i = 0; i < available && i < 1024; i++) {
    uint64_t linked[3];
    if (chain(words, available, stack, i, linked, 3) < 3) continue;
    size_t second = ((words[i] & ~ASYNC_FRAME) - stack) / 8;
    for (size_t w = 0; w < second && count + 8 < room; w++)
      if (words[w] != pc && is_return_address(words[w])) frames[count++] = words[w];
    return count + chain(words, available, stack, second, frames + count, room - count);
  }
  for (size_t w = 0; w < available && w < 256 && count < room; w++)
    if (words[w] != pc && is_return_address(words[w])) frames[count++] = words[w];
  return count;
}

size_t mainstay_stack_callers(uint64_t job, uint64_t *functions, size_t room) {
  mainstay_job copy;
  size_t count = 0;
  if (read_memory(job, &copy, offsetof(mainstay_job, origin)) != offsetof(mainstay_job, origin) ||
      !mainstay_job_is_task(&copy))
    return 0;
  uintptr_t context = (uintptr_t)copy.context;
  while (count < room && context != 0 && context % 8 == 0) {
    uintptr_t words[2]; // the caller's context, and the function that resumes the caller
    if (read_memory(context, words, sizeof words) != sizeof words || !is_code(words[1] + 1)) break;
    functions[count++] = words[1];
    context = words[0];
  }
  return count;
}
