/// States, shared by those who wait for them.
#include "state.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "feed_census.h"

struct feed_shared_state {
  feed_state view;
  atomic_uint references;
  char title[];
};

feed_shared_state *feed_shared_state_create(int64_t sequence, feed_phase phase, double progress, const char *title,
                                            size_t title_length) {
  if (title_length > SIZE_MAX - sizeof(feed_shared_state) - 1) return NULL;
  feed_shared_state *state = malloc(sizeof *state + title_length + 1);
  if (!state) return NULL;
  if (title_length > 0) memcpy(state->title, title, title_length);
  state->title[title_length] = 0;
  state->view = (feed_state){sequence, phase, progress, state->title, title_length};
  atomic_init(&state->references, 1);
  feed_census_add(FEED_COUNT_STATES, 1);
  return state;
}

feed_shared_state *feed_shared_state_retain(feed_shared_state *state) {
  atomic_fetch_add_explicit(&state->references, 1, memory_order_relaxed);
  return state;
}

void feed_shared_state_release(feed_shared_state *state) {
  if (atomic_fetch_sub_explicit(&state->references, 1, memory_order_acq_rel) != 1) return;
  free(state);
  feed_census_add(FEED_COUNT_STATES, -1);
}

const feed_state *feed_shared_state_view(const feed_shared_state *state) {
  return &state->view;
}

void feed_shared_state_number(feed_shared_state *state, int64_t sequence) {
  state->view.sequence = sequence;
}
