/// Counts what exists, so that a test can say that nothing leaks. For implementations of a feed.
#pragma once

#include "feed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum : int32_t {
  FEED_COUNT_CONTROLLERS,
  FEED_COUNT_OBSERVATIONS,
  FEED_COUNT_STATES,
  FEED_COUNT_THREADS,
  /// To objects of another runtime, which they keep alive.
  FEED_COUNT_REFERENCES,
} feed_counted;

void feed_census_add(feed_counted kind, int64_t change);

#ifdef __cplusplus
}
#endif
