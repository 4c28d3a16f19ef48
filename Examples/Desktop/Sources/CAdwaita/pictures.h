// Pictures.
#pragma once
#include "signals.h"

#pragma clang assume_nonnull begin

static inline GtkWidget *gallery_picture_view(void) {
  GtkWidget *picture = gtk_picture_new();
  gtk_picture_set_can_shrink(GTK_PICTURE(picture), TRUE);
  gtk_picture_set_content_fit(GTK_PICTURE(picture), GTK_CONTENT_FIT_CONTAIN);
  return picture;
}
// A small picture that fills a card; the card is there before the picture.
static inline GtkWidget *gallery_picture_card(void) {
  GtkWidget *picture = gallery_picture_view();
  gtk_picture_set_content_fit(GTK_PICTURE(picture), GTK_CONTENT_FIT_COVER);
  gtk_widget_add_css_class(picture, "thumbnail");
  gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN);
  return picture;
}
static inline void gallery_picture_show(GtkWidget *picture, const void *_Nullable pixels, int width, int height) {
  if (!pixels) {
    gtk_picture_set_paintable(GTK_PICTURE(picture), NULL);
    return;
  }
  // Without a graphics card GTK brings a picture into cairo's order in each frame that draws it. Of three bytes a pixel it
  // does so with integers; one that is in that order already takes the way of all the others, through floating point, ten
  // times as long: 12 ns a pixel in GTK 4.8.
  GBytes *bytes = g_bytes_new(pixels, (gsize)width * (gsize)height * 3);
  GdkTexture *texture = gdk_memory_texture_new(width, height, GDK_MEMORY_R8G8B8, bytes, (gsize)width * 3);
  gtk_picture_set_paintable(GTK_PICTURE(picture), GDK_PAINTABLE(texture));
  g_object_unref(texture);
  g_bytes_unref(bytes);
}
static inline GtkWidget *gallery_grid(int spacing) {
  GtkWidget *grid = gtk_grid_new();
  gtk_grid_set_row_spacing(GTK_GRID(grid), (guint)spacing);
  gtk_grid_set_column_spacing(GTK_GRID(grid), (guint)spacing);
  return grid;
}
static inline void gallery_grid_even(GtkWidget *grid) { gtk_grid_set_column_homogeneous(GTK_GRID(grid), TRUE); }
static inline void gallery_grid_gap(GtkWidget *grid, int across) { gtk_grid_set_column_spacing(GTK_GRID(grid), (guint)across); }
static inline void gallery_grid_put(GtkWidget *grid, GtkWidget *child, int column, int row) {
  gtk_grid_attach(GTK_GRID(grid), child, column, row, 1, 1);
}

#pragma clang assume_nonnull end
