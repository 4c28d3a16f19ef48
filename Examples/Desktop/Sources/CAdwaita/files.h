// Choosing files, and files that are dropped.
#pragma once
#include "signals.h"
#include "window.h"

#pragma clang assume_nonnull begin

// Lets a file be dragged away.
static inline void gallery_offer_file(GtkWidget *widget, const char *path) {
  GFile *file = g_file_new_for_path(path);
  GdkContentProvider *content = gdk_content_provider_new_typed(G_TYPE_FILE, file);
  GtkDragSource *source = gtk_drag_source_new();
  gtk_drag_source_set_content(source, content);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(source));
  g_object_unref(content);
  g_object_unref(file);
}
static inline gboolean gallery_drop_trampoline(GtkDropTarget *target, const GValue *value, double x, double y,
                                               gpointer data) {
  (void)target, (void)x, (void)y;
  void **pair = data;
  char *path = G_VALUE_HOLDS(value, G_TYPE_FILE) ? g_file_get_path(g_value_get_object(value)) : NULL;
  if (!path) return FALSE;
  ((gallery_path)pair[0])(path, pair[1]);
  g_free(path);
  return TRUE;
}
static inline void gallery_accept_files(GtkWidget *widget, gallery_path dropped, void *data) {
  void **pair = g_new(void *, 2);
  pair[0] = (void *)dropped;
  pair[1] = data;
  GtkDropTarget *target = gtk_drop_target_new(G_TYPE_FILE, GDK_ACTION_COPY);
  g_signal_connect(target, "drop", G_CALLBACK(gallery_drop_trampoline), pair);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(target));
}
static inline void gallery_chooser_trampoline(GtkNativeDialog *dialog, int response, gpointer data) {
  void **pair = data;
  if (response == GTK_RESPONSE_ACCEPT) {
    GFile *file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
    char *path = file ? g_file_get_path(file) : NULL;
    if (path) ((gallery_path)pair[0])(path, pair[1]);
    g_free(path);
    g_clear_object(&file);
  }
  g_object_unref(dialog);
  g_free(pair);
}
static inline void gallery_choose_picture(GtkWidget *window, gallery_path chosen, void *data) {
  void **pair = g_new(void *, 2);
  pair[0] = (void *)chosen;
  pair[1] = data;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new("Open a picture", GTK_WINDOW(window),
                                                             GTK_FILE_CHOOSER_ACTION_OPEN, "_Open", "_Cancel");
  GtkFileFilter *filter = gtk_file_filter_new();
  gtk_file_filter_set_name(filter, "PNG and JPEG pictures");
  gtk_file_filter_add_mime_type(filter, "image/png");
  gtk_file_filter_add_mime_type(filter, "image/jpeg");
  gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), filter);
  g_object_unref(filter);
  g_signal_connect(dialog, "response", G_CALLBACK(gallery_chooser_trampoline), pair);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}
static inline void gallery_on_click(GtkWidget *widget, gallery_callback callback, void *data,
                                    gallery_callback _Nullable release) {
  GtkGesture *click = gtk_gesture_click_new();
  gallery_connect(click, "released", callback, data, release);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
}
// Where a widget is in its window, in the window's pixels; FALSE when it is not shown.
static inline gboolean gallery_place(GtkWidget *widget, GtkWidget *window, double place[4]) {
  graphene_rect_t bounds;
  double x = 0, y = 0;
  // Before it has a size, its place is a guess from its margins.
  if (!gtk_widget_get_mapped(widget) || gtk_widget_get_width(widget) <= 0) return FALSE;
  if (!gtk_widget_compute_bounds(widget, window, &bounds)) return FALSE;
  gtk_native_get_surface_transform(GTK_NATIVE(window), &x, &y);
  place[0] = bounds.origin.x + x, place[1] = bounds.origin.y + y;
  place[2] = bounds.size.width, place[3] = bounds.size.height;
  return TRUE;
}

#pragma clang assume_nonnull end
