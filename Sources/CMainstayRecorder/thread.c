#define _GNU_SOURCE
#include "thread.h"

#include "scope.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RETRY_RECORDS 4096u // written without a block before one is looked for again

__thread mainstay_thread_state mainstay_self __attribute__((tls_model("initial-exec")));
static pthread_key_t thread_key;

static void *const *initial_stack_end; // the loader's variable __libc_stack_end

uintptr_t mainstay_self_stack_end(void) { return mainstay_self.stack_end; }

mainstay_thread *mainstay_self_begin(void) {
  uint32_t recording = __atomic_load_n(&mainstay_the.hot.on, __ATOMIC_RELAXED);
  if (mainstay_self.ended || recording == 0 || mainstay_self.refused == recording) return NULL;
  // What is there is of an earlier recording, but for a task that is just being created.
  bool creating = mainstay_self.creating;
  uint16_t origin = mainstay_self.creating_origin;
  int schedule = mainstay_self.schedule;
  memset(&mainstay_self, 0, sizeof mainstay_self);
  mainstay_self.schedule = schedule;
  mainstay_self.creating = creating;
  mainstay_self.creating_origin = origin;
  uint32_t tid = (uint32_t)syscall(SYS_gettid);
  mainstay_self.slot = mainstay_store_thread(&mainstay_the.store, tid);
  if (mainstay_self.slot == NULL) {
    mainstay_self.refused = recording;
    return NULL;
  }
  mainstay_self.recording = recording;
  // The kernel's answer for the main thread means reading /proc/self/maps; the loader knows it too.
  if (tid == (uint32_t)getpid() && initial_stack_end != NULL)
    mainstay_self.stack_end = (uintptr_t)*initial_stack_end;
  else {
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      if (pthread_attr_getstack(&attributes, &low, &size) == 0) mainstay_self.stack_end = (uintptr_t)low + size;
      pthread_attr_destroy(&attributes);
    }
  }
  pthread_setspecific(thread_key, mainstay_self.slot);
  return mainstay_self.slot;
}

static void thread_ended(void *slot) {
  if (mainstay_is_on() && mainstay_self_known() == slot) {
    mainstay_jobs_thread_ends();
    mainstay_store_thread_ended(&mainstay_the.store, slot);
  }
  mainstay_scope_thread_ends();
  memset(&mainstay_self, 0, sizeof mainstay_self);
  mainstay_self.ended = true; // what still runs on this thread runs after its end
}

void mainstay_self_prepare(void) {
  initial_stack_end = dlsym(RTLD_DEFAULT, "__libc_stack_end");
  static bool made;
  if (!made) made = pthread_key_create(&thread_key, thread_ended) == 0;
}

bool mainstay_self_next_block(uint64_t task, uint64_t now) {
  mainstay_thread *slot = mainstay_self.slot;
  if (mainstay_self.records != NULL) mainstay_store_retire((mainstay_block *)mainstay_self.records - 1, slot->used);
  mainstay_self.records = NULL;
  slot->block = 0;
  if (mainstay_self.without_block != 0) {
    mainstay_self.without_block--;
    return false;
  }
  mainstay_store *store = &mainstay_the.store;
  mainstay_block *block = mainstay_store_block(store, slot->tid, task, now);
  if (block == NULL) {
    mainstay_self.without_block = RETRY_RECORDS;
    return false;
  }
  mainstay_self.records = mainstay_block_records(block);
  mainstay_self.base = block->base;
  mainstay_self.task_high = block->task_high;
  slot->used = 0;
  __atomic_store_n(&slot->block, (uint32_t)(((char *)block - store->blocks) / MAINSTAY_BLOCK_BYTES) + 1, __ATOMIC_RELEASE);
  return true;
}

uint32_t mainstay_self_learn_function(uint32_t h, uint64_t address, uint32_t key) {
  uint16_t index = mainstay_store_function(&mainstay_the.store, address, key);
  mainstay_self.functions[h + 1] = mainstay_self.functions[h];
  mainstay_self.functions[h].address = address;
  mainstay_self.functions[h].key = key;
  mainstay_self.functions[h].index = index;
  return h;
}

void mainstay_self_learn_executor(uint32_t h, const void *identity, const void *metadata, uintptr_t witness) {
  mainstay_store *store = &mainstay_the.store;
  bool settled = witness == 0 || identity == mainstay_the.hot.main_executor;
  uint16_t type = MAINSTAY_EXECUTOR_MAIN;
  if (identity != mainstay_the.hot.main_executor)
    type = mainstay_store_type(store, metadata, settled ? MAINSTAY_EXECUTOR_ACTOR : MAINSTAY_EXECUTOR_CUSTOM,
                               mainstay_runtime_type_name(metadata));
  uint16_t index = type ? mainstay_store_executor(store, identity, type, settled) : 0;
  mainstay_self.executors[h + 1] = mainstay_self.executors[h];
  mainstay_self.executors[h].identity = identity;
  mainstay_self.executors[h].metadata = metadata;
  mainstay_self.executors[h].index = index;
  mainstay_self.executors[h].type = type;
}
