import Foundation

/// A program that a test starts and waits for. Its output goes to files, so that no amount of it blocks anything.
struct Subprocess {
  var executable: String
  var arguments: [String] = []
  /// Added to this process's environment; nil takes a variable away.
  var environment: [String: String?] = [:]
  var input = Data()
  var folder: String?

  enum End: Hashable {
    case exited(Int32)
    case killed(Int32)
  }

  struct Outcome {
    var end: End
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    /// The number that follows a word at the start of a line of the output or the errors.
    func number(_ word: String) -> Double? { numbers(word).first }
    func numbers(_ word: String) -> [Double] {
      (text + "\n" + errors).split(separator: "\n").compactMap { line in
        line.hasPrefix(word + " ") ? Double(line.dropFirst(word.count + 1)) : nil
      }
    }
  }

  func run() async throws -> Outcome { try await Lanes.shared.run { try await started() } }

  private func started() async throws -> Outcome {
    let files = try TestFolder.make()
    let running = try Running(self, output: "\(files)/output", errors: "\(files)/errors")
    let end = await running.wait()
    defer { try? FileManager.default.removeItem(atPath: files) }
    return Outcome(
      end: end, output: try Data(contentsOf: URL(filePath: "\(files)/output")),
      errors: String(decoding: try Data(contentsOf: URL(filePath: "\(files)/errors")), as: UTF8.self))
  }

  /// A program that has been started and can be sent signals.
  final class Running: Sendable {
    private let process: Process
    private let ended: AsyncStream<Void>

    convenience init(_ description: Subprocess, output: String, errors: String) throws {
      let process = Process()
      process.executableURL = URL(filePath: description.executable)
      process.arguments = description.arguments
      var environment = ProcessInfo.processInfo.environment
      for (name, value) in description.environment { environment[name] = value }
      process.environment = environment
      if let folder = description.folder { process.currentDirectoryURL = URL(filePath: folder) }
      for (path, contents) in [(output, Data()), (errors, Data()), (output + ".input", description.input)] {
        try contents.write(to: URL(filePath: path))
      }
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
      process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: output + ".input"))
      try self.init(process)
    }

    init(_ process: Process) throws {
      let (ended, end) = AsyncStream<Void>.makeStream()
      process.terminationHandler = { _ in end.finish() }
      try process.run()
      self.process = process
      self.ended = ended
    }

    var pid: pid_t { process.processIdentifier }

    /// A test that is out of time ends its program.
    func wait() async -> End {
      await withTaskCancellationHandler {
        for await _ in ended {}
      } onCancel: { [pid = pid] in
        kill(pid, SIGKILL)
      }
      if process.isRunning { process.waitUntilExit() }
      let status = process.terminationStatus
      return process.terminationReason == .exit ? .exited(status) : .killed(status)
    }
  }
}
