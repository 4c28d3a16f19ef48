/// What GTK calls back, on the thread that runs its loop: the main one.
import CAdwaita
import Mainstay

nonisolated private let gtkCallbacks = AssertedBoundary(
  "GTK callbacks", contract: "GTK calls back on the thread that runs its loop, which is the main thread")

/// Of a signal without arguments. Whoever makes one of these keeps it for as long as GTK may call.
final class Callback {
  fileprivate let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// Of a tick of the frame clock.
final class FrameCallback {
  /// - Parameter interval: of the display, in microseconds; 0 when it is not known.
  var body: (_ interval: Int64) -> Void = { _ in }

  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// Of a widget that is drawn.
final class DrawCallback {
  var body: (_ cairo: OpaquePointer, _ width: Double, _ height: Double) -> Void = { _, _, _ in }

  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

// GTK takes functions, and no closures.

nonisolated func call(_ data: UnsafeMutableRawPointer) {
  gtkCallbacks.deliver(data) { Unmanaged<Callback>.fromOpaque($0).takeUnretainedValue().body() }
}

nonisolated func callFrame(_ time: Int64, _ interval: Int64, _ data: UnsafeMutableRawPointer) {
  gtkCallbacks.deliver((interval, data)) { interval, data in
    Unmanaged<FrameCallback>.fromOpaque(data).takeUnretainedValue().body(interval)
  }
}

nonisolated func callDraw(_ cairo: OpaquePointer, _ width: Int32, _ height: Int32, _ data: UnsafeMutableRawPointer) {
  gtkCallbacks.deliver((cairo, data)) { cairo, data in
    Unmanaged<DrawCallback>.fromOpaque(data).takeUnretainedValue().body(cairo, Double(width), Double(height))
  }
}
