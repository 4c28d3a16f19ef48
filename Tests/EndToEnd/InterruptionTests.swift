import Foundation
import Testing

@Suite("An audit that is interrupted", .timeLimit(.minutes(60)))
struct InterruptionTests {
  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(
      name: "App", targets: [.target(name: "App", swiftSettings: [.defaultIsolation(MainActor.self)])],
      swiftLanguageModes: [.v6])
    """

  /// A package, and a `swift` that says over a pipe that it has been started, and then builds for ever.
  private struct Waiting {
    let folder = (try? TestFolder.make()) ?? ""
    let words: AsyncStream<String>
    private let source: any DispatchSourceRead

    /// - Parameter when: what the shell tests before it waits; otherwise it builds.
    init(when: String, source text: String) async throws {
      try FileManager.default.createDirectory(atPath: "\(folder)/Sources/App", withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
      try InterruptionTests.manifest.write(toFile: "\(folder)/Package.swift", atomically: true, encoding: .utf8)
      try text.write(toFile: "\(folder)/Sources/App/A.swift", atomically: true, encoding: .utf8)
      let pipe = "\(folder)/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let script = """
        #!/bin/sh
        cd '\(folder)'
        if \(when); then exec 9>pipe; echo started >&9; exec sleep 3600; fi
        PATH='\(path)' exec swift "$@"
        """
      try await TestFolder.makeExecutable("\(folder)/bin/swift", holding: Data(script.utf8))
      // The pipe ends when nobody holds its other side: neither the shell nor what it became.
      let end = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(end >= 0)
      let (words, continuation) = AsyncStream<String>.makeStream()
      self.words = words
      source = DispatchSource.makeReadSource(fileDescriptor: end, queue: .global())
      source.setEventHandler {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(end, &buffer, 64)
        if count > 0 { continuation.yield(String(decoding: buffer.prefix(count), as: UTF8.self)) }
        if count == 0 { continuation.finish() }
      }
      source.setCancelHandler { close(end) }
      source.resume()
    }

    /// Audits, sends a signal when the build has begun, and returns how the tool ended, once the build has ended, too.
    func audit(_ options: [String], signal: Int32) async throws -> Subprocess.End {
      let path = "\(folder)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
      let running = try Subprocess.Running(
        Subprocess(executable: Tool.path, arguments: ["audit", folder] + options, environment: ["PATH": path]),
        output: "\(folder)/output", errors: "\(folder)/errors")
      for await word in words where word.hasPrefix("started") { kill(running.pid, signal) }
      source.cancel()
      return await running.wait()
    }
  }

  @Test("ends its build with it, by the signal that it was sent", arguments: [SIGINT, SIGTERM])
  func build(signal: Int32) async throws {
    let waiting = try await Waiting(when: "true", source: "func f() {}\n")
    #expect(try await waiting.audit([], signal: signal) == .killed(signal))
  }

  @Test("takes back the edits that nothing proved yet")
  func fixes() async throws {
    let source = "final class Model {\n  @MainActor func show() {}\n}\n"
    let waiting = try await Waiting(when: "! grep -q MainActor Sources/App/A.swift", source: source)
    #expect(try await waiting.audit(["--fix"], signal: SIGINT) == .killed(SIGINT))
    #expect(try String(contentsOfFile: "\(waiting.folder)/Sources/App/A.swift", encoding: .utf8) == source)
  }
}
