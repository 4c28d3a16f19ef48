/// Where the command writes.
import Foundation
import Terminal

/// Results on one stream, the rest on the other.
struct Streams: Sendable {
  let print: @Sendable (String) -> Void
  let note: @Sendable (String) -> Void
  /// How many columns the screen has that results are written to; nil when they go into a file or another program.
  var width: Int?
  /// The same of the rest.
  var noteWidth: Int?

  /// Says why nothing came of a command. What it repeats of the input moves no cursor and reads as no line of its own.
  func complain(_ problem: String) {
    note(Paragraph.message("wallet: \(Echo.readable(problem))", width: noteWidth))
  }

  /// Standard output and standard error. A line is written at once and whole: what was printed was said, also by a
  /// process that is killed the next moment. When nothing can be written any more, the process ends and says so.
  static let process = Streams(
    print: { line in
      do {
        try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
      } catch {
        standardError("wallet: the result cannot be written (\(reason(error))); what was done before that is done")
        exit(ExitCode.failure.rawValue)
      }
    },
    note: standardError, width: TerminalWidth.columns(of: STDOUT_FILENO),
    noteWidth: TerminalWidth.columns(of: STDERR_FILENO))

  @Sendable private static func standardError(_ line: String) {
    // Where this cannot be written, there is nowhere to say so.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }

  private static func reason(_ error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    return cause.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(cause.code))) : "\(error)"
  }
}
