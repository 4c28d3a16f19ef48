import Foundation
import Testing

/// A program of `Tests/Fixtures/Programs` that drives files of the recorder, whose headers are internal: compiled with
/// them, once for each way, and run for one check at a time. It says what is wrong, and nothing when all is well.
final class CheckProgram: Sendable {
  static let store = CheckProgram("store/StoreChecks.c", with: ["store.c", "tables.c"])
  static let stack = CheckProgram("stack/StackChecks.c", with: ["stack.c", "unwind.c", "eh_frame.c"])

  /// How a program is compiled.
  enum Build: Hashable, Sendable, CustomTestStringConvertible {
    case sanitized(String)
    /// As the library that is preloaded is, but for its frame pointers.
    case optimized

    var testDescription: String {
      switch self {
      case .sanitized(let name): name
      case .optimized: "-O2"
      }
    }

    fileprivate var options: [String] {
      switch self {
      case .sanitized(let name):
        ["-O1", "-fno-omit-frame-pointer", "-fsanitize=\(name)", "-fno-sanitize-recover=all"]
      case .optimized: ["-O2"]
      }
    }
  }

  private let source: String
  private let files: [String]
  private let builds = Builds()

  private init(_ source: String, with files: [String]) {
    self.source = source
    self.files = files
  }

  /// Runs one of the program's checks, with a file of its own to write to.
  func check(_ name: String, _ build: Build) async throws {
    let program = try await builds.path(build) { try await self.compile(build) }
    let result = try await Self.run(program, [name, "\(try Self.folder.get())/file-\(UUID().uuidString)"])
    #expect(result.status == 0, "\(result.output)")
  }

  private actor Builds {
    private var programs: [Build: Task<String, any Error>] = [:]

    func path(_ build: Build, compile: @escaping @Sendable () async throws -> String) async throws -> String {
      if let known = programs[build] { return try await known.value }
      let task = Task { try await compile() }
      programs[build] = task
      return try await task.value
    }
  }

  private static let folder = Result {
    let path = FileManager.default.temporaryDirectory.appending(path: "mainstay-checks-\(getpid())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit {
      try? FileManager.default.removeItem(
        atPath: FileManager.default.temporaryDirectory.appending(path: "mainstay-checks-\(getpid())").path)
    }
    return path
  }

  private func compile(_ build: Build) async throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let sources = tests.deletingLastPathComponent().appending(path: "Sources")
    let output = "\(try Self.folder.get())/checks-\(UUID().uuidString)"
    var libraries = ["-lm", "-Wl,-z,now"]
    if build == .sanitized("thread") {
      // The toolchain's thread sanitizer knows of Dispatch, and wants it linked.
      let resources = try await Self.run("/usr/bin/env", ["clang", "-print-resource-dir"])
      let path = URL(filePath: resources.output.trimmingCharacters(in: .whitespacesAndNewlines))
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "swift/linux").path
      libraries += ["-L", path, "-ldispatch", "-lBlocksRuntime", "-Wl,-rpath,\(path)"]
    }
    let result = try await Self.run(
      "/usr/bin/env",
      ["clang", "-std=gnu17", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"] + build.options + [
        "-I", sources.appending(path: "CMainstayTrace/include").path, "-I",
        sources.appending(path: "CMainstayRecorder").path,
        tests.appending(path: "Fixtures/Programs/\(source)").path,
      ] + files.map { sources.appending(path: "CMainstayRecorder/\($0)").path } + ["-o", output] + libraries)
    try #require(result.status == 0, "\(source) does not compile: \(result.output)")
    return output
  }

  private static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
    let file = "\(try folder.get())/output-\(UUID().uuidString)"
    try Data().write(to: URL(filePath: file))
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = try FileHandle(forWritingTo: URL(filePath: file))
    process.standardOutput = output
    process.standardError = output
    let (ended, end) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ended {}
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOfFile: file, encoding: .utf8))
  }
}
