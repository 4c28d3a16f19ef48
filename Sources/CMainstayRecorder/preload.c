// The preloaded recorder: starts by itself when the environment asks for it (Documentation/Environment.md), and is found
// by one that is linked into the same program. SwiftPM does not compile this file, for a linked one starts by name.
#define _GNU_SOURCE
#include "scope.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

__attribute__((visibility("default"))) const mainstay_recorder_interface mainstay_recorder_preloaded = MAINSTAY_RECORDER_INTERFACE_HERE;

static uint64_t number(const char *name) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : 0;
}

// A field of the list: what separates fields and lines is written as C writes it, for a path may hold anything.
// Returns where the next one begins; beyond the room when it does not fit.
static size_t put_field(char *line, size_t at, size_t room, const char *text, char end) {
  for (; *text != 0; text++) {
    char letter = *text == '\t' ? 't' : *text == '\n' ? 'n' : *text == '\\' ? '\\' : 0;
    if (letter != 0 && at < room) line[at] = '\\';
    if (letter != 0) at++;
    if (at < room) line[at] = letter != 0 ? letter : *text;
    at++;
  }
  if (at < room) line[at] = end;
  return at + 1;
}

// One line for each process of the tree: who it is, and whether it is recorded. Appended in one write, which the kernel
// does not mix with others'.
static void announce(mainstay_status status, const char *path) {
  const char *list = getenv("MAINSTAY_PROCESSES");
  if (list == NULL) return;
  int file = open(list, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  char line[7168], executable[1100];
  ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[length > 0 ? length : 0] = 0;
  size_t size = (size_t)snprintf(line, sizeof line, "%d\t%d\t%d\t", (int)getpid(), (int)getppid(), (int)status);
  size = put_field(line, size, sizeof line, executable, '\t');
  size = put_field(line, size, sizeof line, path, '\t');
  size = put_field(line, size, sizeof line, program_invocation_short_name, '\n');
  if (size <= sizeof line && write(file, line, size) != (ssize_t)size) { /* it stays unlisted */ }
  close(file);
}

static bool path_for_this_process(const char *path, char *own, size_t room) {
  // The program itself gets the path as it is, its children theirs with the process id.
  int size = getppid() == (int)number("MAINSTAY_PARENT") && access(path, F_OK) != 0
                 ? snprintf(own, room, "%s", path)
                 : snprintf(own, room, "%s.%d", path, (int)getpid());
  if (size < 0 || (size_t)size >= room) return false;
  // A process that executes another program keeps its id.
  for (int again = 2; access(own, F_OK) == 0 && again < 100; again++)
    snprintf(own, room, "%s.%d.%d", path, (int)getpid(), again);
  return true;
}

__attribute__((constructor)) static void start_when_asked(void) {
  const char *path = getenv("MAINSTAY_RECORDING");
  if (path == NULL || *path == 0) return;
  char own[2048] = "";
  mainstay_status status = MAINSTAY_CANNOT_WRITE;
  if (path_for_this_process(path, own, sizeof own)) {
    mainstay_options options = {own, number("MAINSTAY_MEMORY"), number("MAINSTAY_FRAME"), number("MAINSTAY_BUDGET")};
    status = mainstay_recorder_start(&options);
  }
  announce(status, status == MAINSTAY_OK ? own : "");
}
