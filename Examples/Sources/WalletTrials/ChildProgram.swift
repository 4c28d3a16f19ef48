/// A program that is started, listened to, and perhaps killed.
import Dispatch
import Foundation
import Synchronization

/// Runs a program on a thread of its own, because reading from it blocks.
///
/// Foundation's `Process` waits for the end of every process that inherited its socket, and a server that a script
/// starts is such a one: so this is `posix_spawn`.
struct ChildProgram: Sendable {
  struct Outcome: Sendable {
    /// Complete lines of its standard output.
    var lines: [String]
    /// Its exit status; nil when a signal ended it.
    var status: Int32?
  }

  var path: String
  var arguments: [String]
  /// Called once, on the reading thread, when so many lines have come.
  var afterLines: (count: Int, action: @Sendable (pid_t) -> Void)?

  /// A child must not inherit the pipe of another, whose end would then not be seen.
  private static let spawning = Mutex(())

  /// - Throws: `TrialFailure` when it cannot be started.
  func run() async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "wallet.child").async { continuation.resume(with: Result { try runBlocking() }) }
    }
  }

  /// As ``run()``, on the calling thread.
  func runBlocking() throws -> Outcome {
    let (process, output) = try Self.spawning.withLock { _ in try spawn() }
    defer { close(output) }
    let lines = read(output, from: process)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return Outcome(lines: lines, status: status & 0x7f == 0 ? status >> 8 & 0xff : nil)
  }

  /// - Returns: the process and the end of the pipe that its output comes from.
  private func spawn() throws -> (process: pid_t, output: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw TrialFailure("no pipe: \(String(cString: strerror(errno)))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, path, &actions, nil, &words, environ)
    guard error == 0 else {
      close(ends[0])
      throw TrialFailure("\(path) cannot be started: \(String(cString: strerror(error)))")
    }
    return (process, ends[0])
  }

  /// Reads to the end of the output.
  private func read(_ descriptor: Int32, from process: pid_t) -> [String] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var lines = 0
    var action = afterLines
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      lines += buffer[..<count].count { $0 == UInt8(ascii: "\n") }
      if let due = action, lines >= due.count {
        action = nil
        due.action(process)
      }
    }
    // What follows the last newline was cut off by a kill, and was not said.
    let complete = bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)]
    return complete.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}
