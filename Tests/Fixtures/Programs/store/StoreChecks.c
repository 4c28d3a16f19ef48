// Drives the recorder's store the way threads of a program do, and compares what it keeps and folds with what was
// written. The first argument names the check. Prints what is wrong, and exits with 1; says nothing when all is well.
#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRITERS 8
#define FUNCTIONS 12

static mainstay_store store;
static int failures;

#define CHECK(condition, ...)                                                                                          \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: ", #condition, __LINE__);                                                                         \
      printf(__VA_ARGS__);                                                                                             \
      printf("\n");                                                                                                    \
      failures++;                                                                                                      \
    }                                                                                                                  \
  } while (0)

typedef struct {
  uint64_t count, ticks, worst, waits, worst_wait;
} truth;

static void add(truth *to, uint64_t length, uint32_t wait) {
  to->count++;
  to->ticks += length;
  if (length > to->worst) to->worst = length;
  if (wait == MAINSTAY_SPAN_UNKNOWN) return;
  to->waits++;
  if (mainstay_span_ticks(wait) > to->worst_wait) to->worst_wait = mainstay_span_ticks(wait);
}

static void merge(truth *to, const truth *from) {
  to->count += from->count;
  to->ticks += from->ticks;
  if (from->worst > to->worst) to->worst = from->worst;
  to->waits += from->waits;
  if (from->worst_wait > to->worst_wait) to->worst_wait = from->worst_wait;
}

static uint64_t next_random(uint64_t *state) {
  uint64_t mixed = *state += 0x9e3779b97f4a7c15ull;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
  return mixed ^ mixed >> 31;
}

typedef struct {
  pthread_t thread;
  uint32_t tid;
  uint64_t records;
  uint64_t without_block;
  truth functions[FUNCTIONS];
} writer;

static uint16_t function_of(uint64_t number) {
  // Some on the pool, some on the main actor, some of them blocks.
  uint32_t key = 1 + (uint32_t)(number % 2) + (number % 6 == 5 ? MAINSTAY_FUNCTION_BLOCK : 0);
  return mainstay_store_function(&store, 0x1000 + number, key);
}

static void *write_records(void *argument) {
  writer *w = argument;
  mainstay_thread *slot = mainstay_store_thread(&store, w->tid);
  if (slot == NULL) return NULL;
  uint64_t state = w->tid;
  mainstay_block *block = NULL;
  uint32_t used = MAINSTAY_RECORDS_PER_BLOCK;
  for (uint64_t i = 0; i < w->records; i++) {
    uint64_t number = next_random(&state) % FUNCTIONS;
    uint16_t function = function_of(number);
    // Every octave, so that spans that lose bits occur too.
    uint64_t length = next_random(&state) >> (24 + next_random(&state) % 40);
    uint32_t wait = next_random(&state) % 4 ? mainstay_span(next_random(&state) >> (24 + next_random(&state) % 40))
                                            : MAINSTAY_SPAN_UNKNOWN;
    mainstay_record record = {.kind_end = (uint8_t)(number % 6 == 5 ? MAINSTAY_KIND_BLOCK : MAINSTAY_KIND_JOB),
                              .function = function, .task = (uint32_t)i, .start_executor = i << 16,
                              .length = mainstay_span(length), .wait = wait};
    add(&w->functions[number], mainstay_span_ticks(record.length), wait);
    if (used == MAINSTAY_RECORDS_PER_BLOCK) {
      if (block != NULL) mainstay_store_retire(block, used);
      slot->block = 0;
      block = mainstay_store_block(&store, w->tid, 0, store.header->started.ticks + i);
      if (block != NULL) slot->block = (uint32_t)(((char *)block - store.blocks) / MAINSTAY_BLOCK_BYTES) + 1;
      used = 0;
    }
    if (block == NULL) {
      mainstay_store_fold(&store, &record, store.header->started.ticks);
      used = MAINSTAY_RECORDS_PER_BLOCK;
      w->without_block++;
      continue;
    }
    mainstay_block_records(block)[used++] = record;
    slot->used = used;
  }
  mainstay_store_thread_ended(&store, slot);
  return NULL;
}

static void open_store(const char *path, uint64_t memory) {
  if (!mainstay_store_open(&store, path, memory)) {
    printf("the store cannot be opened: %s\n", strerror(errno));
    exit(1);
  }
  store.header->started.ticks = 1000;
  mainstay_store_type(&store, NULL, MAINSTAY_EXECUTOR_MAIN, "MainActor");
}

// What is in the totals and in the blocks together must be what was written; the histograms hold what was folded.
static void compare(const writer *writers, int count) {
  truth written[FUNCTIONS] = {0}, all = {0};
  for (int w = 0; w < count; w++)
    for (int f = 0; f < FUNCTIONS; f++) merge(&written[f], &writers[w].functions[f]);
  for (int f = 0; f < FUNCTIONS; f++) merge(&all, &written[f]);
  truth found[FUNCTIONS] = {0};
  uint64_t kept = 0, folded = 0, folded_waits = 0, folded_lengths = 0, counted_waits = 0, counted_lengths = 0;
  for (uint32_t i = 0; i < MAINSTAY_FUNCTIONS; i++) {
    const mainstay_total *total = &store.totals[i];
    if (total->count == 0) continue;
    folded += total->count;
    folded_waits += total->waits;
    uint64_t number = store.functions[i].address - 0x1000;
    CHECK(number < FUNCTIONS, "totals of a function that nobody wrote: %u", i);
    if (number >= FUNCTIONS) continue;
    if (number % 2 == 1 && number % 6 != 5) folded_lengths += total->count;
    truth part = {total->count, total->ticks, total->worst, total->waits, total->worst_wait};
    merge(&found[number], &part);
  }
  for (uint32_t b = 0; b < store.header->blocks.count; b++) {
    mainstay_block *block = (mainstay_block *)(store.blocks + (uint64_t)b * MAINSTAY_BLOCK_BYTES);
    CHECK(block->state == MAINSTAY_BLOCK_FREE || block->state == MAINSTAY_BLOCK_FULL, "block %u is in state %u", b,
          block->state);
    if (block->state != MAINSTAY_BLOCK_FULL) continue;
    for (uint32_t i = 0; i < block->used; i++) {
      const mainstay_record *record = &mainstay_block_records(block)[i];
      uint64_t number = store.functions[record->function].address - 0x1000;
      kept++;
      if (number < FUNCTIONS) add(&found[number], mainstay_span_ticks(record->length), record->wait);
    }
  }
  for (uint32_t h = 0; h < 2; h++)
    if (store.types[h].histogram == 1)
      for (uint32_t s = 0; s < MAINSTAY_HISTOGRAM_STEPS; s++) counted_waits += store.histograms[h].counts[s];
  if (store.types[1].length_histogram == 1)
    for (uint32_t s = 0; s < MAINSTAY_HISTOGRAM_STEPS; s++)
      counted_lengths += store.histograms[MAINSTAY_EXECUTOR_TYPES].counts[s];
  for (int f = 0; f < FUNCTIONS; f++)
    CHECK(memcmp(&written[f], &found[f], sizeof(truth)) == 0,
          "function %d: %lu records of %lu ticks, worst %lu, %lu waits, worst %lu; found %lu, %lu, %lu, %lu, %lu", f,
          written[f].count, written[f].ticks, written[f].worst, written[f].waits, written[f].worst_wait, found[f].count,
          found[f].ticks, found[f].worst, found[f].waits, found[f].worst_wait);
  CHECK(kept + folded == all.count, "%lu kept and %lu folded are not the %lu written", kept, folded, all.count);
  CHECK(folded > all.count / 4, "only %lu of %lu were folded: this check checks nothing", folded, all.count);
  CHECK(counted_waits == folded_waits, "%lu waits folded, %lu in the histograms", folded_waits, counted_waits);
  CHECK(counted_lengths == folded_lengths, "%lu lengths folded, %lu in the histogram", folded_lengths, counted_lengths);
}

static void run_writers(writer *writers, int count, uint64_t records) {
  for (int w = 0; w < count; w++) {
    writers[w].tid = (uint32_t)w + 1;
    writers[w].records = records;
    pthread_create(&writers[w].thread, NULL, write_records, &writers[w]);
  }
  for (int w = 0; w < count; w++) pthread_join(writers[w].thread, NULL);
}

static void fold(const char *path) {
  static writer writers[1];
  open_store(path, 4u << 20);
  run_writers(writers, 1, 400000);
  compare(writers, 1);
  uint64_t folded = store.header->folded_records;
  CHECK(folded % MAINSTAY_RECORDS_PER_BLOCK == 0 && folded > 0, "%lu records folded", folded);
  CHECK(store.header->lost_threads == 0, "a thread found no slot");
}

static void hammer(const char *path) {
  static writer writers[WRITERS];
  open_store(path, 4u << 20);
  run_writers(writers, WRITERS, 150000);
  compare(writers, WRITERS);
}

// No storage beyond the tables and the histograms: every record goes straight to the totals.
static void no_room(const char *path) {
  static writer writers[2];
  open_store(path, 4u << 20);
  // As on a disk that filled up: nothing more can be reserved.
  close(store.file);
  store.file = -1;
  run_writers(writers, 2, 20000);
  uint64_t count = 0;
  for (uint32_t i = 0; i < MAINSTAY_FUNCTIONS; i++) count += store.totals[i].count;
  CHECK(store.header->blocks.count == 0, "%u blocks have storage", store.header->blocks.count);
  CHECK(writers[0].without_block == 20000 && writers[1].without_block == 20000, "blocks were had");
  CHECK(count == 40000, "%lu of 40000 records are in the totals", count);
  CHECK(store.types[0].histogram == 2, "a histogram without storage must say so");
}

static void *find_all(void *argument) {
  uint64_t *sum = argument;
  for (uint64_t i = 0; i < 3000; i++) {
    uint16_t type = mainstay_store_type(&store, (void *)(0x10000 + i % 40 * 8), MAINSTAY_EXECUTOR_ACTOR, "Actor");
    uint16_t executor = mainstay_store_executor(&store, (void *)(0x200000 + i * 64), type, true);
    uint16_t function = mainstay_store_function(&store, 0x300000 + i % 500 * 16, 1u + type);
    uint64_t callers[3] = {0x400000 + i % 700 * 4, 7, 0};
    uint16_t origin = mainstay_store_origin(&store, callers);
    CHECK(type >= 2 && executor > 0 && function > 0 && origin > 0, "the tables are full");
    CHECK(__atomic_load_n(&store.types[type].metadata, __ATOMIC_ACQUIRE) == 0x10000 + i % 40 * 8, "another's type");
    CHECK(__atomic_load_n(&store.executors[executor].identity, __ATOMIC_ACQUIRE) == 0x200000 + i * 64, "another's executor");
    CHECK(__atomic_load_n(&store.functions[function].key, __ATOMIC_ACQUIRE) == 1u + type, "another's function");
    sum[0] += type;
  }
  return NULL;
}

// Threads that look up the same things find the same entries.
static void tables(const char *path) {
  open_store(path, 4u << 20);
  pthread_t threads[WRITERS];
  uint64_t sums[WRITERS] = {0};
  for (int t = 0; t < WRITERS; t++) pthread_create(&threads[t], NULL, find_all, &sums[t]);
  for (int t = 0; t < WRITERS; t++) pthread_join(threads[t], NULL);
  for (int t = 1; t < WRITERS; t++) CHECK(sums[t] == sums[0], "two threads found other types");
  uint32_t types = 0;
  for (uint32_t i = 2; i < MAINSTAY_EXECUTOR_TYPES; i++) types += store.types[i].ready;
  CHECK(types == 40, "%u types, not 40", types);
  // The tables have an end; what finds no place is counted, and has index 0.
  uint32_t refused = 0;
  for (uint64_t i = 0; i < 2 * MAINSTAY_EXECUTORS; i++)
    refused += mainstay_store_executor(&store, (void *)(0x9000000 + i * 32), 2, true) == 0;
  CHECK(refused > 0 && store.header->lost_executors == refused, "%u refused, %lu counted", refused,
        store.header->lost_executors);
  refused = 0;
  for (uint64_t i = 0; i < 2 * MAINSTAY_FUNCTIONS; i++) refused += mainstay_store_function(&store, 0x8000000 + i, 1) == 0;
  CHECK(refused > 0 && store.header->lost_functions == refused, "%u refused, %lu counted", refused,
        store.header->lost_functions);
  refused = 0;
  for (uint64_t i = 0; i < 2 * MAINSTAY_EXECUTOR_TYPES; i++)
    refused += mainstay_store_type(&store, (void *)(0x7000000 + i * 8), MAINSTAY_EXECUTOR_ACTOR, "More") == 0;
  CHECK(refused == 2 * MAINSTAY_EXECUTOR_TYPES - (MAINSTAY_EXECUTOR_TYPES - 2 - 40), "%u types refused", refused);
  // Slots of threads are used again.
  for (uint32_t i = 0; i < 3 * MAINSTAY_THREADS; i++) {
    mainstay_thread *slot = mainstay_store_thread(&store, i + 1);
    CHECK(slot != NULL, "no slot for thread %u", i);
    if (slot != NULL) mainstay_store_thread_ended(&store, slot);
  }
  for (uint32_t i = 0; i < MAINSTAY_THREADS; i++) CHECK(mainstay_store_thread(&store, i + 1) != NULL, "slot %u", i);
  CHECK(mainstay_store_thread(&store, 1) == NULL && store.header->lost_threads == 1, "a slot too many");
}

// Of many stalls the longest stay, and the frames of the others are counted.
static void stalls(const char *path) {
  open_store(path, 4u << 20);
  mainstay_header *header = store.header;
  header->started = (mainstay_clock){1000, 1000};
  header->latest = (mainstay_clock){1000 + 1000000000, 1000 + 1000000000}; // a tick is a nanosecond
  header->frame_nanoseconds = header->budget_nanoseconds = 10000000;
  uint64_t state = 3, frames = 0;
  static uint64_t lengths[4 * MAINSTAY_STALLS];
  for (uint32_t i = 0; i < 4 * MAINSTAY_STALLS; i++) {
    lengths[i] = 10000001 + next_random(&state) % 90000000;
    frames += (lengths[i] - 1) / 10000000;
    mainstay_stall stall = {.start = 2000 + i, .length = lengths[i]};
    mainstay_store_stall(&store, &stall);
  }
  uint64_t kept = 0, shortest = UINT64_MAX, longer = 0;
  for (uint32_t i = 0; i < MAINSTAY_STALLS; i++) {
    kept += (store.stalls[i].length - 1) / 10000000;
    if (store.stalls[i].length < shortest) shortest = store.stalls[i].length;
    CHECK(store.stalls[i].length == lengths[store.stalls[i].start - 2000], "a stall with another's start");
  }
  for (uint32_t i = 0; i < 4 * MAINSTAY_STALLS; i++) longer += lengths[i] > shortest;
  CHECK(longer < MAINSTAY_STALLS, "%lu are longer than the shortest that was kept", longer);
  CHECK(kept + header->displaced_frames == frames, "%lu kept and %lu displaced frames of %lu", kept,
        header->displaced_frames, frames);
  CHECK(header->displaced_stalls == 3 * MAINSTAY_STALLS, "%lu stalls displaced", header->displaced_stalls);
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  const struct {
    const char *name;
    void (*check)(const char *);
  } checks[] = {{"fold", fold}, {"hammer", hammer}, {"no-room", no_room}, {"tables", tables}, {"stalls", stalls}};
  for (unsigned i = 0; i < sizeof checks / sizeof *checks; i++)
    if (strcmp(arguments[1], checks[i].name) == 0) {
      checks[i].check(arguments[2]);
      mainstay_store_close(&store, true);
      unlink(arguments[2]);
      return failures > 0;
    }
  return 64;
}
