import Foundation
import Testing

/// A program of `Tests/Fixtures/Programs`, compiled once for each way of building it.
struct FixtureProgram: Sendable {
  let name: String
  let path: String

  enum Build: String, Hashable, CaseIterable, Sendable {
    case debug = "-Onone -g"
    case release = "-O -g"
    case stripped = "-O -Xlinker -s"
    case withStaticRuntime = "-O -g -static-stdlib"
    case withStrippedStaticRuntime = "-O -static-stdlib -Xlinker -s"
    case withThreadSanitizer = "-Onone -g -sanitize=thread"

    static let usual: [Build] = [.debug, .release]
  }

  static func named(_ name: String, _ build: Build) async throws -> FixtureProgram {
    try await Builds.shared.program(name, build)
  }

  /// The number of the line of the source that ends in the comment `// marker`.
  func line(_ marker: String) throws -> Int {
    let source = try String(contentsOfFile: "\(TestFolder.fixtures)/Programs/\(name).swift", encoding: .utf8)
    let index = source.components(separatedBy: "\n").firstIndex { $0.hasSuffix("// \(marker)") }
    return try #require(index, "no line of \(name).swift is marked '\(marker)'") + 1
  }

  /// The program as it is, without anybody who watches.
  func run(
    _ arguments: [String] = [], environment: [String: String?] = [:], input: Data = Data()
  ) async throws -> Subprocess.Outcome {
    try await Subprocess(executable: path, arguments: arguments, environment: environment, input: input).run()
  }

  private actor Builds {
    static let shared = Builds()

    private var programs: [String: Task<FixtureProgram, any Error>] = [:]

    func program(_ name: String, _ build: Build) async throws -> FixtureProgram {
      let key = "\(name) \(build.rawValue)"
      if let known = programs[key] { return try await known.value }
      let task = Task { try await Self.compile(name, build) }
      programs[key] = task
      return try await task.value
    }

    private static func compile(_ name: String, _ build: Build) async throws -> FixtureProgram {
      let source = "\(TestFolder.fixtures)/Programs/\(name).swift"
      // The executable has the fixture's name, whatever it was built like: processes are told apart by it.
      let folder = try TestFolder.make()
      let output = "\(folder)/\(name)"
      var arguments = ["swiftc", "-swift-version", "6", "-module-name", name, source, "-o", output]
      arguments += build.rawValue.split(separator: " ").map(String.init)
      let text = try String(contentsOfFile: source, encoding: .utf8)
      if text.contains("\n@main") { arguments.append("-parse-as-library") }
      if text.contains("\nimport Mainstay") { arguments += try Self.recorder() }
      let compiler = try await Subprocess(executable: "/usr/bin/env", arguments: arguments).run()
      try #require(
        compiler.end == .exited(0), "\(name).swift does not compile with \(build.rawValue): \(compiler.errors)")
      return FixtureProgram(name: name, path: output)
    }

    /// The library and the modules that record from within, as the package's build left them beside these tests.
    private static func recorder() throws -> [String] {
      let products = URL(filePath: Tool.path).deletingLastPathComponent().path
      let clang = ["CMainstayDemangling", "CMainstayRecorder", "CMainstayTrace"]
      let sources = URL(filePath: "\(TestFolder.fixtures)/../../Sources").standardized.path
      let modules = clang.flatMap {
        ["-Xcc", "-fmodule-map-file=\(products)/\($0).build/module.modulemap", "-Xcc", "-I\(sources)/\($0)/include"]
      }
      let objects = try (clang + ["Mainstay", "MainstayTrace", "MainstayRecording"]).flatMap { target in
        let folder = "\(products)/\(target).build"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return files.filter { $0.hasSuffix(".o") }.map { "\(folder)/\($0)" }
      }
      return ["-I", "\(products)/Modules"] + modules + objects
    }
  }
}
