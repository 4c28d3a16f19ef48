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

    /// Whether the recorder found times in which the machine did not let the program run, and took them from what was long.
    var stoodStill: Bool { summary.notVisible.contains { $0.contains("in which the whole process did not run") } }

    /// How many milliseconds the program took by its own clock, but for what it planted. A machine that stands still, or has
    /// much else to do, makes other jobs long than those that were planted, and those longer; but none by more than this.
    var restMilliseconds: Double {
      get throws { try #require(outcome.number("rest"), "\(outcome.errors)") / 1e6 }
    }

    /// Whether nothing can have been over the budget but what the program planted.
    var isUndisturbed: Bool { get throws { try restMilliseconds < summary.budgetMilliseconds && !stoodStill } }

    /// The samples in which a function was running, or waited for. A machine that stands still while the program is read from
    /// its disk leaves others anywhere, so that whoever asks what a stack looks like says whose.
    func samples(of function: String) -> [RunSummary.Sample] {
      summary.stalls.flatMap(\.samples).filter { $0.frames.contains { $0.function == function } }
    }

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

  /// Records until it saw what it sees by chance: whoever looks needs a processor while there is something to be seen, and
  /// on a machine that is busy may get none in time. What is seen for certain is no condition.
  func recorded(
    _ arguments: [String] = [], options: [String] = [], until isSeen: (Tool.Run) -> Bool
  ) async throws -> Tool.Run {
    var run = try await recorded(arguments, options: options)
    for _ in 0..<20 where !isSeen(run) { run = try await recorded(arguments, options: options) }
    return run
  }
}
