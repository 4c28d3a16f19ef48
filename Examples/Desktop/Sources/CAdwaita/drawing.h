// Drawing, and what happens every frame.
#pragma once
#include "signals.h"

#pragma clang assume_nonnull begin

typedef void (*gallery_draw)(cairo_t *cairo, int width, int height, void *data);
static inline void gallery_draw_trampoline(GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer data) {
  void **pair = data;
  (void)area;
  ((gallery_draw)pair[0])(cairo, width, height, pair[1]);
}
// The area keeps the data for as long as the application runs.
static inline GtkWidget *gallery_drawing(gallery_draw draw, void *data) {
  GtkWidget *area = gtk_drawing_area_new();
  void **pair = g_new(void *, 2);
  pair[0] = (void *)draw;
  pair[1] = data;
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), gallery_draw_trampoline, pair, g_free);
  return area;
}
static inline void gallery_redraw(GtkWidget *widget) { gtk_widget_queue_draw(widget); }
// How many pixels of the screen one of the sizes of widgets stands for, in each direction.
static inline int gallery_density(GtkWidget *widget) { return gtk_widget_get_scale_factor(widget); }
static inline int gallery_width(GtkWidget *widget) { return gtk_widget_get_width(widget); }
static inline int gallery_height(GtkWidget *widget) { return gtk_widget_get_height(widget); }

// The time of a frame and its interval, in microseconds.
typedef void (*gallery_frame)(long long time, long long interval, void *data);
static inline gboolean gallery_tick_trampoline(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  (void)widget;
  void **pair = data;
  gint64 time = gdk_frame_clock_get_frame_time(clock), interval = 0, presentation = 0;
  gdk_frame_clock_get_refresh_info(clock, time, &interval, &presentation);
  ((gallery_frame)pair[0])(time, interval, pair[1]);
  return G_SOURCE_CONTINUE;
}
static inline void gallery_each_frame(GtkWidget *widget, gallery_frame frame, void *data) {
  void **pair = g_new(void *, 2);
  pair[0] = (void *)frame;
  pair[1] = data;
  gtk_widget_add_tick_callback(widget, gallery_tick_trampoline, pair, g_free);
}
static inline void gallery_foreground(GtkWidget *widget, double rgba[4]) {
  GdkRGBA colour;
  gtk_style_context_get_color(gtk_widget_get_style_context(widget), &colour);
  rgba[0] = colour.red, rgba[1] = colour.green, rgba[2] = colour.blue, rgba[3] = colour.alpha;
}

#pragma clang assume_nonnull end
