/// The keys of the window, and the window that lists them.
import CAdwaita
import Foundation

struct Shortcut {
  /// Under which heading it is listed.
  let group: String
  /// What the action is called.
  let name: String
  /// As GTK writes them: `<Control>f`.
  let keys: String
  let title: String
  let action: @MainActor () -> Void

  init(
    _ group: String, _ name: String, _ keys: String, _ title: String, action: @escaping @MainActor () -> Void = {}
  ) {
    self.group = group
    self.name = name
    self.keys = keys
    self.title = title
    self.action = action
  }

  /// Those that GTK carries out by itself, for the list.
  static let ofTheToolkit = [
    Shortcut("Window", "menu", "F10", "Main menu"),
    Shortcut("Window", "shortcuts", "<Control>question", "These shortcuts"),
  ]

  /// The window that lists them, as GtkBuilder reads it.
  static func description(of shortcuts: [Shortcut]) -> String {
    var groups: [(name: String, rows: String)] = []
    for shortcut in shortcuts {
      let row = """
        <child><object class="GtkShortcutsShortcut">
        <property name="accelerator">\(escaped(shortcut.keys))</property>
        <property name="title">\(escaped(shortcut.title))</property></object></child>
        """
      if let index = groups.firstIndex(where: { $0.name == shortcut.group }) {
        groups[index].rows += row
      } else {
        groups.append((shortcut.group, row))
      }
    }
    let listed = groups.map { group in
      """
      <child><object class="GtkShortcutsGroup"><property name="title">\(escaped(group.name))</property>
      \(group.rows)</object></child>
      """
    }
    return """
      <interface><object class="GtkShortcutsWindow" id="shortcuts"><property name="modal">1</property>
      <property name="title">Keyboard Shortcuts</property>
      <child><object class="GtkShortcutsSection"><property name="section-name">all</property>
      \(listed.joined())</object></child></object></interface>
      """
  }

  nonisolated private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
