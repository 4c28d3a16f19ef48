/// A throwaway PostgreSQL server, through the project's script.

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
    let outcome = try ChildProgram(path: path, arguments: [command, folder]).runBlocking()
    guard outcome.status == 0 else {
      throw TrialFailure("\(path) \(command) failed; what it said is above, or in \(folder)")
    }
    return outcome.lines.last ?? ""
  }
}
