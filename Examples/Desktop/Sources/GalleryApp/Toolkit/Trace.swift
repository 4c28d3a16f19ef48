/// What the application shows, as lines of JSON for those who test it from outside.
import CAdwaita
import Foundation

enum Trace {
  /// Where the lines go; nil when nobody asked for them.
  static var output: FileHandle?
  /// The widgets that have a name.
  static var widgets: [(name: String, widget: Widget)] = []
  private static var places: [String: [Double]] = [:]

  /// Writes one line: what it is about, and fields of text.
  static func note(_ subject: String, _ fields: [String: String]) {
    guard let output else { return }
    var fields = fields
    fields["about"] = subject
    guard let line = try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys]) else { return }
    try? output.write(contentsOf: line + Data("\n".utf8))
  }

  /// Writes where the named widgets are that have moved, come or gone.
  static func notePlaces(in window: Widget) {
    guard output != nil else { return }
    for (name, widget) in widgets {
      var place = [0.0, 0, 0, 0]
      let isShown = place.withUnsafeMutableBufferPointer { gallery_place(widget, window, $0.baseAddress) != 0 }
      let now = isShown ? place : []
      guard places[name] != now else { continue }
      places[name] = now
      note("place", ["widget": name, "place": now.map { "\(Int($0))" }.joined(separator: " ")])
    }
  }
}
