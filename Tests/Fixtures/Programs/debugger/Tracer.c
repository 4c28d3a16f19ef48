// A small debugger: runs a program as its tracee, with every thread of it, and passes on the signals that it gets. When
// the program prints "hold", it is stopped as a whole for 0.7 s, and gets SIGUSR2 after that. At the end says on its own
// stderr how many SIGPROF the program got, and ends as the program did.
//
//   Tracer PROGRAM [ARGUMENTS…]
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t threads[256];
static int count, signals;

static void know(pid_t thread) {
  for (int i = 0; i < count; i++)
    if (threads[i] == thread) return;
  if (count < 256) threads[count++] = thread;
}

static void forget(pid_t thread) {
  for (int i = 0; i < count; i++)
    if (threads[i] == thread) threads[i--] = threads[--count];
}

static void hold(pid_t child) {
  for (int i = 0; i < count; i++) ptrace(PTRACE_INTERRUPT, threads[i], 0, 0);
  int stopped[256] = {0};
  for (int i = 0; i < count; i++) {
    int status;
    if (waitpid(threads[i], &status, __WALL) == threads[i] && WIFSTOPPED(status))
      stopped[i] = status >> 16 == PTRACE_EVENT_STOP ? -1 : WSTOPSIG(status);
  }
  usleep(700000);
  for (int i = 0; i < count; i++)
    if (stopped[i]) ptrace(PTRACE_CONT, threads[i], 0, stopped[i] > 0 ? (void *)(long)stopped[i] : 0);
  kill(child, SIGUSR2);
}

int main(int argument_count, char **arguments) {
  int output[2], go[2];
  if (argument_count < 2 || pipe(output) != 0 || pipe(go) != 0) return 64;
  pid_t child = fork();
  if (child == 0) {
    char byte;
    close(go[1]);
    if (read(go[0], &byte, 1) < 0) _exit(70); // until it is traced
    dup2(output[1], 1);
    close(output[0]), close(output[1]), close(go[0]);
    execv(arguments[1], arguments + 1);
    _exit(71);
  }
  close(output[1]), close(go[0]);
  if (ptrace(PTRACE_SEIZE, child, 0, PTRACE_O_TRACECLONE) != 0) {
    kill(child, SIGKILL);
    return 72; // not allowed here
  }
  close(go[1]);
  know(child);
  // Before anybody can send it.
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1), sigaddset(&wanted, SIGCHLD);
  sigprocmask(SIG_BLOCK, &wanted, NULL);
  // A second process watches the output, so that neither waits for the other.
  pid_t reader = fork();
  if (reader == 0) {
    char text[4096];
    ssize_t size;
    while ((size = read(output[0], text, sizeof text)) > 0) {
      if (write(1, text, (size_t)size) != size) _exit(1);
      if (memmem(text, (size_t)size, "hold", 4)) kill(getppid(), SIGUSR1);
    }
    _exit(0);
  }
  close(output[0]);
  int end = 0;
  while (1) {
    int status;
    pid_t thread = waitpid(-1, &status, __WALL | WNOHANG);
    if (thread == 0) {
      struct timespec pause = {0, 20000000};
      if (sigtimedwait(&wanted, NULL, &pause) == SIGUSR1) hold(child);
      continue;
    }
    if (thread < 0) break;
    if (thread == reader) continue;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      forget(thread);
      if (thread != child) continue;
      end = status;
      break;
    }
    know(thread);
    int event = status >> 16, number = WSTOPSIG(status);
    if (event == PTRACE_EVENT_CLONE) {
      unsigned long made;
      ptrace(PTRACE_GETEVENTMSG, thread, 0, &made);
      know((pid_t)made);
    }
    if (event != 0) number = 0;
    if (number == SIGPROF) signals++;
    ptrace(PTRACE_CONT, thread, 0, (void *)(long)number);
  }
  while (waitpid(reader, NULL, 0) < 0 && errno == EINTR) {}
  fprintf(stderr, "signals %d\n", signals);
  if (WIFEXITED(end)) return WEXITSTATUS(end);
  return 128 + WTERMSIG(end);
}
