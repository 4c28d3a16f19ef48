/// GTK's widgets, as the pages use them.
import CAdwaita
import Mainstay

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Where every callback of GTK enters the main actor.
nonisolated let gtkCallbacks = AssertedBoundary(
  "GTK callbacks", contract: "GTK calls back on the thread that runs its loop, which is the main thread")

/// What a callback runs. GTK holds it, and lets it go with the widget.
private final class Handler {
  private let body: @MainActor () -> Void
  init(_ body: @escaping @MainActor () -> Void) { self.body = body }
  func run() { body() }

  /// Two C functions and the data for them.
  static func held(_ body: @escaping @MainActor () -> Void) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Handler(body)).toOpaque()
  }
}

nonisolated private func runHandler(_ data: UnsafeMutableRawPointer) {
  gtkCallbacks.deliver(data) { Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue().run() }
}

nonisolated private func releaseHandler(_ data: UnsafeMutableRawPointer) {
  gtkCallbacks.deliver(data) { Unmanaged<Handler>.fromOpaque($0).release() }
}

/// Told of a text.
private final class TextHandler {
  let take: @MainActor (String) -> Void
  init(_ take: @escaping @MainActor (String) -> Void) { self.take = take }
}

nonisolated private func takeText(_ text: UnsafePointer<CChar>, _ data: UnsafeMutableRawPointer) {
  gtkCallbacks.deliver((String(cString: text), data)) { text, data in
    Unmanaged<TextHandler>.fromOpaque(data).takeUnretainedValue().take(text)
  }
}

extension UnsafeMutablePointer where Pointee == GtkWidget {
  /// Calls an action each time that the widget emits a signal.
  func on(_ signal: String, _ action: @escaping @MainActor () -> Void) {
    gallery_connect(self, signal, runHandler, Handler.held(action), releaseHandler)
  }

  /// Calls an action each time that the widget is clicked.
  func onClick(_ action: @escaping @MainActor () -> Void) {
    gallery_on_click(self, runHandler, Handler.held(action), releaseHandler)
  }

  /// Puts widgets into a box, one after the other.
  @discardableResult
  func holding(_ children: Widget...) -> Widget {
    for child in children { gallery_append(self, child) }
    return self
  }

  /// Adds a class of the theme's.
  @discardableResult
  func styled(_ name: String) -> Widget {
    gallery_class(self, name)
    return self
  }

  /// What a screen reader and the tests call the widget: no other of the window has the name, on whatever page it is.
  @discardableResult
  func called(_ name: String) -> Widget {
    gallery_accessible_name(self, name)
    // Of two with one name the hidden one is noted as the place of both.
    precondition(
      Trace.widgets.allSatisfy { $0.name != name }, "two widgets are called \"\(name)\": give each a name of its own")
    Trace.widgets.append((name, self))
    return self
  }

  func say(_ text: String) { gallery_label_say(self, text) }
}

/// Boxes, a margin around them.
enum Box {
  static func row(spacing: Int32 = 8, margin: Int32 = 0) -> Widget { gallery_box(0, spacing, margin) }
  /// Beside each other, and in several lines where there is less room than their size requests ask for.
  static func lines(spacing: Int32 = 8) -> Widget { gallery_lines(spacing) }
  static func column(spacing: Int32 = 8, margin: Int32 = 0) -> Widget { gallery_box(1, spacing, margin) }
}

/// Has a key press, such as `<Control>f`, run an action for as long as the application runs.
func shortcut(
  _ app: UnsafeMutablePointer<AdwApplication>, _ name: String, _ keys: String,
  _ action: @escaping @MainActor () -> Void
) {
  gallery_action(app, name, keys, runHandler, Handler.held(action))
}

/// Has one of several choices hold, at first `choice`; the closure is told of another for as long as the application runs.
func chooseWith(
  _ app: UnsafeMutablePointer<AdwApplication>, _ name: String, _ choice: String,
  _ chosen: @escaping @MainActor (String) -> Void
) {
  gallery_choice_action(app, name, choice, takeText, Unmanaged.passRetained(TextHandler(chosen)).toOpaque())
}

/// Has GTK call an action when the application begins.
func whenActivated(_ app: UnsafeMutablePointer<AdwApplication>, _ action: @escaping @MainActor () -> Void) {
  gallery_connect(app, "activate", runHandler, Handler.held(action), releaseHandler)
}

/// An array of C strings that lasts for a call.
func withCStrings<Value>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value) -> Value {
  var pointers: [UnsafePointer<CChar>?] = strings.map { UnsafePointer(strdup($0)) }
  pointers.append(nil)
  defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
  return pointers.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { preconditionFailure("an array with an end has a start") }
    return body(start)
  }
}
