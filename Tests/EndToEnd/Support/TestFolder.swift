import Foundation

/// One folder for everything that a test run makes; it goes away with the process.
enum TestFolder {
  static let path: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "mainstay-end-to-end-\(getpid())").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: TestFolder.path) }
    return path
  }()

  /// A folder of its own for one test.
  static func make() throws -> String {
    let folder = "\(path)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// `Tests/Fixtures`.
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures").path
}
