// What boundaries of the library have seen: they count for themselves, and are asked a few times a second, so that a
// callback costs nothing more when it is recorded.
#define _GNU_SOURCE
#include "boundaries.h"

#include "jobs.h"

#define EXPORTED __attribute__((visibility("default")))

static void (*tell_all)(void);

EXPORTED void mainstay_boundary_tell(uint32_t kind, const char *name, const char *contract, const char *file, uint32_t line,
                                     const uint64_t *counts, const char *queues) {
  if (!mainstay_is_on()) return;
  mainstay_store_boundary(&mainstay_the.store, kind, name, contract, file, line, counts, queues);
}

EXPORTED void mainstay_boundaries_ask(void (*function)(void)) { __atomic_store_n(&tell_all, function, __ATOMIC_RELEASE); }

void mainstay_boundaries_note(void) {
  void (*tell)(void) = __atomic_load_n(&tell_all, __ATOMIC_ACQUIRE);
  if (tell != NULL) tell();
}
