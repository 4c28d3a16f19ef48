#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define GROWTH_BLOCKS 64u   // storage is reserved for this many blocks at a time
#define POPULATED_BLOCKS 8u // and made resident for this many

uint64_t mainstay_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// MARK: The file

static uint64_t place(mainstay_region *region, uint64_t offset, uint32_t count, uint32_t stride) {
  *region = (mainstay_region){offset, count, stride};
  return offset + (((uint64_t)count * stride + 4095) & ~4095ull);
}

// The largest size of a file of this process. To a write beyond it the kernel answers with a signal, which ends a program
// that does not expect it.
static uint64_t largest_file(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

// Storage is reserved before it is written: a full disk must not become a SIGBUS in the program.
static int reserve(int file, uint64_t offset, uint64_t size) {
  return offset + size > largest_file() ? EFBIG : posix_fallocate(file, (off_t)offset, (off_t)size);
}

bool mainstay_store_open(mainstay_store *store, const char *path, uint64_t memory_bytes) {
  mainstay_header header;
  memset(&header, 0, sizeof header);
  uint64_t end = 4096;
  end = place(&header.threads, end, MAINSTAY_THREADS, sizeof(mainstay_thread));
  end = place(&header.executor_types, end, MAINSTAY_EXECUTOR_TYPES, sizeof(mainstay_executor_type));
  end = place(&header.executors, end, MAINSTAY_EXECUTORS, sizeof(mainstay_executor));
  end = place(&header.functions, end, MAINSTAY_FUNCTIONS, sizeof(mainstay_function));
  end = place(&header.totals, end, MAINSTAY_FUNCTIONS, sizeof(mainstay_total));
  end = place(&header.origins, end, MAINSTAY_ORIGINS, sizeof(mainstay_origin));
  end = place(&header.stalls, end, MAINSTAY_STALLS, sizeof(mainstay_stall));
  end = place(&header.samples, end, MAINSTAY_SAMPLES, sizeof(mainstay_sample));
  end = place(&header.gaps, end, MAINSTAY_GAPS, sizeof(mainstay_gap));
  end = place(&header.starvations, end, MAINSTAY_STARVATIONS, sizeof(mainstay_starvation));
  end = place(&header.boundaries, end, MAINSTAY_BOUNDARIES, sizeof(mainstay_boundary));
  end = place(&header.modules, end, MAINSTAY_MODULE_BYTES, 1);
  uint64_t tables_end = end;
  uint64_t others = tables_end + (MAINSTAY_EXECUTOR_TYPES + 1) * sizeof(mainstay_histogram);
  uint64_t most = largest_file();
  if (memory_bytes > most) memory_bytes = most;
  uint64_t room = memory_bytes > others ? memory_bytes - others : 0;
  uint32_t blocks = (uint32_t)(room / MAINSTAY_BLOCK_BYTES);
  if (blocks < GROWTH_BLOCKS) blocks = GROWTH_BLOCKS;
  end = place(&header.blocks, end, blocks, MAINSTAY_BLOCK_BYTES);
  end = place(&header.histograms, end, MAINSTAY_EXECUTOR_TYPES + 1, sizeof(mainstay_histogram));

  store->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (store->file < 0) return false;
  int error = end > most ? EFBIG : ftruncate(store->file, (off_t)end) != 0 ? errno : reserve(store->file, 0, tables_end);
  void *bytes = MAP_FAILED;
  if (error == 0) {
    bytes = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_SHARED, store->file, 0);
    if (bytes == MAP_FAILED) error = errno;
  }
  if (error != 0) {
    close(store->file);
    unlink(path);
    errno = error;
    return false;
  }
  madvise(bytes, end, MADV_DONTDUMP);
  // Without this the first touch of a page reads a window of zeros around it: 3 ms at the start of every process.
  madvise(bytes, end, MADV_RANDOM);
  store->bytes = bytes;
  store->size = end;
  store->header = bytes;
  store->threads = (void *)(store->bytes + header.threads.offset);
  store->types = (void *)(store->bytes + header.executor_types.offset);
  store->executors = (void *)(store->bytes + header.executors.offset);
  store->functions = (void *)(store->bytes + header.functions.offset);
  store->totals = (void *)(store->bytes + header.totals.offset);
  store->origins = (void *)(store->bytes + header.origins.offset);
  store->stalls = (void *)(store->bytes + header.stalls.offset);
  store->samples = (void *)(store->bytes + header.samples.offset);
  store->gaps = (void *)(store->bytes + header.gaps.offset);
  store->starvations = (void *)(store->bytes + header.starvations.offset);
  store->boundaries = (void *)(store->bytes + header.boundaries.offset);
  store->modules = store->bytes + header.modules.offset;
  store->blocks = store->bytes + header.blocks.offset;
  store->histograms = (void *)(store->bytes + header.histograms.offset);
  store->block_capacity = blocks;
  store->growing = 0;
  store->stalls_used = 0;
  store->threads_used = 0;
  header.blocks.count = 0;
  memcpy(header.magic, MAINSTAY_TRACE_MAGIC, 8);
  header.version = MAINSTAY_TRACE_VERSION;
  header.header_bytes = sizeof header;
  header.machine = MAINSTAY_TRACE_MACHINE;
  header.file_bytes = end;
  header.executor_types.count = MAINSTAY_EXECUTOR_TYPES;
  memcpy(store->header, &header, sizeof header);
  mainstay_store_type(store, NULL, MAINSTAY_EXECUTOR_POOL, "pool");
  return true;
}

void mainstay_store_close(mainstay_store *store, bool keep) {
  if (keep && store->header->folded_records == 0) {
    // Nothing after the blocks in use says anything. The mapping stays: a late thread may still write to it, but only
    // to blocks that it has, or to tables in front of them.
    uint64_t end = store->header->blocks.offset + (uint64_t)store->header->blocks.count * MAINSTAY_BLOCK_BYTES;
    if (ftruncate(store->file, (off_t)end) == 0) store->header->file_bytes = end;
  }
  close(store->file);
  store->file = -1;
}

void mainstay_store_release(mainstay_store *store) {
  if (store->bytes == NULL) return;
  // Zeros that nobody else sees take its place, at the same addresses.
  mmap(store->bytes, store->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  store->bytes = NULL;
}

static mainstay_block *block_at(mainstay_store *store, uint64_t index) {
  return (mainstay_block *)(store->blocks + index * MAINSTAY_BLOCK_BYTES);
}

// MARK: Blocks

void mainstay_store_thread_ended(mainstay_store *store, mainstay_thread *thread) {
  if (thread->block != 0) mainstay_store_retire(block_at(store, thread->block - 1), thread->used);
  thread->block = 0;
  thread->start = 0;
  thread->check = 0;
  __atomic_store_n(&thread->tid, 0, __ATOMIC_RELEASE);
}

// Gives storage to the blocks up to this one, and to some after it in one go. Several threads may do so at once: a
// block's storage is reserved twice then, which does no harm. What `count` covers has storage without a hole.
static bool grow(mainstay_store *store, uint64_t index) {
  uint32_t count = __atomic_load_n(&store->header->blocks.count, __ATOMIC_ACQUIRE);
  if (index < count) return true;
  uint64_t end = index - index % GROWTH_BLOCKS + GROWTH_BLOCKS;
  if (end > store->block_capacity) end = store->block_capacity;
  uint64_t offset = store->header->blocks.offset + (uint64_t)count * MAINSTAY_BLOCK_BYTES;
  if (store->file < 0 || reserve(store->file, offset, (end - count) * MAINSTAY_BLOCK_BYTES) != 0) return false;
  while (count < end && !__atomic_compare_exchange_n(&store->header->blocks.count, &count, (uint32_t)end, false,
                                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
  return true;
}

static void fold_block(mainstay_store *store, mainstay_block *block) {
  const mainstay_record *records = mainstay_block_records(block);
  for (uint32_t i = 0; i < block->used && i < MAINSTAY_RECORDS_PER_BLOCK; i++) {
    mainstay_store_fold(store, &records[i], block->base);
    __atomic_store_n(&block->folded, i + 1, __ATOMIC_RELEASE);
  }
  __atomic_fetch_add(&store->header->folded_records, block->used, __ATOMIC_RELAXED);
}

mainstay_block *mainstay_store_block(mainstay_store *store, uint32_t tid, uint64_t task, uint64_t now) {
  mainstay_header *header = store->header;
  uint64_t limit = store->block_capacity; // shrinks to what has storage when there is no more
  for (uint64_t tries = 0; tries <= 2 * (uint64_t)store->block_capacity; tries++) {
    uint64_t sequence = __atomic_fetch_add(&header->next_block, 1, __ATOMIC_RELAXED);
    if (limit == 0) return NULL;
    uint64_t index = sequence % limit;
    if (!grow(store, index)) {
      limit = __atomic_load_n(&header->blocks.count, __ATOMIC_ACQUIRE);
      continue;
    }
    mainstay_block *block = block_at(store, index);
    uint32_t state = __atomic_load_n(&block->state, __ATOMIC_ACQUIRE);
    if (state != MAINSTAY_BLOCK_FREE && state != MAINSTAY_BLOCK_FULL) continue;
    if (!__atomic_compare_exchange_n(&block->state, &state, MAINSTAY_BLOCK_FOLDING, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      continue;
    if (state == MAINSTAY_BLOCK_FULL)
      fold_block(store, block);
    else if (index % POPULATED_BLOCKS == 0) {
      uint64_t populated = limit - index < POPULATED_BLOCKS ? limit - index : POPULATED_BLOCKS;
#ifdef MADV_POPULATE_WRITE
      madvise(block, populated * MAINSTAY_BLOCK_BYTES, MADV_POPULATE_WRITE);
#endif
    }
    // What a reader may look at in between is "no records".
    __atomic_store_n(&block->used, 0, __ATOMIC_RELEASE);
    block->folded = 0;
    block->sequence = sequence;
    // Starts are counted from here in 48 bits, a day of ticks: from the recording's start as long as that fits.
    uint64_t started = header->started.ticks;
    block->base = now - started < (1ull << 47) ? started : now - (1ull << 46);
    block->tid = tid;
    block->task_high = (uint32_t)(task >> 32);
    __atomic_store_n(&block->state, MAINSTAY_BLOCK_ACTIVE, __ATOMIC_RELEASE);
    return block;
  }
  return NULL;
}

// MARK: Totals

static void raise_to(uint64_t *place, uint64_t value) {
  uint64_t old = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (old < value && !__atomic_compare_exchange_n(place, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

static mainstay_histogram *histogram(mainstay_store *store, uint32_t index, uint32_t *flag) {
  uint32_t state = __atomic_load_n(flag, __ATOMIC_ACQUIRE);
  if (__builtin_expect(state == 1, 1)) return &store->histograms[index];
  if (state == 0) {
    uint64_t offset = store->header->histograms.offset + (uint64_t)index * sizeof(mainstay_histogram);
    bool room = store->file >= 0 && reserve(store->file, offset, sizeof(mainstay_histogram)) == 0;
    state = room ? 1 : 2;
    __atomic_store_n(flag, state, __ATOMIC_RELEASE);
  }
  return state == 1 ? &store->histograms[index] : NULL;
}

void mainstay_store_fold(mainstay_store *store, const mainstay_record *record, uint64_t base) {
  uint8_t kind = record->kind_end & 15;
  if (kind < MAINSTAY_KIND_JOB || kind > MAINSTAY_KIND_BLOCK) return;
  mainstay_function *function = &store->functions[record->function];
  mainstay_total *total = &store->totals[record->function];
  uint64_t length = mainstay_span_ticks(record->length);
  __atomic_fetch_add(&total->count, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&total->ticks, length, __ATOMIC_RELAXED);
  if (length > __atomic_load_n(&total->worst, __ATOMIC_RELAXED)) {
    raise_to(&total->worst, length);
    __atomic_store_n(&total->worst_start, base + (record->start_executor >> 16), __ATOMIC_RELAXED);
  }
  uint32_t type = function->key ? (function->key & 0xffff) - 1 : 0;
  mainstay_executor_type *executor_type = &store->types[type];
  if (record->wait != MAINSTAY_SPAN_UNKNOWN) {
    uint64_t wait = mainstay_span_ticks(record->wait);
    __atomic_fetch_add(&total->waits, 1, __ATOMIC_RELAXED);
    raise_to(&total->worst_wait, wait);
    mainstay_histogram *waits = histogram(store, type, &executor_type->histogram);
    if (waits != NULL) __atomic_fetch_add(&waits->counts[mainstay_histogram_step(wait)], 1, __ATOMIC_RELAXED);
  }
  if (type == MAINSTAY_EXECUTOR_MAIN && kind != MAINSTAY_KIND_BLOCK) {
    mainstay_histogram *lengths =
        histogram(store, MAINSTAY_EXECUTOR_TYPES, &store->types[MAINSTAY_EXECUTOR_MAIN].length_histogram);
    if (lengths != NULL) __atomic_fetch_add(&lengths->counts[mainstay_histogram_step(length)], 1, __ATOMIC_RELAXED);
  }
}

// The main actor runs one thing at a time, so one thread at a time is here.
void mainstay_store_stall(mainstay_store *store, const mainstay_stall *stall) {
  mainstay_stall *place = NULL;
  if (store->stalls_used < MAINSTAY_STALLS)
    place = &store->stalls[store->stalls_used++];
  else {
    place = &store->stalls[0];
    for (uint32_t i = 1; i < MAINSTAY_STALLS; i++)
      if (store->stalls[i].length < place->length) place = &store->stalls[i];
    uint64_t displaced = place->length < stall->length ? place->length : stall->length;
    mainstay_header *header = store->header;
    uint64_t ticks = header->latest.ticks - header->started.ticks;
    uint64_t nanoseconds = header->latest.nanoseconds - header->started.nanoseconds;
    uint64_t length = ticks ? (uint64_t)((__uint128_t)displaced * nanoseconds / ticks) : 0;
    header->displaced_stalls += length > header->budget_nanoseconds;
    header->displaced_frames += length > 0 ? (length - 1) / header->frame_nanoseconds : 0;
    if (stall->length <= place->length) return;
  }
  __atomic_store_n(&place->start, 0, __ATOMIC_RELEASE); // no reader takes half of it
  uint64_t start = stall->start;
  mainstay_stall copy = *stall;
  copy.start = 0;
  *place = copy;
  __atomic_store_n(&place->start, start, __ATOMIC_RELEASE);
}
