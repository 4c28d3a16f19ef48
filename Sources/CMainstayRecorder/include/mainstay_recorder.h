// The recorder of Swift concurrency jobs. Preloaded into a program it starts by itself when the environment asks for
// it (Documentation/Environment.md); linked into one it is started by name. Where both are in one process, the preloaded
// one is first, and the linked one does not record beside it.
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
/// MAINSTAY_ALREADY_RECORDING: mainstay_recorder_here() says who does. One thread at a time may start or stop.
mainstay_status mainstay_recorder_start(const mainstay_options *options);
/// Stops recording, and completes the file. Does nothing when nothing is recorded. A recording that follows has a file
/// of its own.
void mainstay_recorder_stop(void);
/// The file that this recorder writes; NULL when it does not record.
const char *mainstay_recorder_path(void);

#define MAINSTAY_RECORDER_INTERFACE 1u

/// How a recorder is used by whatever else is in the process. The preloaded one exports its own under the name
/// `mainstay_recorder_preloaded`.
typedef struct mainstay_recorder_interface {
  uint32_t version; // MAINSTAY_RECORDER_INTERFACE: of another one only `path` may be used
  const char *(*path)(void);
} mainstay_recorder_interface;

/// The recorder that records this process, preloaded or linked; NULL when none does.
const mainstay_recorder_interface *mainstay_recorder_here(void);

#endif
