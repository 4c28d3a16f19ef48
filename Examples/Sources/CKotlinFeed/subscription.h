/// An observation in Kotlin: a coroutine at one end, an observer of feed.h at the other.
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "feed_observation.h"
#include "machine.h"

typedef struct kfeed_subscription kfeed_subscription;

struct kfeed_controller {
  atomic_uint references;
  /// A FeedController.
  jobject object;
  /// Guards what follows, and what subscriptions say of themselves.
  pthread_mutex_t mutex;
  bool closed;
  kfeed_subscription *first;
};

void kfeed_controller_forget(kfeed_controller *controller);

/// References: the list's, the observation's until it has ended, the coroutine's until that has, and the caller's.
struct kfeed_subscription {
  atomic_uint references;
  kfeed_controller *controller;
  feed_observation *observation;
  /// The Cancellable that ends the coroutine, once it is known.
  jobject handle;
  bool ended;
  bool listed;
  kfeed_subscription *previous;
  kfeed_subscription *next;
};

/// Null without memory or when closed; then the observer was released, and `*status` says which.
kfeed_subscription *kfeed_subscription_create(kfeed_controller *controller, feed_observer observer, feed_status *status);
void kfeed_subscription_release(kfeed_subscription *subscription);

/// Notes what ends the coroutine. When the observation has ended meanwhile, ends it at once.
void kfeed_subscription_hold(kfeed_subscription *subscription, JNIEnv *env, jobject handle);

/// With the controller's lock held: takes it from the list, whose reference becomes the caller's.
bool kfeed_subscription_unlist(kfeed_subscription *subscription);
