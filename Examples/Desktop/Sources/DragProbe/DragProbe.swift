/// A small window from which a file can be dragged: what a file manager is to the tests.
import CAdwaita
import Foundation

@main
struct DragProbe {
  @MainActor
  static func main() {
    guard let path = CommandLine.arguments.dropFirst().first, gtk_init_check() != 0 else {
      FileHandle.standardError.write(Data("usage: DragProbe FILE, with a display\n".utf8))
      exit(3)
    }
    guard let window = gtk_window_new() else { exit(1) }
    let root = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
    gtk_window_set_title(root, "Drag probe")
    gtk_window_set_default_size(root, 200, 120)
    let handle = gallery_label("Drag me", 0)
    gallery_expand(handle, 1, 1)
    gallery_offer_file(handle, path)
    gtk_window_set_child(root, handle)
    gallery_present(window)
    g_main_loop_run(g_main_loop_new(nil, 0))
  }
}
