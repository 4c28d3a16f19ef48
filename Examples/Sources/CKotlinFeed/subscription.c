/// What ties an observation to its coroutine: whichever ends first ends the other.
#include "subscription.h"

#include <stdlib.h>

void kfeed_subscription_release(kfeed_subscription *subscription) {
  if (atomic_fetch_sub_explicit(&subscription->references, 1, memory_order_acq_rel) != 1) return;
  if (subscription->handle) {
    JNIEnv *env = kfeed_enter();
    if (env) kfeed_drop(env, subscription->handle);
  }
  feed_observation_release(subscription->observation);
  kfeed_controller_forget(subscription->controller);
  free(subscription);
}

bool kfeed_subscription_unlist(kfeed_subscription *subscription) {
  if (!subscription->listed) return false;
  if (subscription->previous) subscription->previous->next = subscription->next;
  else subscription->controller->first = subscription->next;
  if (subscription->next) subscription->next->previous = subscription->previous;
  subscription->previous = subscription->next = NULL;
  subscription->listed = false;
  return true;
}

static void cancel_coroutine(JNIEnv *env, jobject handle) {
  (*env)->CallVoidMethodA(env, handle, kfeed_kotlin.cancel, NULL);
  feed_status status;
  kfeed_take_exception(env, &status);
}

/// The observation ended.
static void ended(void *context) {
  kfeed_subscription *subscription = context;
  kfeed_controller *controller = subscription->controller;
  pthread_mutex_lock(&controller->mutex);
  bool listed = kfeed_subscription_unlist(subscription);
  subscription->ended = true;
  jobject handle = subscription->handle;
  pthread_mutex_unlock(&controller->mutex);
  JNIEnv *env = handle ? kfeed_enter() : NULL;
  if (env) cancel_coroutine(env, handle);
  if (listed) kfeed_subscription_release(subscription);
  kfeed_subscription_release(subscription);
}

void kfeed_subscription_hold(kfeed_subscription *subscription, JNIEnv *env, jobject handle) {
  jobject kept = kfeed_keep(env, handle);
  kfeed_controller *controller = subscription->controller;
  pthread_mutex_lock(&controller->mutex);
  subscription->handle = kept;
  bool ended = subscription->ended;
  pthread_mutex_unlock(&controller->mutex);
  if (ended && kept) cancel_coroutine(env, kept);
}

kfeed_subscription *kfeed_subscription_create(kfeed_controller *controller, feed_observer observer,
                                              feed_status *status) {
  *status = FEED_NO_RESOURCES;
  kfeed_subscription *subscription = calloc(1, sizeof *subscription);
  if (!subscription) {
    if (observer.release) observer.release(observer.context);
    return NULL;
  }
  subscription->controller = controller;
  subscription->observation = feed_observation_create(observer, (feed_source){ended, subscription});
  if (!subscription->observation) {
    free(subscription);
    return NULL;
  }
  atomic_init(&subscription->references, 4);
  atomic_fetch_add_explicit(&controller->references, 1, memory_order_relaxed);

  pthread_mutex_lock(&controller->mutex);
  bool listed = !controller->closed;
  if (listed) {
    subscription->next = controller->first;
    if (subscription->next) subscription->next->previous = subscription;
    controller->first = subscription;
    subscription->listed = true;
  }
  pthread_mutex_unlock(&controller->mutex);
  if (listed) return subscription;

  *status = FEED_CLOSED;
  feed_observation_cancel(subscription->observation);
  // The handle's, and then the list's, the coroutine's and the caller's, who get none.
  feed_observation_release(subscription->observation);
  for (int reference = 0; reference < 3; reference++) kfeed_subscription_release(subscription);
  return NULL;
}
