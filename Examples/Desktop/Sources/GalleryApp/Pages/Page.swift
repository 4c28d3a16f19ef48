/// One page of the window.

/// A protocol of the main actor, like everything in this module: a page cannot be used elsewhere.
protocol Page: AnyObject {
  /// What the command line, the sidebar's stack and the trace call it.
  var name: String { get }
  /// What a person calls it.
  var title: String { get }
  /// One line about what the switch does here.
  var explanation: String { get }
  var widget: Widget { get }
  /// Whether the page does its work on the main actor.
  var worksOnMain: Bool { get set }
  /// The page has come onto the screen.
  func appear()
  /// What a person does here again and again; returns when the page shows the outcome.
  func act() async
}

extension Page {
  func appear() {}
}
