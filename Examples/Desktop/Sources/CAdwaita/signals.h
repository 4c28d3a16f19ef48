// Callbacks of signals.
#pragma once
#include <adwaita.h>
#include <gtk/gtk.h>

#pragma clang assume_nonnull begin

// Calls back with the data alone; further arguments of the signal are not looked at.
typedef void (*gallery_callback)(void *data);

static inline void gallery_connect(void *object, const char *signal, gallery_callback callback, void *data,
                                   gallery_callback _Nullable release) {
  g_signal_connect_data(object, signal, G_CALLBACK(callback), data, (GClosureNotify)(void *)release, G_CONNECT_SWAPPED);
}

#pragma clang assume_nonnull end
