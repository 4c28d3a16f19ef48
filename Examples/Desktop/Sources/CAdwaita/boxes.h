// Boxes, panes and what else holds widgets.
#pragma once
#include "signals.h"

#pragma clang assume_nonnull begin

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
static inline void gallery_middle_down(GtkWidget *widget) { gtk_widget_set_valign(widget, GTK_ALIGN_CENTER); }
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
// Opens and closes the sidebar; to be shown when the window is too narrow for it. Not by a binding to "folded": that
// changes while the window is laid out, when a widget beside it must not come or go.
static inline GtkWidget *gallery_flap_button(GtkWidget *flap) {
  GtkWidget *button = gtk_toggle_button_new();
  gtk_button_set_icon_name(GTK_BUTTON(button), "sidebar-show-symbolic");
  gtk_widget_set_tooltip_text(button, "Pages");
  g_object_bind_property(flap, "reveal-flap", button, "active", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  return button;
}
static inline GtkWidget *gallery_header(GtkWidget *start, GtkWidget *title, GtkWidget *end, GtkWidget *menu) {
  GtkWidget *header = adw_header_bar_new();
  adw_header_bar_pack_start(ADW_HEADER_BAR(header), start);
  adw_header_bar_set_title_widget(ADW_HEADER_BAR(header), title);
  // In a narrow window the title leaves the middle, for what is beside it has no less room.
  adw_header_bar_set_centering_policy(ADW_HEADER_BAR(header), ADW_CENTERING_POLICY_LOOSE);
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
  // GTK binds the key by itself only for a window that comes from the application's resources.
  const char *accels[] = {"<Control>question", NULL};
  gtk_application_set_accels_for_action(gtk_window_get_application(GTK_WINDOW(window)), "win.show-help-overlay", accels);
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

#pragma clang assume_nonnull end
