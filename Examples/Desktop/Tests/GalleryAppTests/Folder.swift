/// The files of a window, for as long as a test needs them.
import Foundation

final class Folder {
  private let url = FileManager.default.temporaryDirectory.appending(path: "window-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}
