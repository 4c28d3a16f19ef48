// Demangling where a name that the demangler does not survive ends nobody else: in a child of this process.
//
// The Swift runtime's demangler stops its process on some names that no compiler writes, and asks for all the memory
// there is on others. Which they are, only a demangler can tell. So names of files that were not made here are given to a
// child, which answers each, and whose end answers that one.
#ifndef MAINSTAY_DEMANGLING_H
#define MAINSTAY_DEMANGLING_H

#include <stdint.h>
#include <sys/types.h>

/// What stands for "this is no mangled name" in the place of a length.
#define MAINSTAY_NOT_MANGLED 0xffffffffu

/// Starts a child that demangles: a copy of this process, in which nothing but the demangler runs, with no file but the
/// socket, a quarter of a gigabyte to use, and no signal but those that its own faults cause.
///
/// To the socket go names, each its length in bytes (`uint32_t`) and its bytes; the child answers each in the same form,
/// or with MAINSTAY_NOT_MANGLED alone. It ends when the socket is closed.
///
/// Returns the socket, which the caller closes before it waits for `process`; -1, with `errno`, when no child could be
/// started, or this is not Linux.
int mainstay_demangler_start(pid_t *process);

#endif
