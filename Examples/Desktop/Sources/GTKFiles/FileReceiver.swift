/// Files that are dropped on a widget, or chosen in a dialog: GTK's callbacks, as an overlay of GTK would give them.
import CAdwaita

/// Whoever takes files: a delegate of no isolation, because C calls it.
///
/// GTK calls on the thread that runs its loop (GTK 4 Reference, "Threads"). The protocol cannot say so; a conformance that
/// relies on it does, with `@preconcurrency`.
public protocol FileReceiver: AnyObject {
  /// - Parameter path: of a file that a person dropped or chose.
  func receive(path: String)
}

/// What GTK holds of a receiver, for as long as the application runs.
private final class Held {
  let receiver: any FileReceiver
  init(_ receiver: any FileReceiver) { self.receiver = receiver }
}

private func takePath(_ path: UnsafePointer<CChar>, _ data: UnsafeMutableRawPointer) {
  Unmanaged<Held>.fromOpaque(data).takeUnretainedValue().receiver.receive(path: String(cString: path))
}

/// Takes files that are dropped on a widget.
@MainActor
public func acceptFiles(_ widget: UnsafeMutablePointer<GtkWidget>, by receiver: any FileReceiver) {
  gallery_accept_files(widget, takePath, Unmanaged.passRetained(Held(receiver)).toOpaque())
}

/// Lets a person choose a picture, in a dialog over a window.
@MainActor
public func choosePicture(in window: UnsafeMutablePointer<GtkWidget>, for receiver: any FileReceiver) {
  gallery_choose_picture(window, takePath, Unmanaged.passRetained(Held(receiver)).toOpaque())
}
