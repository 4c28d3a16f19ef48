import Foundation
import Testing

/// The C library without Swift, compiled with sanitizers and driven by `Checks/FeedChecks.c`.
@Suite("The C feed", .timeLimit(.minutes(30)))
struct SanitizerTests {
  static let checks = ["inline", "reentrant", "failing", "hammer", "endings", "cancelled-together", "played"]

  @Test("keeps its promises and its memory, under the sanitizers", arguments: ["address,undefined", "thread"])
  func checks(sanitizer: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-feed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = try await compile(sanitizer, into: folder)
    for check in Self.checks {
      let result = try await run(program, [check], in: folder)
      #expect(result.status == 0, "\(check): \(result.output)")
    }
  }

  private func compile(_ sanitizer: String, into folder: URL) async throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let library = tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/CFeed")
    let sources = try FileManager.default.contentsOfDirectory(at: library, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "c" }.map(\.path).sorted()
    let program = folder.appending(path: "checks").path
    // The toolchain's thread sanitizer knows of Dispatch, and wants it linked.
    let resources = try await run("/usr/bin/env", ["clang", "-print-resource-dir"], in: folder).output
    let swift = URL(filePath: resources.trimmingCharacters(in: .whitespacesAndNewlines))
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "swift/linux").path
    let dispatch =
      sanitizer == "thread" ? ["-L", swift, "-ldispatch", "-lBlocksRuntime", "-Wl,-rpath,\(swift)"] : []
    let options = [
      "clang", "-std=gnu17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fno-omit-frame-pointer",
      "-fsanitize=\(sanitizer)", "-fno-sanitize-recover=all", "-pthread", "-I", library.appending(path: "include").path,
    ]
    let result = try await run(
      "/usr/bin/env",
      options + [tests.appending(path: "Checks/FeedChecks.c").path] + sources + ["-o", program] + dispatch, in: folder)
    try #require(result.status == 0, "the library does not compile: \(result.output)")
    return program
  }

  private func run(_ program: String, _ arguments: [String], in folder: URL) async throws -> (
    status: Int32, output: String
  ) {
    let file = folder.appending(path: "output-\(UUID().uuidString)")
    try Data().write(to: file)
    let output = try FileHandle(forWritingTo: file)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    let (ended, end) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ended {}
    return (process.terminationStatus, try String(contentsOf: file, encoding: .utf8))
  }
}
