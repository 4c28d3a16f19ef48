/// Counts what exists, so that a test can say that nothing leaks.
#pragma once

#include "feed.h"

typedef enum { FEED_COUNT_CONTROLLERS, FEED_COUNT_OBSERVATIONS, FEED_COUNT_STATES, FEED_COUNT_THREADS } feed_counted;

void feed_census_add(feed_counted kind, int64_t change);
