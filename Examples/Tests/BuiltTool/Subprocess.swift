/// A program that a test runs, in an empty folder of its own.
import Foundation

public struct Subprocess {
  public struct Outcome: Sendable {
    public var status: Int32
    public var isSignal: Bool
    public var output: String
    public var notes: String
    /// What the program left in its folder.
    public var files: [String]
  }

  /// What crashes on purpose leaves nothing, also where a machine keeps what crashed.
  private static let keepsNoCore: Bool = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    limit.rlim_cur = 0
    return setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0
  }()

  /// Runs a program to its end, without holding a thread of the pool meanwhile.
  public static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Outcome {
    _ = keepsNoCore
    let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-process-\(UUID().uuidString)")
    let output = FileManager.default.temporaryDirectory.appending(path: "gallery-output-\(UUID().uuidString)")
    for made in [folder, output] {
      try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    }
    defer { for made in [folder, output] { try? FileManager.default.removeItem(at: made) } }
    func file(_ name: String) throws -> FileHandle {
      try Data().write(to: output.appending(path: name))
      return try FileHandle(forWritingTo: output.appending(path: name))
    }
    func text(_ name: String) throws -> String { try String(contentsOf: output.appending(path: name), encoding: .utf8) }

    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // A crash is expected here and there: its backtrace takes seconds and tells nothing new.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
    process.standardOutput = try file("output")
    process.standardError = try file("notes")
    let (ended, end) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ended {}
    return Outcome(
      status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
      output: try text("output"), notes: try text("notes"),
      files: try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }
}
