import BuiltTool
import Foundation

/// The built `gallery`, run in a process and an empty folder of its own.
enum GalleryProcess {
  static var path: String { BuiltTool.products + "/gallery" }

  static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Subprocess.Outcome {
    try await Subprocess.run(path, arguments, environment: environment)
  }
}
