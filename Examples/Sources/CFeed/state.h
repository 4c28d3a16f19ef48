/// A state that several observers wait for.
#pragma once

#include "feed.h"

/// Shared and never changed. Begins with what observers see.
typedef struct feed_shared_state feed_shared_state;

/// Null without memory.
feed_shared_state *feed_shared_state_create(int64_t sequence, feed_phase phase, double progress, const char *title,
                                            size_t title_length);
feed_shared_state *feed_shared_state_retain(feed_shared_state *state);
void feed_shared_state_release(feed_shared_state *state);
const feed_state *feed_shared_state_view(const feed_shared_state *state);
/// Not safe once others hold it.
void feed_shared_state_number(feed_shared_state *state, int64_t sequence);
