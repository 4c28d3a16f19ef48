/// One line that says how a page stands, and beneath it as many lines as a problem needs.
///
/// The state changes all the time, so that nothing else may depend on what it says: of a label that wraps, GTK knows the
/// size when it has tried every width, and when the size changes it lays out the window at its smallest width, too. A
/// page with a hundred rows takes 30 ms for that, two frames.
import CAdwaita

final class StatusLine {
  let widget: Widget
  private let state = gallery_label("", 0)
  private let problem = gallery_label("", 1)

  /// - Parameter name: what a screen reader and the tests call it.
  init(called name: String) {
    widget = Box.column(spacing: 0).holding(state.styled("dim-label"), problem.styled("error"))
    gallery_visible(problem, 0)
    gallery_expand(widget, 1, 0)
    gallery_middle_down(widget)
    state.called(name)
    problem.called("\(name): problem")
  }

  func say(_ text: String) {
    state.say(text)
    gallery_visible(problem, 0)
    gallery_visible(state, 1)
  }

  func say(problem text: String) {
    problem.say(text)
    gallery_visible(state, 0)
    gallery_visible(problem, 1)
  }
}
