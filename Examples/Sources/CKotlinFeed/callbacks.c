/// What Kotlin calls: the external functions of Examples/Kotlin/Bridge.kt.
#include <stdlib.h>

#include "subscription.h"

static jboolean is_main_current(JNIEnv *env, jclass bridge) {
  (void)env;
  (void)bridge;
  return kfeed_main.is_current();
}

/// On the main queue.
static void run_block(void *context) {
  JNIEnv *env = kfeed_enter();
  if (!env) return;
  jvalue block = {.l = context};
  (*env)->CallStaticVoidMethodA(env, kfeed_kotlin.bridge, kfeed_kotlin.run, &block);
  if ((*env)->ExceptionCheck(env)) {
    // A coroutine's own failure goes to its scope; this is one of the dispatcher's, and nobody else would say it.
    (*env)->ExceptionDescribe(env);
    (*env)->ExceptionClear(env);
  }
  kfeed_drop(env, context);
}

static void post_to_main(JNIEnv *env, jclass bridge, jobject block) {
  (void)bridge;
  jobject kept = kfeed_keep(env, block);
  if (kept) {
    kfeed_main.post(run_block, kept);
  } else if (!(*env)->ExceptionCheck(env)) {
    jclass error = (*env)->FindClass(env, "java/lang/OutOfMemoryError");
    if (error) (*env)->ThrowNew(env, error, "no reference was left for a block of the main queue");
  }
}

static jboolean deliver(JNIEnv *env, jclass bridge, jlong token, jlong sequence, jint phase, jdouble progress,
                        jbyteArray title) {
  (void)bridge;
  kfeed_subscription *subscription = (kfeed_subscription *)(intptr_t)token;
  jsize length = (*env)->GetArrayLength(env, title);
  char *text = malloc((size_t)length + 1);
  // Without memory for it, a state without its title.
  if (text) {
    (*env)->GetByteArrayRegion(env, title, 0, length, (jbyte *)text);
    text[length] = 0;
  }
  feed_state state = {sequence, (feed_phase)phase, progress, text ? text : "", text ? (size_t)length : 0};
  bool active = feed_observation_deliver(subscription->observation, &state);
  free(text);
  return active;
}

static void ended(JNIEnv *env, jclass bridge, jlong token) {
  (void)env;
  (void)bridge;
  kfeed_subscription *subscription = (kfeed_subscription *)(intptr_t)token;
  feed_observation_cancel(subscription->observation);
  kfeed_subscription_release(subscription);
}

bool kfeed_register_callbacks(JNIEnv *env, jclass bridge) {
  const JNINativeMethod methods[] = {
      {"isMainCurrent", "()Z", (void *)is_main_current},
      {"postToMain", "(Ljava/lang/Runnable;)V", (void *)post_to_main},
      {"deliver", "(JJID[B)Z", (void *)deliver},
      {"ended", "(J)V", (void *)ended},
  };
  if ((*env)->RegisterNatives(env, bridge, methods, sizeof methods / sizeof *methods) == JNI_OK) return true;
  feed_status status;
  if (!kfeed_take_exception(env, &status)) kfeed_set_problem("the jars are of another version");
  return false;
}
