import Foundation
import Testing

/// The recorder's store is C with internal headers: a program of its own drives it, compiled with sanitizers.
@Suite("The store of a recording", .timeLimit(.minutes(5)))
struct StoreTests {
  @Test("folds what it overwrites: what was kept and folded is what was written")
  func fold() async throws { try await StoreProgram.check("fold", sanitizer: "address,undefined") }

  @Test("stays exact while eight threads fill 4 MB over and over", arguments: ["address,undefined", "thread"])
  func hammer(sanitizer: String) async throws { try await StoreProgram.check("hammer", sanitizer: sanitizer) }

  @Test("puts every record into its totals when the disk has no room for blocks")
  func noRoom() async throws { try await StoreProgram.check("no-room", sanitizer: "address,undefined") }

  @Test("gives all threads the same entries, and counts what finds none", arguments: ["address,undefined", "thread"])
  func tables(sanitizer: String) async throws { try await StoreProgram.check("tables", sanitizer: sanitizer) }

  @Test("keeps the longest stalls, and counts the frames of those that gave way")
  func stalls() async throws { try await StoreProgram.check("stalls", sanitizer: "address,undefined") }
}

/// `Tests/Fixtures/Programs/store/StoreChecks.c` with the recorder's own `store.c`.
private enum StoreProgram {
  static func check(_ name: String, sanitizer: String) async throws {
    let program = try await builds.path(sanitizer)
    let folder = try builds.folder.get()
    let result = try await run(program, [name, "\(folder)/recording-\(name)-\(sanitizer)"])
    #expect(result.status == 0, "\(result.output)")
  }

  private static let builds = Builds()

  private actor Builds {
    nonisolated let folder = Result {
      let path = FileManager.default.temporaryDirectory.appending(path: "mainstay-store-\(getpid())").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      atexit {
        try? FileManager.default.removeItem(
          atPath: FileManager.default.temporaryDirectory.appending(path: "mainstay-store-\(getpid())").path)
      }
      return path
    }
    private var programs: [String: Task<String, any Error>] = [:]

    func path(_ sanitizer: String) async throws -> String {
      if let known = programs[sanitizer] { return try await known.value }
      let task = Task { try await compile(sanitizer) }
      programs[sanitizer] = task
      return try await task.value
    }

    private func compile(_ sanitizer: String) async throws -> String {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      let sources = tests.deletingLastPathComponent().appending(path: "Sources")
      let output = "\(try folder.get())/checks-\(sanitizer)"
      // The toolchain's thread sanitizer knows of Dispatch, and wants it linked.
      let resources = try await StoreProgram.run("/usr/bin/env", ["clang", "-print-resource-dir"])
      let libraries = URL(filePath: resources.output.trimmingCharacters(in: .whitespacesAndNewlines))
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "swift/linux").path
      let dispatch =
        sanitizer == "thread" ? ["-L", libraries, "-ldispatch", "-lBlocksRuntime", "-Wl,-rpath,\(libraries)"] : []
      let result = try await StoreProgram.run(
        "/usr/bin/env",
        [
          "clang", "-std=gnu17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fno-omit-frame-pointer",
          "-fsanitize=\(sanitizer)",
          "-fno-sanitize-recover=all", "-pthread", "-I", sources.appending(path: "CMainstayTrace/include").path, "-I",
          sources.appending(path: "CMainstayRecorder").path,
          tests.appending(path: "Fixtures/Programs/store/StoreChecks.c").path,
          sources.appending(path: "CMainstayRecorder/store.c").path, "-o", output,
        ] + dispatch)
      try #require(result.status == 0, "the store does not compile: \(result.output)")
      return output
    }
  }

  private static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
    let file = "\(try builds.folder.get())/output-\(UUID().uuidString)"
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
