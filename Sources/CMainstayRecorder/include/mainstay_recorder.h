// The recorder of Swift concurrency jobs. Preloaded into a program it starts by itself when the environment asks for
// it (Documentation/Environment.md); linked into one it is started by name.
#ifndef MAINSTAY_RECORDER_H
#define MAINSTAY_RECORDER_H

#include "mainstay_trace.h"

#include <stdint.h>

typedef struct mainstay_options {
  const char *path;           // the file to write; it must not exist
  uint64_t memory_bytes;      // for the recording; 0: 64 MiB
  uint64_t frame_nanoseconds; // 0: 60 Hz
  uint64_t budget_nanoseconds; // 0: one frame
} mainstay_options;

/// Starts recording this process. Returns MAINSTAY_OK, or why nothing is recorded; the process runs on either way.
mainstay_status mainstay_recorder_start(const mainstay_options *options);
/// Stops recording, and completes the file. Does nothing when nothing is recorded.
void mainstay_recorder_stop(void);

#endif
