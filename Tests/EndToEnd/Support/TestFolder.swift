import Foundation
import Testing

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

  /// Makes a file that can be executed, by a process of its own: one that this process writes cannot be while a process that
  /// another test starts at that moment has inherited it, open for writing.
  static func makeExecutable(_ path: String, holding bytes: Data) async throws {
    try await ran("/bin/sh", ["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh", path], input: bytes)
  }

  /// Copies a program, or a folder of some, in the same way.
  static func copyExecutable(_ path: String, to copy: String) async throws {
    try await ran("/bin/cp", ["-R", "--", path, copy])
  }

  private static func ran(_ program: String, _ arguments: [String], input: Data = Data()) async throws {
    let outcome = try await Subprocess(executable: program, arguments: arguments, input: input).run()
    try #require(outcome.end == .exited(0), "\(outcome.errors)")
  }

  /// `Tests/Fixtures`.
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures").path
}
