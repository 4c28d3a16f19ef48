// The recording as the recorder writes it: the mapped file, its tables, its blocks, and how full blocks are folded.
// Nothing here locks, allocates or waits, except mainstay_store_open; all of it may be called from any thread.
#ifndef MAINSTAY_STORE_H
#define MAINSTAY_STORE_H

#include "mainstay_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mainstay_store {
  int file;
  char *bytes;
  uint64_t size;
  mainstay_header *header;
  mainstay_thread *threads;
  mainstay_executor_type *types;
  mainstay_executor *executors;
  mainstay_function *functions;
  mainstay_total *totals;
  mainstay_origin *origins;
  mainstay_stall *stalls;
  mainstay_sample *samples;
  mainstay_gap *gaps;
  mainstay_starvation *starvations;
  mainstay_boundary *boundaries;
  char *modules;
  char *blocks;
  mainstay_histogram *histograms;
  uint32_t block_capacity;
  uint32_t growing;     // 1 while a thread gives storage to more blocks
  uint32_t stalls_used;
  uint32_t threads_used; // slots from here on never were
} mainstay_store;

/// Makes the file and its tables. False, with `errno` set, when it cannot be made or has no room.
bool mainstay_store_open(mainstay_store *store, const char *path, uint64_t memory_bytes);
void mainstay_store_close(mainstay_store *store, bool keep);
/// Gives back what a closed store has mapped. Threads that still hold places in it may go on writing there.
void mainstay_store_release(mainstay_store *store);

/// Index of the type, of the executor, of the function on a type of executor, of the origin: found or added. 0 when the
/// table is full.
uint16_t mainstay_store_type(mainstay_store *store, const void *metadata, mainstay_executor_kind kind, const char *name);
uint16_t mainstay_store_executor(mainstay_store *store, const void *identity, uint16_t type, bool settled);
uint16_t mainstay_store_function(mainstay_store *store, uint64_t address, uint32_t key);
uint16_t mainstay_store_origin(mainstay_store *store, const uint64_t callers[3]);

/// A slot for the calling thread; NULL when there is none.
mainstay_thread *mainstay_store_thread(mainstay_store *store, uint32_t tid);
void mainstay_store_thread_ended(mainstay_store *store, mainstay_thread *thread);

/// A block to write, owned by the caller until it is retired; NULL when none can be had.
mainstay_block *mainstay_store_block(mainstay_store *store, uint32_t tid, uint64_t task, uint64_t now);
static inline void mainstay_store_retire(mainstay_block *block, uint32_t used) {
  block->used = used;
  __atomic_store_n(&block->state, MAINSTAY_BLOCK_FULL, __ATOMIC_RELEASE);
}
static inline mainstay_record *mainstay_block_records(mainstay_block *block) { return (mainstay_record *)(block + 1); }

/// Adds a record to the totals, for one that will be overwritten, or that found no block.
void mainstay_store_fold(mainstay_store *store, const mainstay_record *record, uint64_t base);
/// Keeps a stall; when the table is full the shortest gives way.
void mainstay_store_stall(mainstay_store *store, const mainstay_stall *stall);

/// Writes what a boundary has seen, found by its kind and texts or added. May wait for another thread that does so.
void mainstay_store_boundary(mainstay_store *store, uint32_t kind, const char *name, const char *contract, const char *file,
                             uint32_t line, const uint64_t counts[MAINSTAY_BOUNDARY_COUNTS], const char *queues);

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t mainstay_nanoseconds(void);

#endif
