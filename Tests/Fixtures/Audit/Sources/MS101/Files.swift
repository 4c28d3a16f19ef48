/// What is removed: a file that is also written here, or something that may be a tree of files.
import Foundation

@MainActor func forget(_ text: String, _ url: URL) {
  try? text.write(to: url, atomically: true, encoding: .utf8)  // expect: main_actor_blocking
  try? FileManager.default.removeItem(at: url)
}

@MainActor func clear(_ url: URL) {
  try? FileManager.default.removeItem(at: url)  // expect: main_actor_blocking
}

/// One file, by the name that it has here; a folder, whatever it is called.
@MainActor
final class SettingsFile {
  let folder: URL
  private var file: URL { folder.appendingPathComponent("settings").appendingPathExtension("json") }
  init(folder: URL) { self.folder = folder }

  func reset() {
    try? FileManager.default.removeItem(at: file)
    try? FileManager.default.removeItem(atPath: folder.appendingPathComponent("older.json").path)
    try? FileManager.default.moveItem(at: folder.appendingPathComponent("new.json"), to: file)
  }

  func forgetAll() {
    try? FileManager.default.removeItem(at: folder.appendingPathComponent("caches"))  // expect: main_actor_blocking
  }
}
