/// The Java virtual machine, and what every call into it needs.
#pragma once

#include <jni.h>

#include "kotlin_feed.h"

/// Classes and methods of Examples/Kotlin, looked up once.
typedef struct {
  jclass bridge;
  jmethodID make_controller;
  jmethodID observe;
  jmethodID run;
  jmethodID runtime;
  jmethodID set;
  jmethodID set_from_worker;
  jmethodID play;
  jmethodID close;
  jmethodID cancel;
} kfeed_methods;

extern kfeed_methods kfeed_kotlin;
extern feed_main_queue kfeed_main;

/// The calling thread's way into the machine, which it joins for as long as it lives. Null when it may not.
JNIEnv *kfeed_enter(void);

/// Opens a frame for local references: threads that are not Java's have none of their own. False when it cannot be.
bool kfeed_open_frame(JNIEnv *env);
void kfeed_close_frame(JNIEnv *env);

/// Whether the call before has thrown. Then the exception is cleared, and `kfeed_problem` has its words.
bool kfeed_take_exception(JNIEnv *env, feed_status *status);

void kfeed_set_problem(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// A reference that lives until it is dropped, counted. Null without memory.
jobject kfeed_keep(JNIEnv *env, jobject object);
void kfeed_drop(JNIEnv *env, jobject object);

/// Gives the functions of callbacks.c to Bridge in Kotlin. False when that does not know them.
bool kfeed_register_callbacks(JNIEnv *env, jclass bridge);
