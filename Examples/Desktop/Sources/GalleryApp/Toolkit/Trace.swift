/// What the application shows, as lines of JSON for those who test it from outside.
import CAdwaita
import Foundation

enum Trace {
  /// Where the lines go; nil when nobody asked for them.
  static var file: TraceFile?
  /// The widgets that have a name.
  static var widgets: [(name: String, widget: Widget)] = []
  private static var places: [String: [Double]] = [:]

  /// Notes one line: what it is about, and fields of text.
  static func note(_ subject: String, _ fields: [String: String]) {
    file?.write(fields.merging(["about": subject]) { $1 })
  }

  /// Notes where the named widgets are that have moved, come or gone.
  static func notePlaces(in window: Widget) {
    guard file != nil else { return }
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

/// Encodes and writes on a queue of its own, in order: what is tested is the application, and not its trace.
nonisolated final class TraceFile: Sendable {
  private let file: FileHandle
  private let queue = DispatchQueue(label: "org.mainstay.Gallery.trace")

  /// - Returns: nil when the file cannot be written.
  init?(at path: String) {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { return nil }
    self.file = file
  }

  func write(_ fields: [String: String]) {
    queue.async { [file] in
      guard let line = try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys]) else { return }
      try? file.write(contentsOf: line + Data("\n".utf8))
    }
  }

  /// Returns when everything is in the file.
  func finish() { queue.sync {} }
}
