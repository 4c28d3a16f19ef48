/// Where a command writes: what was asked for on one stream, what happens meanwhile on the other.
import Foundation
import Terminal

struct Console: Sendable {
  /// One line of the result.
  let print: @Sendable (String) -> Void
  /// One line about the progress or a failure.
  let note: @Sendable (String) -> Void
  /// Columns of the terminal that the result is shown on; nil when it is kept in a file.
  var width: Int?
  /// The same of progress and failures.
  var noteWidth: Int?

  /// Standard output and standard error.
  static let process = Console(
    print: { line in FileHandle.standardOutput.write(Data((line + "\n").utf8)) },
    note: { line in FileHandle.standardError.write(Data((line + "\n").utf8)) },
    width: TerminalWidth.columns(of: STDOUT_FILENO), noteWidth: TerminalWidth.columns(of: STDERR_FILENO))

  /// Says why nothing came of a command.
  func complain(_ problem: String) {
    note(Paragraph.message("gallery: \(problem)", width: noteWidth))
  }

  func help(_ text: String) -> ExitCode {
    print(text)
    return .success
  }
}
