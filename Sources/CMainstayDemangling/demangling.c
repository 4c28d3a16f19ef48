#define _GNU_SOURCE
#include "include/mainstay_demangling.h"

#include <errno.h>

#ifndef __linux__
int mainstay_demangler_start(pid_t *process) {
  (void)process;
  errno = ENOSYS;
  return -1;
}
#else
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define LONGEST_NAME (1u << 15)
#define MEMORY (256ull << 20)

// Of libswiftCore (stdlib/public/runtime/Demangle.cpp) and of the C++ runtime that it uses. Both return what `free` takes,
// or NULL for what is no such name; the first stops the process unless its flags are 0.
extern char *swift_demangle(const char *name, size_t length, char *out, size_t *size, uint32_t flags) __attribute__((weak));
extern char *__cxa_demangle(const char *name, char *out, size_t *size, int *status) __attribute__((weak));

static char *demangled(const char *name, size_t length) {
  if (length > 2 && name[0] == '_' && name[1] == 'Z') {
    int status = -1;
    return __cxa_demangle != NULL ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
  }
  return swift_demangle != NULL ? swift_demangle(name, length, NULL, NULL, 0) : NULL;
}

static bool receive(int socket, void *bytes, size_t size) {
  for (size_t got = 0; got < size;) {
    ssize_t part = recv(socket, (char *)bytes + got, size - got, 0);
    if (part == 0 || (part < 0 && errno != EINTR)) return false;
    if (part > 0) got += (size_t)part;
  }
  return true;
}

static bool answer(int socket, const void *bytes, size_t size) {
  for (size_t put = 0; put < size;) {
    ssize_t part = send(socket, (const char *)bytes + put, size - put, MSG_NOSIGNAL);
    if (part < 0 && errno != EINTR) return false;
    if (part > 0) put += (size_t)part;
  }
  return true;
}

static void serve(int socket) {
  static char name[LONGEST_NAME + 1];
  uint32_t length;
  while (receive(socket, &length, sizeof length) && length <= LONGEST_NAME && receive(socket, name, length)) {
    name[length] = 0;
    char *text = demangled(name, length);
    uint32_t size = text != NULL ? (uint32_t)strlen(text) : MAINSTAY_NOT_MANGLED;
    if (!answer(socket, &size, sizeof size) || (text != NULL && !answer(socket, text, size))) return;
    free(text);
  }
}

// How much of the limit on a process's data it has used already, in bytes.
static uint64_t data_used(void) {
  unsigned long size, resident, shared, text, library, data = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL) return 0;
  int found = fscanf(file, "%lu %lu %lu %lu %lu %lu", &size, &resident, &shared, &text, &library, &data);
  fclose(file);
  return found == 6 ? (uint64_t)data * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void lower(int resource, uint64_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur <= value) return;
  limit.rlim_cur = value;
  setrlimit(resource, &limit);
}

// Only what its own faults cause ends the child: whoever interrupts the program still wants to read names.
static void keep_only_faults(void) {
  static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS};
  for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) signal(faults[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_all_but(int socket) {
  if ((socket == 0 || close_range(0, (unsigned)socket - 1, 0) == 0) && close_range((unsigned)socket + 1, ~0u, 0) == 0) return;
  long most = sysconf(_SC_OPEN_MAX);
  for (int file = 0; file < (most > 0 && most < 65536 ? most : 65536); file++)
    if (file != socket) close(file);
}

int mainstay_demangler_start(pid_t *process) {
  // A socket and not two pipes: writing to a child that has died is then an error and not a SIGPIPE.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  uint64_t memory = data_used() + MEMORY;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before); // no handler of the program's runs in the child
  pid_t child = fork();
  if (child == 0) {
    close_all_but(ends[1]);
    keep_only_faults();
    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_DATA, memory);
    serve(ends[1]);
    _exit(0);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    errno = error;
    return -1;
  }
  *process = child;
  return ends[0];
}
#endif
