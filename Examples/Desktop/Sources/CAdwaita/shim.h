// GTK 4 and libadwaita for Swift, which imports neither cast macros nor functions with a variable number of arguments.
// Everything here takes and returns GtkWidget, so that one type does on the other side.
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

// --- Application and window
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

// --- Boxes
static inline GtkWidget *gallery_box(gboolean vertical, int spacing, int margin) {
  GtkWidget *box = gtk_box_new(vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, spacing);
  gtk_widget_set_margin_top(box, margin);
  gtk_widget_set_margin_bottom(box, margin);
  gtk_widget_set_margin_start(box, margin);
  gtk_widget_set_margin_end(box, margin);
  return box;
}
static inline void gallery_append(GtkWidget *box, GtkWidget *child) { gtk_box_append(GTK_BOX(box), child); }
static inline GtkWidget *gallery_scrolled(GtkWidget *child) {
  GtkWidget *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), child);
  gtk_widget_set_vexpand(scrolled, TRUE);
  return scrolled;
}
// As much as it needs downwards; across, it scrolls when there is less room.
static inline GtkWidget *gallery_scrolled_across(GtkWidget *child) {
  GtkWidget *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), child);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  return scrolled;
}
// No wider than so many pixels, in the middle of what there is.
static inline GtkWidget *gallery_clamped(GtkWidget *child, int width) {
  GtkWidget *clamp = adw_clamp_new();
  adw_clamp_set_child(ADW_CLAMP(clamp), child);
  adw_clamp_set_maximum_size(ADW_CLAMP(clamp), width);
  return clamp;
}
static inline void gallery_margins(GtkWidget *widget, int top, int bottom, int sides) {
  gtk_widget_set_margin_top(widget, top);
  gtk_widget_set_margin_bottom(widget, bottom);
  gtk_widget_set_margin_start(widget, sides);
  gtk_widget_set_margin_end(widget, sides);
}
static inline void gallery_middle(GtkWidget *widget) { gtk_widget_set_halign(widget, GTK_ALIGN_CENTER); }
static inline void gallery_expand(GtkWidget *widget, gboolean across, gboolean down) {
  gtk_widget_set_hexpand(widget, across);
  gtk_widget_set_vexpand(widget, down);
}
// As large as the page that is shown needs, and not as the largest of all: a window may be as narrow as its page.
static inline GtkWidget *gallery_stack(void) {
  GtkWidget *stack = gtk_stack_new();
  gtk_stack_set_hhomogeneous(GTK_STACK(stack), FALSE);
  gtk_stack_set_vhomogeneous(GTK_STACK(stack), FALSE);
  return stack;
}
static inline void gallery_stack_add(GtkWidget *stack, const char *name, const char *title, GtkWidget *child) {
  gtk_stack_add_titled(GTK_STACK(stack), child, name, title);
}
static inline void gallery_stack_show(GtkWidget *stack, const char *name) {
  gtk_stack_set_visible_child_name(GTK_STACK(stack), name);
}
static inline const char *_Nullable gallery_stack_shown(GtkWidget *stack) {
  return gtk_stack_get_visible_child_name(GTK_STACK(stack));
}
// A list of places to go to, one of which is chosen: "row-selected" says that another is.
static inline GtkWidget *gallery_sidebar(void) {
  GtkWidget *list = gtk_list_box_new();
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_BROWSE);
  gtk_widget_add_css_class(list, "navigation-sidebar");
  gtk_widget_set_size_request(list, 180, -1);
  gtk_widget_set_vexpand(list, TRUE);
  return list;
}
static inline GtkWidget *gallery_sidebar_add(GtkWidget *list, const char *icon, const char *title) {
  GtkWidget *box = gallery_box(FALSE, 12, 0), *row = gtk_list_box_row_new();
  gtk_box_append(GTK_BOX(box), gtk_image_new_from_icon_name(icon));
  gtk_box_append(GTK_BOX(box), gtk_label_new(title));
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_list_box_append(GTK_LIST_BOX(list), row);
  return row;
}
// The chosen place, counted from 0; -1 when none is.
static inline int gallery_sidebar_choice(GtkWidget *list) {
  GtkListBoxRow *row = gtk_list_box_get_selected_row(GTK_LIST_BOX(list));
  return row ? gtk_list_box_row_get_index(row) : -1;
}
static inline void gallery_sidebar_choose(GtkWidget *list, int place) {
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(list), place);
  if (row && row != gtk_list_box_get_selected_row(GTK_LIST_BOX(list)))
    gtk_list_box_select_row(GTK_LIST_BOX(list), row);
}
// The sidebar beside the content, or over it when the window is too narrow for both.
static inline GtkWidget *gallery_flap(GtkWidget *sidebar, GtkWidget *content) {
  GtkWidget *flap = adw_flap_new();
  adw_flap_set_flap(ADW_FLAP(flap), sidebar);
  adw_flap_set_separator(ADW_FLAP(flap), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
  adw_flap_set_content(ADW_FLAP(flap), content);
  gtk_widget_set_vexpand(flap, TRUE);
  return flap;
}
static inline gboolean gallery_flap_is_folded(GtkWidget *flap) { return adw_flap_get_folded(ADW_FLAP(flap)); }
static inline gboolean gallery_flap_is_open(GtkWidget *flap) { return adw_flap_get_reveal_flap(ADW_FLAP(flap)); }
static inline void gallery_flap_open(GtkWidget *flap, gboolean open) {
  adw_flap_set_reveal_flap(ADW_FLAP(flap), open);
}
// Opens and closes the sidebar; there when the window is too narrow for it.
static inline GtkWidget *gallery_flap_button(GtkWidget *flap) {
  GtkWidget *button = gtk_toggle_button_new();
  gtk_button_set_icon_name(GTK_BUTTON(button), "sidebar-show-symbolic");
  gtk_widget_set_tooltip_text(button, "Pages");
  g_object_bind_property(flap, "reveal-flap", button, "active", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property(flap, "folded", button, "visible", G_BINDING_SYNC_CREATE);
  return button;
}
static inline GtkWidget *gallery_header(GtkWidget *start, GtkWidget *title, GtkWidget *end, GtkWidget *menu) {
  GtkWidget *header = adw_header_bar_new();
  adw_header_bar_pack_start(ADW_HEADER_BAR(header), start);
  adw_header_bar_set_title_widget(ADW_HEADER_BAR(header), title);
  adw_header_bar_pack_end(ADW_HEADER_BAR(header), menu);
  adw_header_bar_pack_end(ADW_HEADER_BAR(header), end);
  return header;
}
static inline GtkWidget *gallery_main_menu(void) {
  GMenu *menu = g_menu_new(), *style = g_menu_new(), *more = g_menu_new();
  g_menu_append(style, "Follow System", "app.style::system");
  g_menu_append(style, "Light", "app.style::light");
  g_menu_append(style, "Dark", "app.style::dark");
  g_menu_append_section(menu, "Style", G_MENU_MODEL(style));
  g_menu_append(more, "Keyboard Shortcuts", "win.show-help-overlay");
  g_menu_append(more, "About Gallery", "app.about");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(more));
  GtkWidget *button = gtk_menu_button_new();
  gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "open-menu-symbolic");
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
  // F10 opens it.
  gtk_menu_button_set_primary(GTK_MENU_BUTTON(button), TRUE);
  g_object_unref(style);
  g_object_unref(more);
  g_object_unref(menu);
  return button;
}
// The window that lists the keys, from a description that GtkBuilder reads; Ctrl+? shows it.
static inline void gallery_shortcuts(GtkWidget *window, const char *description) {
  GtkBuilder *builder = gtk_builder_new_from_string(description, -1);
  gtk_application_window_set_help_overlay(GTK_APPLICATION_WINDOW(window),
                                          GTK_SHORTCUTS_WINDOW(gtk_builder_get_object(builder, "shortcuts")));
  g_object_unref(builder);
}
static inline void gallery_about(GtkWidget *window, const char *name, const char *comments) {
  GtkWidget *about = adw_about_window_new();
  adw_about_window_set_application_name(ADW_ABOUT_WINDOW(about), name);
  adw_about_window_set_comments(ADW_ABOUT_WINDOW(about), comments);
  adw_about_window_set_license_type(ADW_ABOUT_WINDOW(about), GTK_LICENSE_APACHE_2_0);
  gtk_window_set_transient_for(GTK_WINDOW(about), GTK_WINDOW(window));
  gtk_window_present(GTK_WINDOW(about));
}
static inline GtkWidget *gallery_window_title(const char *title, const char *subtitle) {
  return adw_window_title_new(title, subtitle);
}
static inline void gallery_window_subtitle(GtkWidget *title, const char *subtitle) {
  adw_window_title_set_subtitle(ADW_WINDOW_TITLE(title), subtitle);
}
static inline GtkWidget *gallery_status(const char *icon, const char *title, const char *description) {
  GtkWidget *page = adw_status_page_new();
  adw_status_page_set_icon_name(ADW_STATUS_PAGE(page), icon);
  adw_status_page_set_title(ADW_STATUS_PAGE(page), title);
  char *text = g_markup_escape_text(description, -1);
  adw_status_page_set_description(ADW_STATUS_PAGE(page), text);
  g_free(text);
  return page;
}
static inline void gallery_status_say(GtkWidget *page, const char *description) {
  char *text = g_markup_escape_text(description, -1);
  adw_status_page_set_description(ADW_STATUS_PAGE(page), text);
  g_free(text);
}
static inline void gallery_status_child(GtkWidget *page, GtkWidget *child) {
  adw_status_page_set_child(ADW_STATUS_PAGE(page), child);
}

// --- Small widgets
static inline GtkWidget *gallery_label(const char *text, gboolean wraps) {
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), wraps);
  if (!wraps) gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
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

// --- A long list of titles, each with a line beneath it: rows exist for what is on the screen alone
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

// --- A short list: so many rows in one frame, each two texts
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

// --- Pictures
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
  // In the order in which cairo has them: GTK would convert another at every frame that draws the picture, slowly.
  gsize count = (gsize)width * (gsize)height;
  const guint8 *from = pixels;
  guint32 *to = g_new(guint32, count);
  for (gsize at = 0; at < count; at++)
    to[at] = 0xff000000u | (guint32)from[3 * at] << 16 | (guint32)from[3 * at + 1] << 8 | from[3 * at + 2];
  GBytes *bytes = g_bytes_new_take(to, 4 * count);
  GdkTexture *texture = gdk_memory_texture_new(width, height, GDK_MEMORY_DEFAULT, bytes, (gsize)width * 4);
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

// --- Drawing and frames
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
static inline int gallery_width(GtkWidget *widget) { return gtk_widget_get_width(widget); }
static inline int gallery_height(GtkWidget *widget) { return gtk_widget_get_height(widget); }

// The time of a frame and its interval in microseconds, and the frames a second as the clock counts them.
typedef void (*gallery_frame)(long long time, long long interval, double rate, void *data);
static inline gboolean gallery_tick_trampoline(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  (void)widget;
  void **pair = data;
  gint64 time = gdk_frame_clock_get_frame_time(clock), interval = 0, presentation = 0;
  gdk_frame_clock_get_refresh_info(clock, time, &interval, &presentation);
  ((gallery_frame)pair[0])(time, interval, gdk_frame_clock_get_fps(clock), pair[1]);
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

// --- Files
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
