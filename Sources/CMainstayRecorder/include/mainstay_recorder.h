// The recorder of Swift concurrency jobs. Preloaded into a program it starts by itself when the environment asks for
// it (Documentation/Environment.md); linked into one it is started by name.
#ifndef MAINSTAY_RECORDER_H
#define MAINSTAY_RECORDER_H

#include <stdint.h>

typedef enum mainstay_status {
  MAINSTAY_OK = 0,
  MAINSTAY_NO_RUNTIME = 1,         // no Swift concurrency runtime in this process
  MAINSTAY_UNKNOWN_LAYOUT = 2,     // a runtime whose layout is not known: nothing is recorded
  MAINSTAY_STRIPPED_RUNTIME = 3,   // the runtime is there, its symbols are not
  MAINSTAY_THREAD_SANITIZER = 4,   // ThreadSanitizer uses the hooks that the recorder needs
  MAINSTAY_CANNOT_WRITE = 5,       // the file could not be made or has no room
  MAINSTAY_ALREADY_RECORDING = 6,  // another recorder of this process came first
  MAINSTAY_UNSUPPORTED_CLOCK = 7,  // the time stamp counter of this processor does not run evenly
  MAINSTAY_UNSUPPORTED_PLATFORM = 8,
} mainstay_status;

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
/// What a status means, in a clause for a person.
const char *mainstay_status_text(mainstay_status status);

#endif
