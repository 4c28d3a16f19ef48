/// One of several, all of them to be seen: buttons in lines, of which one stays pressed.
import CAdwaita

final class Choice {
  let widget: Widget
  private let buttons: [Widget]
  /// What is pressed is being said, and was not chosen by a person.
  private var isShowing = false

  /// - Parameters:
  ///   - titles: of the buttons, which also name them for screen readers and tests.
  ///   - chosen: told of the place of what a person has pressed.
  init(_ titles: [String], chosen: @escaping @MainActor (Int) -> Void) {
    var buttons: [Widget] = []
    for title in titles { buttons.append(gallery_toggle(title, buttons.first).called(title)) }
    self.buttons = buttons
    widget = Box.lines(spacing: 4)
    for button in buttons { gallery_append(widget, button) }
    for (place, button) in buttons.enumerated() {
      button.on("toggled") { [weak self] in
        // The one that is let go tells as well.
        guard let self, !isShowing, gallery_toggle_is_pressed(button) != 0 else { return }
        chosen(place)
      }
    }
  }

  /// Presses a button without telling.
  func show(_ place: Int) {
    isShowing = true
    gallery_toggle_press(buttons[place])
    isShowing = false
  }
}
