/// A program that is started, listened to, and perhaps killed.
import Dispatch
import Foundation

/// Runs a program on a thread of its own, because reading from it blocks.
struct ChildProgram: Sendable {
  struct Outcome: Sendable {
    /// Complete lines of its standard output.
    var lines: [String]
    var status: Int32
    var wasKilled: Bool
  }

  var path: String
  var arguments: [String]
  /// Called once, on the reading thread, when so many lines have come.
  var afterLines: (count: Int, action: @Sendable (pid_t) -> Void)?

  /// - Throws: when it cannot be started.
  func run() async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "wallet.child").async { continuation.resume(with: Result { try listen() }) }
    }
  }

  private func listen() throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Our own copy would keep the pipe open after the child's end.
    try? output.fileHandleForWriting.close()
    var bytes = Data()
    var lines = 0
    var action = afterLines
    while case let chunk = output.fileHandleForReading.availableData, !chunk.isEmpty {
      bytes.append(chunk)
      lines += chunk.count { $0 == UInt8(ascii: "\n") }
      if let due = action, lines >= due.count {
        action = nil
        due.action(process.processIdentifier)
      }
    }
    process.waitUntilExit()
    // What follows the last newline was cut off by a kill, and was not said.
    let complete = bytes.prefix(through: bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex - 1)
    return Outcome(
      lines: String(decoding: complete, as: UTF8.self).split(separator: "\n").map(String.init),
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal)
  }
}
