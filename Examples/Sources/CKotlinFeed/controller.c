/// A FeedController of Kotlin, as feed.h has one.
#include <stdlib.h>

#include "feed_census.h"
#include "subscription.h"

/// Numbers of Bridge.observe.
enum { OBSERVE = -1, OBSERVE_OFF_MAIN = -2 };

void kfeed_controller_forget(kfeed_controller *controller) {
  if (atomic_fetch_sub_explicit(&controller->references, 1, memory_order_acq_rel) != 1) return;
  JNIEnv *env = kfeed_enter();
  if (env) kfeed_drop(env, controller->object);
  pthread_mutex_destroy(&controller->mutex);
  free(controller);
  feed_census_add(FEED_COUNT_CONTROLLERS, -1);
}

kfeed_controller *kfeed_controller_create(void) {
  JNIEnv *env = kfeed_enter();
  kfeed_controller *controller = env ? calloc(1, sizeof *controller) : NULL;
  if (!controller) return NULL;
  jobject kept = NULL;
  if (kfeed_open_frame(env)) {
    jobject made = (*env)->CallStaticObjectMethodA(env, kfeed_kotlin.bridge, kfeed_kotlin.make_controller, NULL);
    feed_status status;
    if (!kfeed_take_exception(env, &status)) kept = kfeed_keep(env, made);
    kfeed_close_frame(env);
  }
  if (!kept) {
    free(controller);
    return NULL;
  }
  atomic_init(&controller->references, 1);
  controller->object = kept;
  pthread_mutex_init(&controller->mutex, NULL);
  feed_census_add(FEED_COUNT_CONTROLLERS, 1);
  return controller;
}

void kfeed_controller_release(kfeed_controller *controller) {
  kfeed_controller_close(controller);
  kfeed_controller_forget(controller);
}

static feed_status observe(kfeed_controller *controller, jint where, feed_observer observer,
                           feed_observation **observation) {
  *observation = NULL;
  feed_status status = FEED_FOREIGN;
  JNIEnv *env = kfeed_enter();
  if (!env || !kfeed_open_frame(env)) {
    if (observer.release) observer.release(observer.context);
    return status;
  }
  kfeed_subscription *subscription = kfeed_subscription_create(controller, observer, &status);
  if (subscription) {
    jvalue arguments[] = {{.l = controller->object}, {.i = where}, {.j = (jlong)(intptr_t)subscription}};
    jobject handle = (*env)->CallStaticObjectMethodA(env, kfeed_kotlin.bridge, kfeed_kotlin.observe, arguments);
    if (kfeed_take_exception(env, &status)) {
      feed_observation_cancel(subscription->observation);
      feed_observation_release(subscription->observation);
      // No coroutine was started that would give its reference up.
      kfeed_subscription_release(subscription);
    } else {
      status = FEED_OK;
      *observation = subscription->observation;
      kfeed_subscription_hold(subscription, env, handle);
    }
    kfeed_subscription_release(subscription);
  }
  kfeed_close_frame(env);
  return status;
}

feed_status kfeed_controller_observe(kfeed_controller *controller, feed_observer observer,
                                     feed_observation **observation) {
  return observe(controller, OBSERVE, observer, observation);
}

feed_status kfeed_controller_observe_off_main(kfeed_controller *controller, feed_observer observer,
                                              feed_observation **observation) {
  return observe(controller, OBSERVE_OFF_MAIN, observer, observation);
}

feed_status kfeed_controller_observe_on(kfeed_controller *controller, feed_dispatcher dispatcher,
                                        feed_observer observer, feed_observation **observation) {
  return observe(controller, dispatcher, observer, observation);
}

/// Calls a function of the controller's that returns nothing.
static feed_status call(kfeed_controller *controller, jmethodID method, const jvalue *arguments) {
  JNIEnv *env = kfeed_enter();
  if (!env) return FEED_FOREIGN;
  (*env)->CallVoidMethodA(env, controller->object, method, arguments);
  feed_status status = FEED_OK;
  kfeed_take_exception(env, &status);
  return status;
}

static feed_status change(kfeed_controller *controller, jmethodID method, feed_phase phase, double progress,
                          const char *title, size_t title_length) {
  if (!(progress >= 0 && progress <= 1)) return FEED_INVALID;
  if (title_length > INT32_MAX) return FEED_NO_RESOURCES;
  JNIEnv *env = kfeed_enter();
  if (!env || !kfeed_open_frame(env)) return FEED_FOREIGN;
  feed_status status = FEED_FOREIGN;
  jbyteArray bytes = (*env)->NewByteArray(env, (jsize)title_length);
  if (!kfeed_take_exception(env, &status) && bytes) {
    (*env)->SetByteArrayRegion(env, bytes, 0, (jsize)title_length, (const jbyte *)title);
    jvalue arguments[] = {{.i = phase}, {.d = progress}, {.l = bytes}};
    status = call(controller, method, arguments);
  }
  kfeed_close_frame(env);
  return status;
}

feed_status kfeed_controller_set(kfeed_controller *controller, feed_phase phase, double progress, const char *title,
                                 size_t title_length) {
  return change(controller, kfeed_kotlin.set, phase, progress, title, title_length);
}

feed_status kfeed_controller_set_from_worker(kfeed_controller *controller, feed_phase phase, double progress,
                                             const char *title, size_t title_length) {
  return change(controller, kfeed_kotlin.set_from_worker, phase, progress, title, title_length);
}

feed_status kfeed_controller_play(kfeed_controller *controller, uint64_t count, uint64_t interval) {
  jvalue arguments[] = {{.j = count > INT64_MAX ? INT64_MAX : (jlong)count},
                        {.j = interval > INT64_MAX ? INT64_MAX : (jlong)interval}};
  return call(controller, kfeed_kotlin.play, arguments);
}

void kfeed_controller_close(kfeed_controller *controller) {
  pthread_mutex_lock(&controller->mutex);
  bool first = !controller->closed;
  controller->closed = true;
  // As in the C feed: taken from the list here, because one whose end is under way must not be waited for.
  kfeed_subscription *subscription;
  while ((subscription = controller->first)) {
    kfeed_subscription_unlist(subscription);
    pthread_mutex_unlock(&controller->mutex);
    feed_observation_cancel(subscription->observation);
    kfeed_subscription_release(subscription);
    pthread_mutex_lock(&controller->mutex);
  }
  pthread_mutex_unlock(&controller->mutex);
  if (first) call(controller, kfeed_kotlin.close, NULL);
}
