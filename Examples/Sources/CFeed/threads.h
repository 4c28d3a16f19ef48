/// The feed's own threads.
#pragma once

#include <stdbool.h>

/// Starts a thread that nobody waits for. False when there is none to be had.
bool feed_thread_start(const char *name, void (*run)(void *argument), void *argument);
