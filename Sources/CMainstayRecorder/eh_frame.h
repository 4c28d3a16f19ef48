// The tables of .eh_frame, read out of a loaded file: which function an address is in, and the instructions that say
// where its caller's registers are. Nothing outside the file is read, whatever it holds.
#ifndef MAINSTAY_EH_FRAME_H
#define MAINSTAY_EH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of a loaded file. What is read past the end is zero, and remembered.
typedef struct mainstay_bytes {
  const uint8_t *at, *end;
  bool bad;
} mainstay_bytes;

uint64_t mainstay_bytes_fixed(mainstay_bytes *bytes, size_t size);
int64_t mainstay_bytes_signed(mainstay_bytes *bytes, size_t size);
uint64_t mainstay_bytes_uleb(mainstay_bytes *bytes);
int64_t mainstay_bytes_sleb(mainstay_bytes *bytes);
/// The next so many of them, which are then read.
mainstay_bytes mainstay_bytes_part(mainstay_bytes *bytes, uint64_t size);

/// What the tables say of one function.
typedef struct mainstay_function_table {
  uintptr_t start, end;
  bool is_signal; // the frame that the kernel makes for a signal's handler: what it interrupted was no call
  uint64_t code_step;
  int64_t data_step;
  mainstay_bytes common, own; // instructions: those that many functions share, then its own
} mainstay_function_table;

/// Looks up what the loader offers. Before anything else here, and not in a signal handler.
void mainstay_eh_frame_prepare(void);
/// Whether an address is in the code or data of a loaded file; true when the loader cannot tell.
bool mainstay_eh_frame_is_loaded(uintptr_t address);
bool mainstay_eh_frame_find(uintptr_t address, mainstay_function_table *table);

#endif
