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

/// What the program brings with it: a property list, and a file of any other kind.
@MainActor
func bundled() throws -> Int {
  guard let keys = Bundle.main.url(forResource: "Keys", withExtension: "plist"),
    let words = Bundle.main.url(forResource: "Words", withExtension: "txt")
  else { return 0 }
  let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: keys), options: [], format: nil)
  return try String(contentsOf: words, encoding: .utf8).count + (list as? [String] ?? []).count  // expect: main_actor_blocking
}
