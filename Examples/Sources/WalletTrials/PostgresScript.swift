/// A throwaway PostgreSQL server, through the project's script.
import Foundation

/// A server in a folder of its own, that can be killed as a crash would.
public struct PostgresScript: Sendable {
  /// `scripts/postgres`.
  public var path: String
  public var folder: String

  public init(path: String, folder: String) {
    self.path = path
    self.folder = folder
  }

  /// Starts it, or starts it again.
  ///
  /// - Returns: its connection string.
  public func start() throws -> String { try run("start") }

  /// Kills it and starts it again. Returns when it takes connections.
  public func crash() throws {
    _ = try run("kill")
    _ = try run("start")
  }

  public func stop() throws { _ = try run("stop") }

  /// Blocks; not for a task.
  private func run(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = [command, folder]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    try? output.fileHandleForWriting.close()
    // To the first line only: the server inherits the pipe and does not close it.
    var bytes = Data()
    while command == "start", !bytes.contains(UInt8(ascii: "\n")),
      case let chunk = output.fileHandleForReading.availableData, !chunk.isEmpty
    {
      bytes.append(chunk)
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw TrialFailure("\(path) \(command) ended with status \(process.terminationStatus)")
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
