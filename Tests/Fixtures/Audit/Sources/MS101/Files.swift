/// What is removed: a file that is also written here, or something that may be a tree of files.
import Foundation

@MainActor func forget(_ text: String, _ url: URL) {
  try? text.write(to: url, atomically: true, encoding: .utf8)  // expect: main_actor_blocking
  try? FileManager.default.removeItem(at: url)
}

@MainActor func clear(_ url: URL) {
  try? FileManager.default.removeItem(at: url)  // expect: main_actor_blocking
}
