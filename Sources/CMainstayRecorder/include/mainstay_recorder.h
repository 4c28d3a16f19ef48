// The recorder of Swift concurrency jobs. Preloaded into a program it starts by itself when the environment asks for
// it (Documentation/Environment.md); linked into one it is started by name. Where both are in one process, the preloaded
// one is first, and the linked one does not record beside it.
#ifndef MAINSTAY_RECORDER_H
#define MAINSTAY_RECORDER_H

#include "mainstay_trace.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct mainstay_options {
  const char *path;           // the file to write; it must not exist
  uint64_t memory_bytes;      // for the recording; 0: 64 MiB
  uint64_t frame_nanoseconds; // 0: 60 Hz
  uint64_t budget_nanoseconds; // 0: one frame
} mainstay_options;

/// Starts recording this process. Returns MAINSTAY_OK, or why nothing is recorded; the process runs on either way.
/// MAINSTAY_ALREADY_RECORDING: mainstay_recorder_here() says who does. One thread at a time may start or stop.
mainstay_status mainstay_recorder_start(const mainstay_options *options);
/// Stops recording, and completes the file. Does nothing when nothing is recorded. A recording that follows has a file
/// of its own.
void mainstay_recorder_stop(void);
/// The file that this recorder writes; NULL when it does not record.
const char *mainstay_recorder_path(void);

#define MAINSTAY_SCOPE_JOBS 8u

/// A main-actor job or main-queue block of a scope: of a task, and of everything that it and its descendants began.
typedef struct mainstay_scope_job {
  uint64_t start;            // ticks, as in a stall and its samples
  uint64_t run_nanoseconds;  // running or blocked: without the time in which it waited for a processor
  uint64_t wall_nanoseconds; // with it
  uint64_t function;         // the address of the function that it began or resumed in
  uint64_t task;
  uint16_t origin; // index of where its task was created
  uint8_t kind;    // mainstay_kind
} mainstay_scope_job;

typedef struct mainstay_scope_report {
  uint64_t jobs;           // that have ended
  uint64_t over;           // of these, over the budget by their own run time
  uint64_t dropped_frames; // ceil(T/Tf) - 1 for each, where Tf is the budget
  uint64_t created;        // tasks
  uint64_t live;           // tasks and main-queue blocks that it began and that have not ended
  uint64_t busy;           // of its jobs, queued or running, without the caller's own
  uint32_t kept;           // of `longest`, in no order
  mainstay_scope_job longest[MAINSTAY_SCOPE_JOBS];
} mainstay_scope_report;

#define MAINSTAY_RECORDER_INTERFACE 1u

/// How a recorder is used by whatever else is in the process. The preloaded one exports its own under the name
/// `mainstay_recorder_preloaded`.
typedef struct mainstay_recorder_interface {
  uint32_t version; // MAINSTAY_RECORDER_INTERFACE: of another one only `path` may be used
  const char *(*path)(void);
  /// Opens a scope for the task that calls; 0 when it cannot be seen whole. `previous` is for `scope_close`, which must be
  /// called in the same task.
  uint32_t (*scope_open)(uint64_t budget_nanoseconds, uint64_t *previous);
  void (*scope_close)(uint32_t scope, uint64_t previous);
  /// What is known of a scope that has not been closed, from any thread. False when its recording was stopped.
  bool (*scope_report)(uint32_t scope, mainstay_scope_report *report);
} mainstay_recorder_interface;

/// The recorder that records this process, preloaded or linked; NULL when none does.
const mainstay_recorder_interface *mainstay_recorder_here(void);

#endif
