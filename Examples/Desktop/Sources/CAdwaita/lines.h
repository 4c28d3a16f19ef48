// A row of widgets that becomes several lines where there is less room than they ask for.
#pragma once
#include "signals.h"

#pragma clang assume_nonnull begin

// The widgets of one line: as many as have their smallest widths in it. A widget says with its size request how narrow it
// may be before the next one goes beneath it; its text has no say, so that nothing moves when that changes.
typedef struct {
  GtkWidget *_Nullable first, *_Nullable end; // `end` belongs to the next line
  int count, smallest, growing;
} GalleryLine;

static inline int gallery_lines_gap(GtkWidget *lines) {
  return GPOINTER_TO_INT(g_object_get_data(G_OBJECT(lines), "gallery-gap"));
}
static inline int gallery_smallest(GtkWidget *child, GtkOrientation orientation, int other) {
  int smallest = 0, natural = 0;
  gtk_widget_measure(child, orientation, other, &smallest, &natural, NULL, NULL);
  return smallest;
}
static inline GtkWidget *_Nullable gallery_laid_out(GtkWidget *_Nullable child) {
  while (child && !gtk_widget_should_layout(child)) child = gtk_widget_get_next_sibling(child);
  return child;
}
static inline GalleryLine gallery_line_from(GtkWidget *lines, GtkWidget *first, int width) {
  GalleryLine line = {first, first, 0, 0, 0};
  int gap = gallery_lines_gap(lines);
  while (line.end) {
    int smallest = gallery_smallest(line.end, GTK_ORIENTATION_HORIZONTAL, -1);
    int together = line.count ? line.smallest + gap + smallest : smallest;
    if (line.count && together > width) break;
    line.smallest = together;
    line.count++;
    if (gtk_widget_compute_expand(line.end, GTK_ORIENTATION_HORIZONTAL)) line.growing++;
    line.end = gallery_laid_out(gtk_widget_get_next_sibling(line.end));
  }
  return line;
}
// Gives each widget of a line its width: the smallest; what is left up to the natural ones, in their order; and what is
// left then to those that expand.
static inline void gallery_line_widths(GalleryLine line, int width, int *widths) {
  int left = MAX(0, width - line.smallest), place = 0;
  for (GtkWidget *child = line.first; child != line.end; child = gallery_laid_out(gtk_widget_get_next_sibling(child))) {
    int smallest = 0, natural = 0;
    gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &smallest, &natural, NULL, NULL);
    int more = gtk_widget_compute_expand(child, GTK_ORIENTATION_HORIZONTAL) ? 0 : MIN(left, natural - smallest);
    widths[place++] = smallest + more;
    left -= more;
  }
  int growing = line.growing;
  place = 0;
  for (GtkWidget *child = line.first; child != line.end && growing; child = gallery_laid_out(gtk_widget_get_next_sibling(child))) {
    if (gtk_widget_compute_expand(child, GTK_ORIENTATION_HORIZONTAL)) {
      int share = left / growing--;
      widths[place] += share;
      left -= share;
    }
    place++;
  }
}
// The height of a line, and whether one of its widgets would have more.
static inline int gallery_line_height(GalleryLine line, const int *widths, gboolean *grows) {
  int height = 0, place = 0;
  for (GtkWidget *child = line.first; child != line.end; child = gallery_laid_out(gtk_widget_get_next_sibling(child))) {
    int own = gallery_smallest(child, GTK_ORIENTATION_VERTICAL, widths[place++]);
    height = MAX(height, own);
    if (gtk_widget_compute_expand(child, GTK_ORIENTATION_VERTICAL)) *grows = TRUE;
  }
  return height;
}
static inline GtkSizeRequestMode gallery_lines_mode(GtkWidget *lines) {
  (void)lines;
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}
static inline void gallery_lines_measure(GtkWidget *lines, GtkOrientation orientation, int width, int *minimum, int *natural,
                                         int *minimum_baseline, int *natural_baseline) {
  int gap = gallery_lines_gap(lines), smallest = 0, wanted = 0, count = 0;
  *minimum_baseline = *natural_baseline = -1;
  GtkWidget *child = gallery_laid_out(gtk_widget_get_first_child(lines));
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    for (; child; child = gallery_laid_out(gtk_widget_get_next_sibling(child))) {
      int least = 0, usual = 0;
      gtk_widget_measure(child, orientation, -1, &least, &usual, NULL, NULL);
      smallest = MAX(smallest, least);
      wanted += usual + (count++ ? gap : 0);
    }
    *minimum = smallest, *natural = wanted;
    return;
  }
  // Without a width, that of the narrowest: the most lines.
  if (width < 0) width = gallery_smallest(lines, GTK_ORIENTATION_HORIZONTAL, -1);
  while (child) {
    GalleryLine line = gallery_line_from(lines, child, width);
    int *widths = g_newa(int, (gsize)line.count);
    gboolean grows = FALSE;
    gallery_line_widths(line, width, widths);
    wanted += gallery_line_height(line, widths, &grows) + (count++ ? gap : 0);
    child = line.end;
  }
  *minimum = *natural = wanted;
}
// Gives every line its height, and what is left to those that have a widget that would have more.
static inline void gallery_lines_allocate(GtkWidget *lines, int width, int height, int baseline) {
  int gap = gallery_lines_gap(lines), needed = 0, top = 0, growing = 0, count = 0, ignored = 0;
  gboolean reversed = gtk_widget_get_direction(lines) == GTK_TEXT_DIR_RTL;
  GtkWidget *first = gallery_laid_out(gtk_widget_get_first_child(lines));
  (void)baseline;
  for (GtkWidget *child = first; child; child = gallery_laid_out(gtk_widget_get_next_sibling(child))) count++;
  int *widths = g_newa(int, (gsize)count + 1);
  gallery_lines_measure(lines, GTK_ORIENTATION_VERTICAL, width, &needed, &ignored, &ignored, &ignored);
  for (GtkWidget *child = first; child;) {
    GalleryLine line = gallery_line_from(lines, child, width);
    for (; child != line.end; child = gallery_laid_out(gtk_widget_get_next_sibling(child)))
      if (gtk_widget_compute_expand(child, GTK_ORIENTATION_VERTICAL)) {
        growing++;
        child = line.end;
        break;
      }
  }
  int left = MAX(0, height - needed);
  for (GtkWidget *child = first; child;) {
    GalleryLine line = gallery_line_from(lines, child, width);
    gboolean grows = FALSE;
    gallery_line_widths(line, width, widths);
    int line_height = gallery_line_height(line, widths, &grows), x = 0, place = 0;
    if (grows) {
      int share = left / growing--;
      left -= share;
      line_height += share;
    }
    for (; child != line.end; child = gallery_laid_out(gtk_widget_get_next_sibling(child))) {
      int own = widths[place++];
      GtkAllocation room = {reversed ? width - x - own : x, top, own, line_height};
      gtk_widget_size_allocate(child, &room, -1);
      x += own + gap;
    }
    top += line_height + gap;
  }
}
// A box whose widgets stand beside each other where there is room, and in several lines where there is not.
static inline GtkWidget *gallery_lines(int gap) {
  GtkWidget *lines = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  g_object_set_data(G_OBJECT(lines), "gallery-gap", GINT_TO_POINTER(gap));
  gtk_widget_set_layout_manager(
    lines, gtk_custom_layout_new(gallery_lines_mode, gallery_lines_measure, gallery_lines_allocate));
  return lines;
}

#pragma clang assume_nonnull end
