// Executing another program, whose first moments must not get a signal that was meant for this one: it would find no
// handler in the new one, and end it.
#define _GNU_SOURCE
#include "interpose.h"

#include "watcher.h"

#include <unistd.h>

// Not in a child of vfork, which has its parent's memory and would hold it for ever.
#define HOLDING(call)                                                                                                  \
  bool own = mainstay_is_on() && mainstay_the.store.header->pid == (uint32_t)getpid();                                 \
  if (own) mainstay_watcher_hold();                                                                                    \
  int result = call;                                                                                                   \
  if (own) mainstay_watcher_release();                                                                                 \
  return result;

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[]) {
  NEXT(execve)
  HOLDING(next(path, arguments, environment))
}
EXPORTED int execv(const char *path, char *const arguments[]) {
  NEXT(execv)
  HOLDING(next(path, arguments))
}
EXPORTED int execvp(const char *file, char *const arguments[]) {
  NEXT(execvp)
  HOLDING(next(file, arguments))
}
EXPORTED int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  NEXT(execvpe)
  HOLDING(next(file, arguments, environment))
}
EXPORTED int fexecve(int file, char *const arguments[], char *const environment[]) {
  NEXT(fexecve)
  HOLDING(next(file, arguments, environment))
}
