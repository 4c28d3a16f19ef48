// Labels, buttons, entries and other small widgets.
#pragma once
#include "signals.h"

#pragma clang assume_nonnull begin

// Tells the whole of a text that has not the room for it.
static inline gboolean gallery_label_tell(GtkWidget *label, int x, int y, gboolean by_key, GtkTooltip *tooltip,
                                          gpointer _Nullable data) {
  (void)x, (void)y, (void)by_key, (void)data;
  if (!pango_layout_is_ellipsized(gtk_label_get_layout(GTK_LABEL(label)))) return FALSE;
  gtk_tooltip_set_text(tooltip, gtk_label_get_text(GTK_LABEL(label)));
  return TRUE;
}
// As wide as its text, always.
static inline GtkWidget *gallery_words(const char *text) {
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  return label;
}
// Where it has less room than its text, it wraps; or it shows the beginning, and the whole when it is pointed at.
static inline GtkWidget *gallery_label(const char *text, gboolean wraps) {
  GtkWidget *label = gallery_words(text);
  gtk_label_set_wrap(GTK_LABEL(label), wraps);
  // A word that is longer than a line, as a path is, is broken: it would widen the window.
  if (wraps) gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  if (wraps) return label;
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_has_tooltip(label, TRUE);
  g_signal_connect(label, "query-tooltip", G_CALLBACK(gallery_label_tell), NULL);
  return label;
}
// So wide that the text may change without moving its neighbours.
static inline void gallery_label_width(GtkWidget *label, int characters) {
  gtk_label_set_width_chars(GTK_LABEL(label), characters);
}
static inline void gallery_label_right(GtkWidget *label) { gtk_label_set_xalign(GTK_LABEL(label), 1); }
static inline void gallery_label_markup(GtkWidget *label, const char *markup) {
  gtk_label_set_markup(GTK_LABEL(label), markup);
}
static inline void gallery_label_say(GtkWidget *label, const char *text) { gtk_label_set_text(GTK_LABEL(label), text); }
static inline GtkWidget *gallery_button(const char *text) { return gtk_button_new_with_label(text); }
static inline GtkWidget *gallery_icon_button(const char *icon, const char *tooltip) {
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_set_tooltip_text(button, tooltip);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  return button;
}
static inline void gallery_button_icon(GtkWidget *button, const char *icon, const char *tooltip) {
  gtk_button_set_icon_name(GTK_BUTTON(button), icon);
  gtk_widget_set_tooltip_text(button, tooltip);
}
static inline void gallery_button_say(GtkWidget *button, const char *text) {
  gtk_button_set_label(GTK_BUTTON(button), text);
}
static inline GtkWidget *gallery_switch(void) {
  GtkWidget *toggle = gtk_switch_new();
  gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER);
  return toggle;
}
static inline gboolean gallery_switch_is_on(GtkWidget *toggle) { return gtk_switch_get_active(GTK_SWITCH(toggle)); }
static inline void gallery_switch_turn(GtkWidget *toggle, gboolean on) { gtk_switch_set_active(GTK_SWITCH(toggle), on); }
static inline GtkWidget *gallery_spinner(void) { return gtk_spinner_new(); }
static inline void gallery_spinner_spin(GtkWidget *spinner, gboolean spins) {
  gtk_spinner_set_spinning(GTK_SPINNER(spinner), spins);
}
static inline GtkWidget *gallery_search_entry(const char *placeholder) {
  GtkWidget *entry = gtk_search_entry_new();
  g_object_set(entry, "placeholder-text", placeholder, NULL);
  return entry;
}
static inline const char *gallery_text(GtkWidget *editable) { return gtk_editable_get_text(GTK_EDITABLE(editable)); }
static inline void gallery_set_text(GtkWidget *editable, const char *text) {
  gtk_editable_set_text(GTK_EDITABLE(editable), text);
  gtk_editable_set_position(GTK_EDITABLE(editable), -1);
}
static inline GtkWidget *gallery_scale(double low, double high, double step) {
  GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, low, high, step);
  gtk_range_set_increments(GTK_RANGE(scale), step, step);
  gtk_scale_set_digits(GTK_SCALE(scale), 0);
  return scale;
}
static inline double gallery_scale_value(GtkWidget *scale) { return gtk_range_get_value(GTK_RANGE(scale)); }
static inline void gallery_scale_move(GtkWidget *scale, double value) { gtk_range_set_value(GTK_RANGE(scale), value); }
static inline void gallery_scale_shows_value(GtkWidget *scale) {
  gtk_scale_set_draw_value(GTK_SCALE(scale), TRUE);
  gtk_scale_set_value_pos(GTK_SCALE(scale), GTK_POS_RIGHT);
}
static inline GtkWidget *gallery_dropdown(const char *_Nullable const *choices) { return gtk_drop_down_new_from_strings(choices); }
static inline void gallery_choice_setup(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer _Nullable data) {
  (void)factory, (void)data;
  gtk_list_item_set_child(item, gallery_label("", FALSE));
}
static inline void gallery_choice_bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer _Nullable data) {
  (void)factory, (void)data;
  GtkStringObject *text = GTK_STRING_OBJECT(gtk_list_item_get_item(item));
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), gtk_string_object_get_string(text));
}
// So wide at least; a longer choice is cut where there is no more room, and whole in the list.
static inline void gallery_dropdown_shrinks(GtkWidget *dropdown, int width) {
  GtkDropDown *choices = GTK_DROP_DOWN(dropdown);
  gtk_drop_down_set_list_factory(choices, gtk_drop_down_get_factory(choices));
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(gallery_choice_setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(gallery_choice_bind), NULL);
  gtk_drop_down_set_factory(choices, factory);
  g_object_unref(factory);
  gtk_widget_set_size_request(dropdown, width, -1);
}
static inline unsigned gallery_dropdown_choice(GtkWidget *dropdown) {
  return gtk_drop_down_get_selected(GTK_DROP_DOWN(dropdown));
}
// One of a group that stays pressed, when the first of that group is given.
static inline GtkWidget *gallery_toggle(const char *text, GtkWidget *_Nullable first) {
  GtkWidget *toggle = gtk_toggle_button_new_with_label(text);
  if (first) gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(toggle), GTK_TOGGLE_BUTTON(first));
  return toggle;
}
static inline gboolean gallery_toggle_is_pressed(GtkWidget *toggle) {
  return gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(toggle));
}
static inline void gallery_toggle_press(GtkWidget *toggle) {
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(toggle), TRUE);
}
// Replaces the choices; the first is chosen.
static inline void gallery_dropdown_offer(GtkWidget *dropdown, const char *_Nullable const *choices) {
  GtkStringList *strings = gtk_string_list_new(choices);
  gtk_drop_down_set_model(GTK_DROP_DOWN(dropdown), G_LIST_MODEL(strings));
  g_object_unref(strings);
}
static inline void gallery_dropdown_choose(GtkWidget *dropdown, unsigned place) {
  gtk_drop_down_set_selected(GTK_DROP_DOWN(dropdown), place);
}
static inline GtkWidget *gallery_entry(const char *placeholder, const char *text) {
  GtkWidget *entry = gtk_entry_new();
  gtk_entry_set_placeholder_text(GTK_ENTRY(entry), placeholder);
  gtk_editable_set_text(GTK_EDITABLE(entry), text);
  return entry;
}
static inline gboolean gallery_is_sensitive(GtkWidget *widget) { return gtk_widget_is_sensitive(widget); }
static inline void gallery_class(GtkWidget *widget, const char *name) { gtk_widget_add_css_class(widget, name); }
static inline void gallery_tooltip(GtkWidget *widget, const char *text) { gtk_widget_set_tooltip_text(widget, text); }
static inline void gallery_accessible_name(GtkWidget *widget, const char *name) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}
static inline void gallery_sensitive(GtkWidget *widget, gboolean is) { gtk_widget_set_sensitive(widget, is); }
static inline void gallery_visible(GtkWidget *widget, gboolean is) { gtk_widget_set_visible(widget, is); }
static inline void gallery_size(GtkWidget *widget, int width, int height) {
  gtk_widget_set_size_request(widget, width, height);
}

#pragma clang assume_nonnull end
