#define _GNU_SOURCE
#include "stretch.h"

#include <string.h>

mainstay_recorder mainstay_the;

void mainstay_clock_update(void) {
  mainstay_header *header = mainstay_the.store.header;
  uint64_t ticks = mainstay_ticks(), nanoseconds = mainstay_nanoseconds();
  header->latest = (mainstay_clock){ticks, nanoseconds};
  uint64_t elapsed = nanoseconds - header->started.nanoseconds;
  uint64_t limit = header->budget_nanoseconds < header->frame_nanoseconds ? header->budget_nanoseconds : header->frame_nanoseconds;
  // Stretches are kept as stalls from three quarters of the limit: the reader, who knows the clock best, decides.
  if (elapsed > 100000)
    mainstay_the.hot.stall_ticks = (uint64_t)((__uint128_t)limit * 3 / 4 * (ticks - header->started.ticks) / elapsed);
}

MAINSTAY_RARE void mainstay_stretch_keep_stall(mainstay_end end, uint64_t length) {
  mainstay_clock_update();
  if (length < mainstay_the.hot.stall_ticks) return;
  mainstay_thread *open = mainstay_self.slot;
  mainstay_stall stall = {.start = open->whole, .length = length, .wait = open->wait, .task = open->task,
                          .function = open->function, .origin = open->origin, .kind = open->kind,
                          .priority = open->priority, .end = (uint8_t)end, .tid = open->tid};
  mainstay_store_stall(&mainstay_the.store, &stall);
}

MAINSTAY_RARE void mainstay_stretch_lost(mainstay_end end, uint64_t length) {
  const mainstay_thread *open = mainstay_self.slot;
  mainstay_record lost = {.kind_end = (uint8_t)(open->kind | end << 4), .function = open->function,
                          .length = mainstay_span(length),
                          .wait = open->wait == UINT64_MAX ? MAINSTAY_SPAN_UNKNOWN : mainstay_span(open->wait)};
  mainstay_store_fold(&mainstay_the.store, &lost, open->start);
  mainstay_header *header = mainstay_the.store.header;
  __atomic_fetch_add(&header->folded_records, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&header->lost_records, 1, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void mainstay_stretch_end(mainstay_end end, uint64_t now) { mainstay_stretch_close(end, now); }

MAINSTAY_RARE void mainstay_stretch_interrupt(uintptr_t frame, uint64_t now) {
  if (frame >= mainstay_self.frame) {
    mainstay_stretch_end(MAINSTAY_END_NEXT, now);
    return;
  }
  mainstay_thread *open = mainstay_self.slot;
  if (mainstay_self.depth < MAINSTAY_NESTED)
    mainstay_self.outer[mainstay_self.depth] = (mainstay_outer){mainstay_self.job, mainstay_self.frame, open->task, open->whole, open->function, open->executor,
                                       open->origin, mainstay_self.type,
                                       open->kind == MAINSTAY_KIND_JOB ? MAINSTAY_KIND_INLINE : open->kind,
                                       open->priority, mainstay_self.scope, mainstay_self.before};
  mainstay_self.depth++;
  mainstay_stretch_end(MAINSTAY_END_INTERRUPTED, now);
}

MAINSTAY_RARE void mainstay_stretch_take_up(uint64_t now) {
  mainstay_self.depth--;
  if (mainstay_self.depth >= MAINSTAY_NESTED) return;
  const mainstay_outer *outer = &mainstay_self.outer[mainstay_self.depth];
  mainstay_thread *open = mainstay_self.slot;
  mainstay_self.job = outer->job;
  mainstay_self.frame = outer->frame;
  mainstay_self.type = outer->type;
  open->job = (uint64_t)outer->job;
  open->task = outer->task;
  open->function = outer->function;
  open->executor = outer->executor;
  open->origin = outer->origin;
  open->kind = outer->kind;
  open->priority = outer->priority;
  open->whole = outer->whole;
  open->wait = UINT64_MAX;
  if (mainstay_unlikely(outer->scope != 0)) {
    mainstay_self.before = outer->before;
    mainstay_scope_entered(outer->scope, false);
  }
  __atomic_store_n(&open->start, now, __ATOMIC_RELEASE);
}
