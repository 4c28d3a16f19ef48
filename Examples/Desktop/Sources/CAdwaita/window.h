// The application and its window.
#pragma once
#include <dlfcn.h>
#include "signals.h"

#pragma clang assume_nonnull begin

static inline GtkWidget *gallery_window(AdwApplication *app, const char *title, GtkWidget *content) {
  GtkWidget *window = adw_application_window_new(GTK_APPLICATION(app));
  gtk_window_set_title(GTK_WINDOW(window), title);
  gtk_window_set_default_size(GTK_WINDOW(window), 1000, 700);
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), content);
  return window;
}
static inline void gallery_present(GtkWidget *window) { gtk_window_present(GTK_WINDOW(window)); }
static inline void gallery_close(GtkWidget *window) { gtk_window_destroy(GTK_WINDOW(window)); }
static inline int gallery_run(AdwApplication *app) { return g_application_run(G_APPLICATION(app), 0, NULL); }
static inline void gallery_quit(AdwApplication *app) { g_application_quit(G_APPLICATION(app)); }
static inline void gallery_focus(GtkWidget *widget) { gtk_widget_grab_focus(widget); }
// What ends the process when the X server is gone, in place of GTK's own, which ends it without a word. Xlib calls it on the
// thread that noticed, and it must not return. A Wayland server's end GTK says itself.
static inline void gallery_on_lost_display(int (*end)(void *_Nullable display)) {
  void *(*set)(int (*)(void *_Nullable)) = NULL;
  *(void *_Nullable *)&set = dlsym(RTLD_DEFAULT, "XSetIOErrorHandler");
  if (set) set(end);
}
static inline void gallery_action(AdwApplication *app, const char *name, const char *keys, gallery_callback callback,
                                  void *data) {
  GSimpleAction *action = g_simple_action_new(name, NULL);
  gallery_connect(action, "activate", callback, data, NULL);
  g_action_map_add_action(G_ACTION_MAP(app), G_ACTION(action));
  char *full = g_strconcat("app.", name, NULL);
  const char *accels[] = {keys, NULL};
  gtk_application_set_accels_for_action(GTK_APPLICATION(app), full, accels);
  g_free(full);
}
// Told of a text: a path, or what was chosen.
typedef void (*gallery_path)(const char *text, void *data);
static inline void gallery_choice_trampoline(GSimpleAction *action, GVariant *choice, gpointer data) {
  void **pair = data;
  g_simple_action_set_state(action, choice);
  ((gallery_path)pair[0])(g_variant_get_string(choice, NULL), pair[1]);
}
// An action of several choices, one of which holds.
static inline void gallery_choice_action(AdwApplication *app, const char *name, const char *choice, gallery_path chosen,
                                         void *data) {
  void **pair = g_new(void *, 2);
  pair[0] = (void *)chosen;
  pair[1] = data;
  GSimpleAction *action = g_simple_action_new_stateful(name, G_VARIANT_TYPE_STRING, g_variant_new_string(choice));
  g_signal_connect(action, "activate", G_CALLBACK(gallery_choice_trampoline), pair);
  g_action_map_add_action(G_ACTION_MAP(app), G_ACTION(action));
}
static inline void gallery_theme(int dark) {
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(),
                                     dark < 0   ? ADW_COLOR_SCHEME_DEFAULT
                                     : dark > 0 ? ADW_COLOR_SCHEME_FORCE_DARK
                                                : ADW_COLOR_SCHEME_FORCE_LIGHT);
}
// Rules of style of the application's own, on top of the theme's.
static inline void gallery_css(const char *rules) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, rules, -1);
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref(provider);
}
static inline gboolean gallery_is_dark(void) { return adw_style_manager_get_dark(adw_style_manager_get_default()); }

#pragma clang assume_nonnull end
