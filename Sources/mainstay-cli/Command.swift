import Foundation

/// A subcommand: made from its arguments, run once.
protocol Command {
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  static var help: String { get }
  /// - Throws: `UsageError` for arguments that it does not take.
  init(arguments: [String]) throws
  func run() throws -> ExitStatus
}

/// A command line that says nothing the command understands. The message names the argument, and what would be right.
struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// What the process exits with: Documentation/Output.md.
enum ExitStatus: Equatable {
  case success
  /// Something inside mainstay went wrong.
  case failure
  /// Findings at or above the threshold; a budget that was exceeded.
  case findings
  case usage
  /// Something that was asked for could not be looked at.
  case notObserved
  /// What the program that was run exited with.
  case program(Int32)

  var code: Int32 {
    switch self {
    case .success: 0
    case .failure: 1
    case .findings: 2
    case .usage: 3
    case .notObserved: 4
    case .program(let code): code
    }
  }
}

func exit(with status: ExitStatus) -> Never {
  exit(status.code)
}
