// The main Dispatch queue as a source of GLib's default main context. No type of GLib appears here, so that a Swift
// module that imports this one may import any of GLib's as well.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// What stands in the way of serving the main queue. Everything that this library knows of Dispatch's internals is
/// checked before it is relied on.
typedef enum {
  glib_main_actor_ok = 0,
  /// The calling thread is not the one that the process began with, and only that one may drain the main queue.
  glib_main_actor_not_main_thread,
  /// libdispatch does not export `_dispatch_get_main_queue_handle_4CF` or `_dispatch_main_queue_callback_4CF`.
  glib_main_actor_no_functions,
  /// The main queue's handle is not an eventfd.
  glib_main_actor_no_eventfd,
  /// A block was put on the main queue, and the handle did not become readable.
  glib_main_actor_silent,
} glib_main_actor_status;

/// Told how long something took, in nanoseconds, on the main thread.
typedef void (*glib_main_actor_observer)(uint64_t nanoseconds);

/// Serves the main queue from the default main context at a GLib priority, or changes the priority when it is served
/// already. `post_probe` must put a block on the main queue.
glib_main_actor_status glib_main_actor_attach(int priority, void (*post_probe)(void));

/// Stops serving. What is on the main queue stays there.
void glib_main_actor_detach(void);

bool glib_main_actor_is_attached(void);

/// Tells `drained` of every stretch in which jobs and blocks of the main queue ran one after the other, and `turned` of
/// every turn of the loop: from the end of a wait to the beginning of the next. Either may be NULL.
void glib_main_actor_observe(glib_main_actor_observer drained, glib_main_actor_observer turned);
