/// Areas that draw themselves, and frames.
import CAdwaita
import Mainstay

/// What draws; GTK has it for as long as the application runs.
private final class Drawer {
  let draw: @MainActor (Canvas) -> Void
  init(_ draw: @escaping @MainActor (Canvas) -> Void) { self.draw = draw }
}

nonisolated private func draw(
  _ cairo: OpaquePointer, _ width: Int32, _ height: Int32, _ data: UnsafeMutableRawPointer
) {
  gtkCallbacks.deliver((cairo, data)) { cairo, data in
    Unmanaged<Drawer>.fromOpaque(data).takeUnretainedValue().draw(
      Canvas(cairo: cairo, width: Double(width), height: Double(height)))
  }
}

/// A widget that is drawn by a closure.
func drawing(_ body: @escaping @MainActor (Canvas) -> Void) -> Widget {
  gallery_drawing(draw, Unmanaged.passRetained(Drawer(body)).toOpaque())
}

/// Told of every frame of a window. GTK's callback has no isolation; it keeps the promise of ``gtkCallbacks``.
nonisolated protocol FrameListener: AnyObject {
  /// - Parameters:
  ///   - time: of the frame clock, in microseconds.
  ///   - interval: of the display, in microseconds; 0 when it is not known.
  func frameBegan(at time: Int64, interval: Int64)
}

nonisolated private func tellOfFrame(
  _ time: Int64, _ interval: Int64, _ data: UnsafeMutableRawPointer
) {
  let listeners = Unmanaged<FrameListeners>.fromOpaque(data).takeUnretainedValue()
  gtkCallbacks.deliver(listeners) { for listener in $0.all { listener.frameBegan(at: time, interval: interval) } }
}

/// Those who are told.
final class FrameListeners {
  fileprivate let all: [any FrameListener]

  private init(_ all: [any FrameListener]) { self.all = all }

  static func listen(_ all: [any FrameListener], to window: Widget) {
    gallery_each_frame(window, tellOfFrame, Unmanaged.passRetained(FrameListeners(all)).toOpaque())
  }
}

/// Where a widget draws, for the length of one call.
struct Canvas {
  let cairo: OpaquePointer
  let width: Double
  let height: Double

  func colour(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
    cairo_set_source_rgba(cairo, red, green, blue, alpha)
  }

  func polygon(_ points: [(x: Double, y: Double)]) {
    for (index, point) in points.enumerated() {
      if index == 0 { cairo_move_to(cairo, point.x, point.y) } else { cairo_line_to(cairo, point.x, point.y) }
    }
  }

  func fill() { cairo_fill(cairo) }

  func stroke(width: Double) {
    cairo_set_line_width(cairo, width)
    cairo_stroke(cairo)
  }

  func bar(x: Double, y: Double, width: Double, height: Double) {
    cairo_rectangle(cairo, x, y, width, height)
    cairo_fill(cairo)
  }

  func text(_ text: String, x: Double, y: Double, size: Double) {
    cairo_select_font_face(cairo, "Cantarell", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(cairo, size)
    cairo_move_to(cairo, x, y)
    cairo_show_text(cairo, text)
  }

  func textWidth(_ text: String, size: Double) -> Double {
    cairo_select_font_face(cairo, "Cantarell", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(cairo, size)
    var extents = cairo_text_extents_t()
    cairo_text_extents(cairo, text, &extents)
    return extents.x_advance
  }
}
