import Foundation
import Testing

/// The tool, and what it is to look at.
enum AuditTool {
  /// Where this was built: `Examples/.build`, or a folder in it.
  static let scratch: String = {
    let tests =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: tests).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  }()
  static let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL.path

  /// The tool that was built beside this, from the package that this one is in.
  static var path: String? {
    let own = ProcessInfo.processInfo.environment["MAINSTAY_TOOL"]
    let beside = scratch.replacing("/Examples/.build", with: "/.build")
    let package = URL(filePath: examples).deletingLastPathComponent().appending(path: ".build").path
    return [own, beside + "/debug/mainstay", package + "/debug/mainstay"].compactMap(\.self).first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
  static var isHere: Bool { path != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

  /// What a command of the tool writes about what is built already. On a thread that may wait for it.
  static func run<Document: Decodable & Sendable>(_ command: String, as: Document.Type) async throws -> Document {
    let tool = try #require(path, "the tool is not built; make test builds it first")
    let output = FileManager.default.temporaryDirectory.appending(path: "\(command)-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: output) }
    let arguments = [
      command, examples, "--no-build", "--scratch-path", scratch, "--format", "json", "--output", output.path,
    ]
    let notes = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let process = Process()
            process.executableURL = URL(filePath: tool)
            process.arguments = arguments
            let pipe = Pipe()
            process.standardError = pipe
            try process.run()
            let notes = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: notes, as: UTF8.self)
          })
      }
    }
    let data = try #require(FileManager.default.contents(atPath: output.path), "\(command) wrote nothing: \(notes)")
    return try JSONDecoder().decode(Document.self, from: data)
  }
}
