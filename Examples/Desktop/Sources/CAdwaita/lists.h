// Lists: a long one of titles, whose rows exist for what is on the screen alone, and a short one of widgets.
#pragma once
#include "boxes.h"
#include "signals.h"
#include "widgets.h"

#pragma clang assume_nonnull begin

static inline void gallery_row_setup(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer _Nullable data) {
  (void)factory, (void)data;
  GtkWidget *box = gallery_box(TRUE, 2, 6);
  GtkWidget *title = gallery_label("", FALSE), *below = gallery_label("", FALSE);
  gtk_widget_add_css_class(below, "dim-label");
  gtk_widget_add_css_class(below, "caption");
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), below);
  gtk_list_item_set_child(item, box);
}
static inline void gallery_row_bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer _Nullable data) {
  (void)factory, (void)data;
  GtkWidget *title = gtk_widget_get_first_child(gtk_list_item_get_child(item));
  char **lines = g_strsplit(gtk_string_object_get_string(GTK_STRING_OBJECT(gtk_list_item_get_item(item))), "\n", 2);
  gtk_label_set_text(GTK_LABEL(title), lines[0] ? lines[0] : "");
  gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(title)), lines[0] && lines[1] ? lines[1] : "");
  g_strfreev(lines);
}
static inline GtkWidget *gallery_list(void) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(gallery_row_setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(gallery_row_bind), NULL);
  GtkSelectionModel *model = GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(gtk_string_list_new(NULL))));
  return gtk_list_view_new(model, factory);
}
// Puts rows in the place of `removed` others, from one on.
static inline void gallery_list_splice(GtkWidget *list, unsigned from, unsigned removed,
                                       const char *_Nullable const *rows) {
  GtkNoSelection *model = GTK_NO_SELECTION(gtk_list_view_get_model(GTK_LIST_VIEW(list)));
  gtk_string_list_splice(GTK_STRING_LIST(gtk_no_selection_get_model(model)), from, removed, rows);
}
// Has the list show a row and stay with it, whatever comes and goes around it: a list stays with the row that was at its
// top, so that what comes before it is out of sight. To scroll is not enough: the list is where it was until it is laid out.
static inline void gallery_list_keep(GtkWidget *list, unsigned row) {
  gtk_widget_activate_action(list, "list.scroll-to-item", "u", row);
}
static inline unsigned gallery_list_count(GtkWidget *list) {
  return g_list_model_get_n_items(G_LIST_MODEL(gtk_list_view_get_model(GTK_LIST_VIEW(list))));
}
static inline double gallery_scrolled_to(GtkWidget *scrolled) {
  return gtk_adjustment_get_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled)));
}
// How much there is below what is seen, in heights of what is seen.
static inline double gallery_scrolled_left(GtkWidget *scrolled) {
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled));
  double page = gtk_adjustment_get_page_size(down);
  return page > 0 ? (gtk_adjustment_get_upper(down) - gtk_adjustment_get_value(down) - page) / page : 0;
}
static inline void gallery_scroll(GtkWidget *scrolled, double to) {
  gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled)), to);
}

// A short list: so many rows in one frame, each two texts
static inline GtkWidget *gallery_rows(void) {
  GtkWidget *list = gtk_list_box_new();
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(list, "boxed-list");
  return list;
}
// Puts widgets into a row of it; the row is what is shown or hidden.
static inline GtkWidget *gallery_rows_add(GtkWidget *list, GtkWidget *child) {
  GtkWidget *row = gtk_list_box_row_new();
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), child);
  gtk_list_box_append(GTK_LIST_BOX(list), row);
  return row;
}

#pragma clang assume_nonnull end
