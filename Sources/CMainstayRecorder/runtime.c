// Finding the runtime, and the self-check: every site, symbol and layout that runtime.h describes is looked up in the
// runtime that this process really has. What is missing switches off what depends on it, and is said; a layout that is
// not the known one switches off everything.
#define _GNU_SOURCE
#include "runtime.h"

#include "symtab.h"
#include "mainstay_trace.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *name;
  mainstay_site site;
  uint32_t capability;
} site_name;

// The functions of libswift_Concurrency.so that call us, directly through the two pointers that libswiftCore exports
// for ThreadSanitizer, or through imports that we define. Some are local: they are only in .symtab, which the
// toolchain's library has.
static const site_name site_names[] = {
    {"swift_task_enqueue", MAINSTAY_SITE_ENQUEUE, MAINSTAY_CAN_SEE_ENQUEUE},
    {"swift_task_enqueueGlobal", MAINSTAY_SITE_ENQUEUE_GLOBAL, MAINSTAY_CAN_SEE_ENQUEUE},
    {"_ZN5swift34runJobInEstablishedExecutorContextEPNS_3JobE", MAINSTAY_SITE_RUN, MAINSTAY_CAN_SEE_START},
    {"swift_task_switch", MAINSTAY_SITE_SWITCH, MAINSTAY_CAN_SEE_INLINE_HOP},
    {"_ZN12_GLOBAL__N_116DefaultActorImpl6unlockEb", MAINSTAY_SITE_UNLOCK, MAINSTAY_CAN_SEE_INLINE_HOP},
    {"_ZL16completeTaskImplPN5swift9AsyncTaskEPNS_12AsyncContextEPNS_10SwiftErrorE", MAINSTAY_SITE_COMPLETE,
     MAINSTAY_CAN_SEE_COMPLETION},
    {"swift_continuation_resume", MAINSTAY_SITE_RESUME, MAINSTAY_CAN_SEE_CONTINUATION},
    {"swift_continuation_throwingResume", MAINSTAY_SITE_RESUME, MAINSTAY_CAN_SEE_CONTINUATION},
    {"swift_continuation_throwingResumeWithError", MAINSTAY_SITE_RESUME, MAINSTAY_CAN_SEE_CONTINUATION},
    {"swift_task_cancel", MAINSTAY_SITE_CANCEL, MAINSTAY_CAN_SEE_CANCELLATION},
    {"_ZN5swift9AsyncTask26flagAsAndEnqueueOnExecutorENS_17SerialExecutorRefE", MAINSTAY_SITE_AWAIT_HOP,
     MAINSTAY_CAN_SEE_SUSPEND},
    {"swift_continuation_await", MAINSTAY_SITE_AWAIT_CONTINUATION, MAINSTAY_CAN_SEE_CONTINUATION},
    {"swift_continuation_init", MAINSTAY_SITE_AWAIT_CONTINUATION, 0},
    {"_ZN5swift9AsyncTask10waitFutureEPS0_PNS_12AsyncContextEPU14swiftasynccallFvU19swift_async_contextS3_ES3_PNS_"
     "11OpaqueValueE",
     MAINSTAY_SITE_AWAIT_TASK, MAINSTAY_CAN_SEE_SUSPEND},
    {"swift_taskGroup_wait_next_throwing", MAINSTAY_SITE_AWAIT_GROUP, 0},
    {"swift_taskGroup_waitAll", MAINSTAY_SITE_AWAIT_GROUP, 0},
    {"swift_task_suspend", MAINSTAY_SITE_SUSPEND, 0},
};
#define SITES (sizeof site_names / sizeof *site_names)

static struct {
  uintptr_t low, high;
} site_ranges[SITES];

// More symbols that are asked for by name: also where the runtime is linked into the executable.
enum { JOB_RUN, ACQUIRE, RELEASE, CURRENT_EXECUTOR, CURRENT_TASK, MAIN_EXECUTOR, LAYOUT, TASK_SIZE, FUTURE_ADAPTER,
       NON_FUTURE_ADAPTER, ALL_SYMBOLS };
static const char *const symbol_names[ALL_SYMBOLS] = {
    [JOB_RUN] = "swift_job_run",
    [ACQUIRE] = "_swift_tsan_acquire",
    [RELEASE] = "_swift_tsan_release",
    [CURRENT_EXECUTOR] = "swift_task_getCurrentExecutor",
    [CURRENT_TASK] = "swift_task_getCurrent",
    [MAIN_EXECUTOR] = "swift_task_getMainExecutor",
    [LAYOUT] = "_swift_concurrency_debug_internal_layout_version",
    [TASK_SIZE] = "_swift_concurrency_debug_asyncTaskSize",
    [FUTURE_ADAPTER] = "_swift_concurrency_debug_future_adapter",
    [NON_FUTURE_ADAPTER] = "_swift_concurrency_debug_non_future_adapter",
};

mainstay_site mainstay_runtime_site(uintptr_t address) {
  for (unsigned i = 0; i < SITES; i++)
    if (address > site_ranges[i].low && address <= site_ranges[i].high) return site_names[i].site;
  return MAINSTAY_SITE_OTHER;
}

static void miss(mainstay_runtime *runtime, const char *what) {
  size_t used = strlen(runtime->missing);
  snprintf(runtime->missing + used, sizeof runtime->missing - used, "%s%s", used ? ", " : "", what);
}

static int first_object(struct dl_phdr_info *info, size_t size, void *base) {
  (void)size;
  *(uintptr_t *)base = info->dlpi_addr;
  return 1;
}

static int object_of(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  uintptr_t *range = data; // [0] an address in, [0] and [1] its segment out
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t low = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && range[0] - low < segment->p_memsz) {
      range[0] = low;
      range[1] = low + segment->p_memsz;
      return 1;
    }
  }
  return 0;
}

static bool code_range(const void *address, uintptr_t *low, uintptr_t *high) {
  uintptr_t range[2] = {(uintptr_t)address, 0};
  if (address == NULL || dl_iterate_phdr(object_of, range) == 0) return false;
  *low = range[0];
  *high = range[1];
  return true;
}

// In swift_task_enqueue the executor's two words are in r15 and r14 when it calls us. That is no promise of anybody's,
// so the instructions that put them there are looked for in the function itself.
static bool enqueue_keeps_executor(uintptr_t enqueue, size_t size) {
  static const unsigned char moves[] = {0x49, 0x89, 0xd6,  // mov %rdx, %r14
                                        0x49, 0x89, 0xf7,  // mov %rsi, %r15
                                        0x48, 0x89, 0xfb}; // mov %rdi, %rbx
  return enqueue != 0 && size >= 64 && memmem((const void *)enqueue, 32, moves, sizeof moves) != NULL;
}

static mainstay_status find_symbols(mainstay_runtime *runtime, void **symbols, uintptr_t *base, char *path, size_t room) {
  for (unsigned i = 0; i < ALL_SYMBOLS; i++) symbols[i] = dlsym(RTLD_DEFAULT, symbol_names[i]);
  if (symbols[JOB_RUN] != NULL) {
    Dl_info info;
    if (dladdr(symbols[JOB_RUN], &info) == 0) return MAINSTAY_NO_RUNTIME;
    *base = (uintptr_t)info.dli_fbase;
    snprintf(path, room, "%s", info.dli_fname);
    return MAINSTAY_OK;
  }
  // Not among the exported symbols of any library: it may be linked into the executable.
  mainstay_symbol wanted[ALL_SYMBOLS];
  for (unsigned i = 0; i < ALL_SYMBOLS; i++) wanted[i] = (mainstay_symbol){symbol_names[i], 0, 0};
  snprintf(path, room, "/proc/self/exe");
  if (!mainstay_symtab_find(path, wanted, ALL_SYMBOLS) || wanted[JOB_RUN].value == 0) return MAINSTAY_NO_RUNTIME;
  dl_iterate_phdr(first_object, base);
  for (unsigned i = 0; i < ALL_SYMBOLS; i++) symbols[i] = wanted[i].value ? (void *)(*base + wanted[i].value) : NULL;
  runtime->linked_statically = true;
  return MAINSTAY_OK;
}

static void find_sites(mainstay_runtime *runtime, const char *path, uintptr_t base) {
  mainstay_symbol wanted[SITES];
  for (unsigned i = 0; i < SITES; i++) wanted[i] = (mainstay_symbol){site_names[i].name, 0, 0};
  mainstay_symtab_find(path, wanted, SITES);
  uint32_t seen = 0, missing = 0;
  for (unsigned i = 0; i < SITES; i++) {
    site_ranges[i].low = wanted[i].value ? base + wanted[i].value : 0;
    site_ranges[i].high = site_ranges[i].low + wanted[i].size;
    if (wanted[i].value && wanted[i].size)
      seen |= site_names[i].capability;
    else {
      missing |= site_names[i].capability;
      miss(runtime, site_names[i].name);
    }
  }
  runtime->capabilities |= seen & ~missing;
  if (enqueue_keeps_executor(site_ranges[0].low, wanted[0].size)) runtime->capabilities |= MAINSTAY_CAN_SEE_QUEUE;
}

static void *value_of(void *symbol) { return symbol ? *(void **)symbol : NULL; }

mainstay_status mainstay_runtime_find(mainstay_runtime *runtime) {
  if (dlsym(RTLD_DEFAULT, "__tsan_init") != NULL) return MAINSTAY_THREAD_SANITIZER;
  void *symbols[ALL_SYMBOLS];
  uintptr_t base = 0;
  char path[1024];
  mainstay_status status = find_symbols(runtime, symbols, &base, path, sizeof path);
  if (status != MAINSTAY_OK) return status;
  if (symbols[ACQUIRE] == NULL || symbols[RELEASE] == NULL || symbols[CURRENT_EXECUTOR] == NULL ||
      symbols[MAIN_EXECUTOR] == NULL)
    return MAINSTAY_UNKNOWN_LAYOUT;
  const uint32_t *layout = symbols[LAYOUT];
  const size_t *task_size = symbols[TASK_SIZE];
  if (layout == NULL || *layout != MAINSTAY_LAYOUT_VERSION || task_size == NULL || *task_size != MAINSTAY_TASK_SIZE)
    return MAINSTAY_UNKNOWN_LAYOUT;
  find_sites(runtime, path, base);
  if (!(runtime->capabilities & MAINSTAY_CAN_SEE_START)) return MAINSTAY_STRIPPED_RUNTIME;

  runtime->acquire = symbols[ACQUIRE];
  runtime->release = symbols[RELEASE];
  if (*runtime->acquire != NULL || *runtime->release != NULL) return MAINSTAY_THREAD_SANITIZER;
  runtime->current_executor = symbols[CURRENT_EXECUTOR];
  runtime->current_task = symbols[CURRENT_TASK];
  mainstay_swiftcall mainstay_executor_ref (*main_executor)(void) = symbols[MAIN_EXECUTOR];
  runtime->main_executor = main_executor().identity;
  runtime->start_adapters[0] = value_of(symbols[FUTURE_ADAPTER]);
  runtime->start_adapters[1] = value_of(symbols[NON_FUTURE_ADAPTER]);
  if (runtime->start_adapters[0] && runtime->start_adapters[1])
    runtime->capabilities |= MAINSTAY_CAN_SEE_FUNCTION;
  else
    miss(runtime, "the adapters that tasks start in");
  code_range(symbols[JOB_RUN], &runtime->low, &runtime->high);
  runtime->main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
  // By a function that we do not stand in front of.
  code_range(dlsym(RTLD_DEFAULT, "dispatch_main"), &runtime->dispatch_low, &runtime->dispatch_high);
  if (!runtime->linked_statically) {
    runtime->capabilities |= MAINSTAY_CAN_SEE_CREATION | MAINSTAY_CAN_SEE_RETURN;
    if (runtime->main_queue != NULL) runtime->capabilities |= MAINSTAY_CAN_SEE_BLOCKS;
  } else {
    runtime->capabilities &= ~(uint32_t)MAINSTAY_CAN_SEE_SUSPEND;
    miss(runtime, "what only a dynamically linked runtime shows: creation of tasks, main-queue blocks, exact ends");
  }
  return MAINSTAY_OK;
}

uint64_t mainstay_runtime_function(const mainstay_runtime *runtime, const mainstay_job *task) {
  const void *resume = task->resume;
  void **context = task->context;
  if (context == NULL) return (uint64_t)resume;
  if (mainstay_runtime_starts(runtime, task))
    return (uint64_t)context[MAINSTAY_ENTRY_POINT];
  // The callers' contexts live while the task does. Bounded, and stops at what cannot be a context.
  for (int i = 0; i < 16 && context != NULL && (uintptr_t)context % 8 == 0; i++) {
    uintptr_t caller = (uintptr_t)context[1];
    // A continuation's own context repeats what the task resumes in.
    if (caller != (uintptr_t)resume && caller - runtime->low >= runtime->high - runtime->low)
      return caller ? caller : (uint64_t)resume;
    context = context[0];
  }
  return (uint64_t)resume;
}

const char *mainstay_runtime_type_name(const void *metadata) {
  if (metadata == NULL) return NULL;
  const char *descriptor = ((const char *const *)metadata)[MAINSTAY_METADATA_DESCRIPTOR];
  if (descriptor == NULL || (uintptr_t)descriptor % 4 != 0) return NULL;
  uint32_t flags = *(const uint32_t *)descriptor;
  if ((flags & 0x1f) != MAINSTAY_DESCRIPTOR_CLASS) return NULL;
  const int32_t *name = (const int32_t *)(descriptor + MAINSTAY_DESCRIPTOR_NAME);
  return (const char *)name + *name;
}
