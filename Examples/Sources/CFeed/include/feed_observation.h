/// The part of an observation that every implementation of a feed shares: who is told, and when no more.
#pragma once

#include "feed.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the implementation does when an observation ends, by whatever cause: it lets go of its side. Called once, on
/// the thread that ended it, with no lock held.
typedef struct {
  void (*ended)(void *context);
  void *context;
} feed_source;

/// An observation with two references: one for the handle, one for the implementation. Null without memory; then the
/// observer was released.
feed_observation *feed_observation_create(feed_observer observer, feed_source source);

feed_observation *feed_observation_retain(feed_observation *observation);

/// Tells the observer, unless the observation has ended. False when it has, also by this very callback.
bool feed_observation_deliver(feed_observation *observation, const feed_state *state);

#ifdef __cplusplus
}
#endif
