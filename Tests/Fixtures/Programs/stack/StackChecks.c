// Has the recorder walk stacks whose frames are known, and compares. The first argument names the check. Prints what is
// wrong, and exits with 1; says nothing when all is well.
#define _GNU_SOURCE
#include "eh_frame.h"
#include "mainstay_trace.h"
#include "stack.h"
#include "unwind.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static int failures;

#define CHECK(condition, ...)                                                                                          \
  do {                                                                                                                 \
    if (!(condition) && failures++ < 20) {                                                                             \
      printf("%s:%d: ", #condition, __LINE__);                                                                         \
      printf(__VA_ARGS__);                                                                                             \
      printf("\n");                                                                                                    \
    }                                                                                                                  \
  } while (0)

// MARK: At every instruction

static volatile long steps, different;
static struct {
  uint64_t walked[8], judged[8];
} first_different;

static void *interrupted_backtrace[64];
static uint64_t walked[64];

// The code of this program that is stepped through stands in a section of its own.
#define STEPPED __attribute__((noinline, section("stepped_code")))
extern const char __start_stepped_code[], __stop_stepped_code[];

// Whether an instruction is one of the sanitizer's runtime, which is linked into the program. Its tables are right at
// its calls only: after one, the judge takes what was pushed for the caller, and reads there.
static bool is_runtime(uintptr_t pc) {
#if __has_feature(address_sanitizer)
  extern const char __executable_start[], etext[];
  return pc - (uintptr_t)__executable_start < (uintptr_t)(etext - __executable_start) &&
         pc - (uintptr_t)__start_stepped_code >= (uintptr_t)(__stop_stepped_code - __start_stepped_code);
#else
  return (void)pc, false;
#endif
}

// The exception handling's own unwinder is the judge: it starts in this handler, and crosses the frame of the signal.
static void stepped(int number, siginfo_t *information, void *context) {
  (void)number, (void)information;
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  if (is_runtime((uintptr_t)registers[REG_RIP])) return;
  int saved = errno;
  steps++;
  int total = backtrace(interrupted_backtrace, 64), start = 0;
  while (start < total && (uintptr_t)interrupted_backtrace[start] != (uintptr_t)registers[REG_RIP]) start++;
  size_t count = mainstay_stack_walk((uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RBP], (uintptr_t)registers[REG_RSP], walked, 64);
  bool same = start < total && count >= (size_t)(total - start);
  for (int i = start; same && i < total && i - start < 60; i++) same = walked[i - start] == (uintptr_t)interrupted_backtrace[i];
  for (int i = 0; !same && different == 0 && i < 8; i++) {
    first_different.walked[i] = (size_t)i < count ? walked[i] : 0;
    first_different.judged[i] = start + i < total ? (uintptr_t)interrupted_backtrace[start + i] : 0;
  }
  if (!same) different++;
  errno = saved;
}

// The processor's trap flag, on and off, in a function whose tables are right at each of its instructions.
__asm__(".section stepped_code, \"ax\", @progbits\n"
        ".type set_trap, @function\n"
        "set_trap:\n"
        "  .cfi_startproc\n"
        "  pushfq\n"
        "  .cfi_adjust_cfa_offset 8\n"
        "  andq $~0x100, (%rsp)\n"
        "  orq %rdi, (%rsp)\n"
        "  popfq\n"
        "  .cfi_adjust_cfa_offset -8\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size set_trap, . - set_trap\n"
        ".text\n");
void set_trap(unsigned long flag);

STEPPED static void step(bool on) { set_trap(on ? 0x100 : 0); }

STEPPED static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

STEPPED static void every_instruction(void) {
  backtrace(interrupted_backtrace, 64); // loads the library that it needs
  struct sigaction action = {.sa_sigaction = stepped, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, NULL);
  int values[24];
  char text[200];
  struct timespec now;
  for (int i = 0; i < 24; i++) values[i] = i * 7919 % 101;
  step(true);
  qsort(values, 24, sizeof *values, compare);
  snprintf(text, sizeof text, "%d %s %.3f", values[3], "three", sqrt(values[5]));
  clock_gettime(CLOCK_MONOTONIC, &now);
  char *copy = strdup(text);
  memset(copy, 0, strlen(copy));
  free(copy);
  double angle = strtod("0.25", NULL);
  step(false);
  CHECK(steps > 3000, "%ld steps", steps);
  CHECK(different == 0, "%ld of %ld instructions (%f); the first:", different, steps, angle);
  for (int i = 0; different > 0 && i < 8; i++) {
    Dl_info info = {0};
    dladdr((void *)first_different.walked[i], &info);
    printf("  walked %lx (%s+%lx), judged %lx\n", first_different.walked[i], info.dli_sname ? info.dli_sname : "?",
           first_different.walked[i] - (uintptr_t)info.dli_fbase, first_different.judged[i]);
  }
}

// MARK: Blocked

static uintptr_t expected[8];
static int expected_count;
static volatile pid_t blocked_tid;
static int channel[2];

#define EXPECT_CALLER() (expected[expected_count++] = (uintptr_t)__builtin_return_address(0))

static __attribute__((noinline)) void leave_traces(int depth) {
  volatile char room[64];
  memset((char *)room, depth, sizeof room);
  if (depth > 0) leave_traces(depth - 1);
  room[0] = 1;
}

static __attribute__((noinline)) void wait_here(void) {
  EXPECT_CALLER();
  blocked_tid = (pid_t)syscall(SYS_gettid);
  char byte;
  while (read(channel[0], &byte, 1) < 0 && errno == EINTR) {}
  __asm__ volatile("" ::: "memory");
}

// Where memory is taken from the stack as it goes, only a frame pointer leads to the caller; and old frames lie in it.
static __attribute__((noinline)) void with_room(size_t size) {
  EXPECT_CALLER();
  volatile char *room = alloca(size);
  room[0] = 1;
  wait_here();
  room[1] = 1;
}

static __attribute__((noinline)) void outer(size_t size) {
  EXPECT_CALLER();
  leave_traces(20);
  if (size > 0)
    with_room(size);
  else
    wait_here();
  __asm__ volatile("" ::: "memory");
}

static void *block(void *size) {
  outer((size_t)size);
  return NULL;
}

static void blocked(void) {
  CHECK(pipe(channel) == 0, "no pipe");
  for (size_t size = 0; size <= 2048; size += 512) {
    expected_count = 0;
    blocked_tid = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, block, (void *)size);
    uint64_t call = 0, frames[32];
    size_t count = 0;
    while (blocked_tid == 0 || mainstay_stack_of((uint32_t)blocked_tid, &call, frames, 32, &count) != MAINSTAY_THREAD_BLOCKED ||
           call != SYS_read)
      usleep(1000);
    // The innermost come last in `expected`.
    size_t at = 0;
    for (int i = expected_count - 1; i >= 0; i--) {
      while (at < count && frames[at] != expected[i]) at++;
      CHECK(at < count, "size %zu: frame %d, %lx, is missing", size, i, expected[i]);
    }
    CHECK(count > 0 && frames[count - 1] != MAINSTAY_FRAME_UNKNOWN, "size %zu: the walk did not reach the thread's start", size);
    // read, wait_here, with_room, outer, block, and two of the thread's start: nothing in between.
    CHECK(count <= (size > 0 ? 9u : 8u), "size %zu: %zu frames", size, count);
    CHECK(write(channel[1], "x", 1) == 1, "no write");
    pthread_join(thread, NULL);
  }
}

// MARK: Unknown

static uint64_t unknown_frames[16];
static size_t unknown_count;

static void interrupted(int number, siginfo_t *information, void *context) {
  (void)number, (void)information;
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  unknown_count = mainstay_stack_walk((uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RBP], (uintptr_t)registers[REG_RSP], unknown_frames, 16);
}

// Code that no compiler has seen: it uses rbp for something else, and nothing says where its caller is.
__asm__(".text\n"
        ".type by_hand, @function\n"
        "by_hand:\n"
        "  push %rbp\n"
        "  mov $3, %ebp\n"
        "  sub $24, %rsp\n"
        "  ud2\n"
        "  .globl by_hand_end\n"
        "by_hand_end:\n"
        "  add $24, %rsp\n"
        "  pop %rbp\n"
        "  ret\n");
void by_hand(void);

static void skip(int number, siginfo_t *information, void *context) {
  interrupted(number, information, context);
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

static void unknown(void) {
  struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &action, NULL);
  by_hand();
  CHECK(unknown_count == 2, "%zu frames", unknown_count);
  CHECK(unknown_frames[0] - (uintptr_t)by_hand < 32, "it began at %lx", unknown_frames[0]);
  CHECK(unknown_frames[1] == MAINSTAY_FRAME_UNKNOWN, "the second is %lx", unknown_frames[1]);
}

// MARK: Damaged

static int segment_of_tables(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  uintptr_t *range = data;
  if (strstr(info->dlpi_name, "libm.so") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_GNU_EH_FRAME) range[0] = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X))
      range[2] = info->dlpi_addr + segment->p_vaddr, range[3] = range[2] + segment->p_memsz;
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t low = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && range[0] - low < segment->p_memsz) range[1] = low + segment->p_memsz;
  }
  return 1;
}

static void damaged(void) {
  uintptr_t range[4] = {0};
  CHECK(sqrt(2) > 1 && dl_iterate_phdr(segment_of_tables, range) == 1 && range[1] > range[0], "no tables of libm");
  if (range[1] == 0) return;
  uintptr_t page = range[0] & ~4095ul;
  CHECK(mprotect((void *)page, (range[1] - page + 4095) & ~4095ul, PROT_READ | PROT_WRITE) == 0, "may not be damaged");
  uint64_t state = 88172645463325252u, answers[4] = {0};
  static char copy[65536];
  for (int round = 0; round < 300000; round++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    // Half of the damage is in the index, which leads everywhere else; values are extreme as often as random.
    size_t size = range[1] - range[0];
    uint8_t *at = (uint8_t *)range[0] + (state & 1 ? (state >> 8) % 64 : (state >> 8) % size), old = *at;
    *at = (state >> 1 & 3) == 0 ? 0xff : (state >> 1 & 3) == 1 ? 0 : (uint8_t)(state >> 40);
    mainstay_stack_memory memory = {(uintptr_t)copy, copy, sizeof copy};
    mainstay_frame frame = {.pc = range[2] + (state >> 16) % (range[3] - range[2]), .stack = (uintptr_t)copy + 1024,
                            .frame = (uintptr_t)copy + 2048, .knows_frame = true, .interrupted = true};
    for (int depth = 0; depth < 4; depth++) {
      mainstay_step step = mainstay_unwind_step(&frame, &memory);
      answers[step]++;
      if (step != MAINSTAY_STEP_CALLER) break;
    }
    if (state >> 60 != 0) *at = old; // some damage stays
  }
  CHECK(answers[MAINSTAY_STEP_UNKNOWN] > 0 && answers[MAINSTAY_STEP_CALLER] + answers[MAINSTAY_STEP_OUTERMOST] > 0,
        "%lu, %lu, %lu, %lu", answers[0], answers[1], answers[2], answers[3]);
}

// MARK: Who calls

static mainstay_call_step call_steps[MAINSTAY_CALL_STEPS];
static uintptr_t stack_end;
static volatile int sink;

// The callers of its caller, by the language's own unwinder too.
static __attribute__((noinline)) void probe(const char *shape) {
  uint64_t callers[3] = {(uint64_t)__builtin_return_address(0)};
  mainstay_unwind_callers(callers, (uintptr_t)__builtin_frame_address(0), stack_end, call_steps);
  void *judged[64];
  int total = backtrace(judged, 64), at = 0;
  while (at < total && (uint64_t)judged[at] != callers[0]) at++;
  CHECK(at + 2 < total, "%s: its caller is not there", shape);
  for (int i = 0; i < 3 && at + 2 < total; i++)
    CHECK(callers[i] == (uint64_t)judged[at + i], "%s: caller %d is %lx and not %p", shape, i, callers[i], judged[at + i]);
}

static __attribute__((noinline)) void plain(const char *shape) { probe(shape); sink++; }
static __attribute__((noinline)) void large(const char *shape) {
  volatile char room[3000];
  room[sink & 1] = 1;
  plain(shape);
  sink += room[sink & 1];
}
static __attribute__((noinline)) void sized(const char *shape) {
  volatile char *room = alloca(64 + (size_t)(sink & 63));
  room[0] = 1;
  large(shape);
  sink += room[0];
}
static __attribute__((noinline)) void deep(const char *shape, int depth) {
  if (depth > 0) deep(shape, depth - 1);
  else probe(shape);
  sink++;
}

static void who_calls(void) {
  stack_end = (uintptr_t)*(void **)dlsym(RTLD_DEFAULT, "__libc_stack_end");
  for (int again = 0; again < 3; again++) { // the second time by what is remembered
    probe("at once");
    plain("plain");
    large("large");
    sized("of a size that varies");
    deep("recursive", 5);
  }
  // Where the stack ends, nothing is read.
  uint64_t callers[3] = {(uint64_t)__builtin_return_address(0), 1, 1};
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  mainstay_unwind_callers(callers, frame, frame, call_steps);
  CHECK(callers[1] == 0 && callers[2] == 0, "%lx, %lx", callers[1], callers[2]);
}

int main(int count, char **arguments) {
  const char *name = count > 1 ? arguments[1] : "";
  mainstay_stack_prepare();
  if (strcmp(name, "every-instruction") == 0) every_instruction();
  else if (strcmp(name, "blocked") == 0) blocked();
  else if (strcmp(name, "unknown") == 0) unknown();
  else if (strcmp(name, "damaged") == 0) damaged();
  else if (strcmp(name, "who-calls") == 0) who_calls();
  else return 64;
  return failures == 0 ? 0 : 1;
}
