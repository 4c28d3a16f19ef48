import Foundation
import MainstayTrace
import Testing

/// The `mainstay` that was built together with these tests.
enum Tool {
  /// Beside the executable that runs the tests.
  static let path: String = {
    let tests =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "mainstay").path
  }()

  static func run(
    _ arguments: [String], environment: [String: String?] = [:], input: Data = Data(), folder: String? = nil
  ) async throws -> Subprocess.Outcome {
    try #require(
      FileManager.default.isExecutableFile(atPath: path), "there is no mainstay at \(path): run 'swift build' first")
    // The user's cache is not the tests' to write to.
    let own = ["XDG_CACHE_HOME": "\(TestFolder.path)/caches"].merging(environment) { $1 }
    return try await Subprocess(
      executable: path, arguments: arguments, environment: own, input: input, folder: folder
    ).run()
  }

  /// What a run printed, and what it found.
  struct Run {
    var outcome: Subprocess.Outcome
    var summary: RunSummary

    func executor(_ name: String) throws -> RunSummary.Executor {
      try #require(
        summary.executors.first { $0.name == name },
        "no executor \(name) among \(summary.executors.map(\.name)); \(outcome.errors)")
    }
  }

  /// Runs a program under `mainstay run`, and reads the document.
  static func record(
    _ command: [String], options: [String] = [], environment: [String: String?] = [:], input: Data = Data(),
    folder: String? = nil
  ) async throws -> Run {
    let json = "\(try TestFolder.make())/run.json"
    let outcome = try await run(
      ["run", "--json", json] + options + ["--"] + command, environment: environment, input: input, folder: folder)
    let data = try #require(FileManager.default.contents(atPath: json), "no document was written: \(outcome.errors)")
    return Run(outcome: outcome, summary: try JSONDecoder().decode(RunSummary.self, from: data))
  }
}

extension FixtureProgram {
  func recorded(
    _ arguments: [String] = [], options: [String] = [], environment: [String: String?] = [:], input: Data = Data()
  ) async throws -> Tool.Run {
    try await Tool.record([path] + arguments, options: options, environment: environment, input: input)
  }
}
