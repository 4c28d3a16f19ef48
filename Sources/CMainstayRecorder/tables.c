// The tables of a recording that grow while it is written: types, executors, functions, origins, boundaries, threads. An
// entry is found or claimed without a lock, by its key.
#define _GNU_SOURCE
#include "store.h"

#include <sched.h>
#include <string.h>

static uint64_t mixed(uint64_t key) {
  key *= 0x9e3779b97f4a7c15ull;
  return key ^ key >> 29;
}

static void copy_name(char *to, size_t room, const char *from) {
  size_t i = 0;
  for (; from != NULL && from[i] != 0 && i + 1 < room; i++) to[i] = from[i];
  to[i] = 0;
}

// Entries are claimed by setting their key, and used by others when `ready` says that the rest is written.
uint16_t mainstay_store_type(mainstay_store *store, const void *metadata, mainstay_executor_kind kind, const char *name) {
  if (kind == MAINSTAY_EXECUTOR_POOL || kind == MAINSTAY_EXECUTOR_MAIN) {
    mainstay_executor_type *type = &store->types[kind];
    if (type->ready == 0) {
      type->kind = kind;
      copy_name(type->name, sizeof type->name, name);
      type->instances = kind == MAINSTAY_EXECUTOR_POOL; // the main actor is counted when it is seen
      __atomic_store_n(&type->ready, 1, __ATOMIC_RELEASE);
    }
    return (uint16_t)kind;
  }
  uint32_t start = (uint32_t)(mixed((uint64_t)metadata) % (MAINSTAY_EXECUTOR_TYPES - 2));
  for (uint32_t i = 0; i < MAINSTAY_EXECUTOR_TYPES - 2; i++) {
    uint32_t index = 2 + (start + i) % (MAINSTAY_EXECUTOR_TYPES - 2);
    mainstay_executor_type *type = &store->types[index];
    uint64_t found = __atomic_load_n(&type->metadata, __ATOMIC_ACQUIRE);
    if (found == 0 && __atomic_compare_exchange_n(&type->metadata, &found, (uint64_t)metadata, false, __ATOMIC_ACQ_REL,
                                                  __ATOMIC_ACQUIRE)) {
      type->kind = kind;
      copy_name(type->name, sizeof type->name, name != NULL ? name : "");
      __atomic_store_n(&type->ready, 1, __ATOMIC_RELEASE);
      return (uint16_t)index;
    }
    if (found == (uint64_t)metadata) return (uint16_t)index;
  }
  return 0;
}

uint16_t mainstay_store_executor(mainstay_store *store, const void *identity, uint16_t type, bool settled) {
  // A claimed entry whose type is not yet written is waited for by trying the next: at worst an executor has two
  // entries, and the reader adds entries of one identity and type together.
  uint32_t start = (uint32_t)(mixed((uint64_t)identity) % (MAINSTAY_EXECUTORS - 1));
  for (uint32_t i = 0; i < 128; i++) {
    uint32_t index = 1 + (start + i) % (MAINSTAY_EXECUTORS - 1);
    mainstay_executor *executor = &store->executors[index];
    uint64_t found = __atomic_load_n(&executor->identity, __ATOMIC_ACQUIRE);
    if (found == 0 && __atomic_compare_exchange_n(&executor->identity, &found, (uint64_t)identity, false,
                                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      executor->type = type;
      executor->settled = settled; // not from the type, whose entry another thread may still be writing
      __atomic_fetch_add(&store->types[type].instances, 1, __ATOMIC_RELAXED);
      __atomic_store_n(&executor->ready, 1, __ATOMIC_RELEASE);
      return (uint16_t)index;
    }
    if (found == (uint64_t)identity && __atomic_load_n(&executor->ready, __ATOMIC_ACQUIRE) && executor->type == type)
      return (uint16_t)index;
  }
  __atomic_fetch_add(&store->header->lost_executors, 1, __ATOMIC_RELAXED);
  return 0;
}

uint16_t mainstay_store_function(mainstay_store *store, uint64_t address, uint32_t key) {
  uint32_t start = (uint32_t)(mixed(address ^ (uint64_t)key << 40) % (MAINSTAY_FUNCTIONS - 1));
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t index = 1 + (start + i) % (MAINSTAY_FUNCTIONS - 1);
    mainstay_function *function = &store->functions[index];
    uint32_t found = __atomic_load_n(&function->key, __ATOMIC_ACQUIRE);
    if (found == 0 &&
        __atomic_compare_exchange_n(&function->key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      function->address = address;
      __atomic_store_n(&function->ready, 1, __ATOMIC_RELEASE);
      return (uint16_t)index;
    }
    // As above: two entries for one function are added together by the reader.
    if (found == key && __atomic_load_n(&function->ready, __ATOMIC_ACQUIRE) && function->address == address)
      return (uint16_t)index;
  }
  __atomic_fetch_add(&store->header->lost_functions, 1, __ATOMIC_RELAXED);
  return 0;
}

uint16_t mainstay_store_origin(mainstay_store *store, const uint64_t callers[3]) {
  uint64_t key = mixed(callers[0]) ^ mixed(callers[1] + 1);
  if (key == 0) key = 1;
  for (uint32_t i = 0; i < 64; i++) {
    uint32_t index = 1 + (uint32_t)((key + i) % (MAINSTAY_ORIGINS - 1));
    mainstay_origin *origin = &store->origins[index];
    uint64_t found = __atomic_load_n(&origin->key, __ATOMIC_ACQUIRE);
    if (found == 0 &&
        __atomic_compare_exchange_n(&origin->key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      for (int c = 0; c < 3; c++) origin->callers[c] = callers[c];
      return (uint16_t)index;
    }
    if (found == key) return (uint16_t)index;
  }
  return 0;
}

static uint64_t text_key(uint64_t key, const char *text) {
  for (; *text != 0; text++) key = (key ^ (unsigned char)*text) * 0x100000001b3ull; // FNV-1a
  return (key ^ 0xff) * 0x100000001b3ull;                                           // and where it ended
}

void mainstay_store_boundary(mainstay_store *store, uint32_t kind, const char *name, const char *contract, const char *file,
                             uint32_t line, const uint64_t counts[MAINSTAY_BOUNDARY_COUNTS], const char *queues) {
  uint64_t key = text_key(text_key(text_key(0xcbf29ce484222325ull ^ (uint64_t)line << 8 ^ kind, name), contract), file);
  if (key == 0) key = 1;
  mainstay_boundary *boundary = NULL;
  for (uint32_t i = 0; i < MAINSTAY_BOUNDARIES && boundary == NULL; i++) {
    mainstay_boundary *entry = &store->boundaries[i];
    uint64_t found = __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE);
    if (found == 0 && __atomic_compare_exchange_n(&entry->key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      entry->kind = kind;
      entry->line = line;
      copy_name(entry->name, sizeof entry->name, name);
      copy_name(entry->contract, sizeof entry->contract, contract);
      copy_name(entry->file, sizeof entry->file, file);
      __atomic_store_n(&entry->ready, 1, __ATOMIC_RELEASE);
      found = key;
    }
    if (found == key) boundary = entry;
  }
  if (boundary == NULL) {
    __atomic_fetch_add(&store->header->lost_boundaries, 1, __ATOMIC_RELAXED);
    return;
  }
  uint32_t writes = __atomic_load_n(&boundary->writes, __ATOMIC_RELAXED) & ~1u;
  while (!__atomic_compare_exchange_n(&boundary->writes, &writes, writes + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    if (writes % 2 == 1) sched_yield();
    writes &= ~1u;
  }
  memcpy(boundary->counts, counts, sizeof boundary->counts);
  copy_name(boundary->queues, sizeof boundary->queues, queues);
  __atomic_store_n(&boundary->writes, writes + 2, __ATOMIC_RELEASE);
}

mainstay_thread *mainstay_store_thread(mainstay_store *store, uint32_t tid) {
  for (uint32_t i = 0; i < MAINSTAY_THREADS; i++) {
    uint32_t none = 0;
    if (__atomic_load_n(&store->threads[i].tid, __ATOMIC_RELAXED) == 0 &&
        __atomic_compare_exchange_n(&store->threads[i].tid, &none, tid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      uint32_t used = __atomic_load_n(&store->threads_used, __ATOMIC_RELAXED);
      while (used <= i && !__atomic_compare_exchange_n(&store->threads_used, &used, i + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      }
      return &store->threads[i];
    }
  }
  __atomic_fetch_add(&store->header->lost_threads, 1, __ATOMIC_RELAXED);
  return NULL;
}
