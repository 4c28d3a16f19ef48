/// Starts the virtual machine, and sees to threads, references and exceptions.
#define _GNU_SOURCE
#include "machine.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed_census.h"

/// Where threads and calls of ours can go: a second machine in a process is not possible, and neither is a restart.
static JavaVM *machine;
static pthread_key_t attached;
static jclass throwable, out_of_memory, illegal_state;
static jmethodID to_string;

kfeed_methods kfeed_kotlin;
feed_main_queue kfeed_main;

static char runtime[128];

static _Thread_local char problem[512];

const char *kfeed_problem(void) { return problem; }

const char *kfeed_runtime(void) { return runtime; }

void kfeed_set_problem(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(problem, sizeof problem, format, arguments);
  va_end(arguments);
}

// MARK: Threads

/// A thread that ends leaves the machine, or it would stay in the machine's list for good.
static void leave(void *vm) { (*(JavaVM *)vm)->DetachCurrentThread(vm); }

JNIEnv *kfeed_enter(void) {
  void *env = NULL;
  jint status = (*machine)->GetEnv(machine, &env, JNI_VERSION_1_8);
  if (status == JNI_OK) return env;
  if (status == JNI_EDETACHED && (*machine)->AttachCurrentThreadAsDaemon(machine, &env, NULL) == JNI_OK) {
    pthread_setspecific(attached, machine);
    return env;
  }
  kfeed_set_problem("this thread could not join the Java virtual machine");
  return NULL;
}

// MARK: References

bool kfeed_open_frame(JNIEnv *env) {
  if ((*env)->PushLocalFrame(env, 8) == 0) return true;
  feed_status status;
  kfeed_take_exception(env, &status);
  return false;
}

void kfeed_close_frame(JNIEnv *env) { (*env)->PopLocalFrame(env, NULL); }

jobject kfeed_keep(JNIEnv *env, jobject object) {
  jobject kept = object ? (*env)->NewGlobalRef(env, object) : NULL;
  if (kept) feed_census_add(FEED_COUNT_REFERENCES, 1);
  return kept;
}

void kfeed_drop(JNIEnv *env, jobject object) {
  if (!object) return;
  (*env)->DeleteGlobalRef(env, object);
  feed_census_add(FEED_COUNT_REFERENCES, -1);
}

// MARK: Exceptions

bool kfeed_take_exception(JNIEnv *env, feed_status *status) {
  jthrowable thrown = (*env)->ExceptionOccurred(env);
  if (!thrown) return false;
  // Nothing may be called with an exception pending.
  (*env)->ExceptionClear(env);
  *status = FEED_FOREIGN;
  if (illegal_state && (*env)->IsInstanceOf(env, thrown, illegal_state)) *status = FEED_CLOSED;
  if (out_of_memory && (*env)->IsInstanceOf(env, thrown, out_of_memory)) *status = FEED_NO_RESOURCES;
  kfeed_set_problem("an exception without words");
  jstring words = to_string ? (*env)->CallObjectMethodA(env, thrown, to_string, NULL) : NULL;
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionClear(env);
  } else if (words) {
    const char *text = (*env)->GetStringUTFChars(env, words, NULL);
    if (text) {
      kfeed_set_problem("%s", text);
      (*env)->ReleaseStringUTFChars(env, words, text);
    }
    (*env)->DeleteLocalRef(env, words);
  }
  (*env)->DeleteLocalRef(env, thrown);
  return true;
}

// MARK: Starting

static jclass find_class(JNIEnv *env, const char *name) {
  jclass found = (*env)->FindClass(env, name);
  feed_status status;
  if (kfeed_take_exception(env, &status) || !found) {
    char words[256];
    snprintf(words, sizeof words, "%s", problem);
    kfeed_set_problem("the class %s was not found: %s", name, words);
    return NULL;
  }
  jclass kept = (*env)->NewGlobalRef(env, found);
  (*env)->DeleteLocalRef(env, found);
  return kept;
}

typedef struct {
  jmethodID *method;
  bool is_static;
  const char *name;
  const char *signature;
} wanted;

static bool find_methods(JNIEnv *env, jclass class, const wanted *methods, size_t count) {
  for (size_t index = 0; index < count; index++) {
    const wanted *method = &methods[index];
    *method->method = method->is_static ? (*env)->GetStaticMethodID(env, class, method->name, method->signature)
                                        : (*env)->GetMethodID(env, class, method->name, method->signature);
    feed_status status;
    if (kfeed_take_exception(env, &status) || !*method->method) {
      kfeed_set_problem("the jars are of another version: %s%s is not in them", method->name, method->signature);
      return false;
    }
  }
  return true;
}

static bool ask_versions(JNIEnv *env) {
  jstring words = (*env)->CallStaticObjectMethodA(env, kfeed_kotlin.bridge, kfeed_kotlin.runtime, NULL);
  feed_status status;
  if (kfeed_take_exception(env, &status) || !words) return false;
  const char *text = (*env)->GetStringUTFChars(env, words, NULL);
  if (text) {
    snprintf(runtime, sizeof runtime, "%s", text);
    (*env)->ReleaseStringUTFChars(env, words, text);
  }
  return text;
}

static bool find_all(JNIEnv *env) {
  if (!(throwable = find_class(env, "java/lang/Throwable"))) return false;
  const wanted words[] = {{&to_string, false, "toString", "()Ljava/lang/String;"}};
  if (!find_methods(env, throwable, words, 1)) return false;
  if (!(out_of_memory = find_class(env, "java/lang/OutOfMemoryError"))) return false;
  if (!(illegal_state = find_class(env, "java/lang/IllegalStateException"))) return false;
  // A jar that cannot be read is as if it were not there, and the first coroutine would be late to find out.
  const char *libraries[] = {"kotlin/Unit", "kotlinx/coroutines/Dispatchers"};
  for (size_t index = 0; index < sizeof libraries / sizeof *libraries; index++) {
    jclass library = find_class(env, libraries[index]);
    if (!library) return false;
    (*env)->DeleteGlobalRef(env, library);
  }

  jclass bridge = kfeed_kotlin.bridge = find_class(env, "feed/Bridge");
  const wanted bridging[] = {
      {&kfeed_kotlin.make_controller, true, "controller", "()Lfeed/FeedController;"},
      {&kfeed_kotlin.observe, true, "observe", "(Lfeed/FeedController;IJ)Lfeed/Cancellable;"},
      {&kfeed_kotlin.run, true, "run", "(Ljava/lang/Runnable;)V"},
      {&kfeed_kotlin.runtime, true, "runtime", "()Ljava/lang/String;"},
  };
  if (!bridge || !find_methods(env, bridge, bridging, sizeof bridging / sizeof *bridging)) return false;
  jclass controller = find_class(env, "feed/FeedController");
  const wanted controlling[] = {
      {&kfeed_kotlin.set, false, "set", "(ID[B)V"},
      {&kfeed_kotlin.set_from_worker, false, "setFromWorker", "(ID[B)V"},
      {&kfeed_kotlin.play, false, "play", "(JJ)V"},
      {&kfeed_kotlin.close, false, "close", "()V"},
  };
  if (!controller || !find_methods(env, controller, controlling, sizeof controlling / sizeof *controlling)) return false;
  jclass cancellable = find_class(env, "feed/Cancellable");
  const wanted cancelling[] = {{&kfeed_kotlin.cancel, false, "cancel", "()V"}};
  if (!cancellable || !find_methods(env, cancellable, cancelling, 1)) return false;
  // No class is unloaded as long as its loader lives, and these have the application's.
  (*env)->DeleteGlobalRef(env, controller);
  (*env)->DeleteGlobalRef(env, cancellable);
  return kfeed_register_callbacks(env, bridge) && ask_versions(env);
}

typedef jint create_machine(JavaVM **vm, void **env, void *arguments);

static create_machine *open_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    kfeed_set_problem("%s", dlerror());
    return NULL;
  }
  void *create = dlsym(library, "JNI_CreateJavaVM");
  if (!create) {
    kfeed_set_problem("%s is no Java virtual machine", path);
    dlclose(library);
  }
  return (create_machine *)create;
}

typedef struct {
  kfeed_machine options;
  bool started;
  char problem[sizeof problem];
} start;

/// Ends the machine before the process's own destructors do: they would take from its threads, which still run, what
/// these look at.
static void end_machine(void) { (*machine)->DestroyJavaVM(machine); }

/// On a thread of its own, which leaves the machine and ends: whoever starts it stays free to end as well.
static void *run(void *argument) {
  start *start = argument;
  create_machine *create = open_library(start->options.library);
  char *class_path = NULL;
  if (create && asprintf(&class_path, "-Djava.class.path=%s", start->options.class_path) >= 0) {
    JavaVMOption options[] = {
        {class_path, NULL},
        // Small and quick to start; signals are the host's; a trap of the host's ends it as usual, without a report of the
        // machine's own.
        {"-Xmx128m", NULL}, {"-XX:+UseSerialGC", NULL}, {"-XX:TieredStopAtLevel=1", NULL}, {"-Xrs", NULL},
        {"-XX:+SuppressFatalErrorMessage", NULL},
        // Nobody is to attach a debugger's tools, for which the machine would leave a socket in the temporary folder.
        {"-XX:+DisableAttachMechanism", NULL},
        {"-Xcheck:jni", NULL},
    };
    jint count = sizeof options / sizeof *options - (start->options.check_jni ? 0 : 1);
    JavaVMInitArgs arguments = {JNI_VERSION_1_8, count, options, JNI_FALSE};
    void *env = NULL;
    jint status = create(&machine, &env, &arguments);
    if (status != JNI_OK) {
      kfeed_set_problem("the Java virtual machine does not start (%d): %s", status,
                        status == JNI_EVERSION ? "it is older than Java 8"
                        : status == JNI_EEXIST ? "the process has one already"
                                               : "see its own words above");
    } else {
      atexit(end_machine);
      start->started = find_all(env);
      (*machine)->DetachCurrentThread(machine);
    }
  }
  memcpy(start->problem, problem, sizeof problem);
  return NULL;
}

bool kfeed_start(kfeed_machine options, feed_main_queue main_queue) {
  kfeed_main = main_queue;
  start start = {.options = options};
  pthread_t thread;
  bool has_key = pthread_key_create(&attached, leave) == 0;
  if (!has_key || pthread_create(&thread, NULL, run, &start) != 0) {
    kfeed_set_problem("no thread was left to start the Java virtual machine on");
    return false;
  }
  pthread_join(thread, NULL);
  if (!start.started) memcpy(problem, start.problem, sizeof problem);
  return start.started;
}
