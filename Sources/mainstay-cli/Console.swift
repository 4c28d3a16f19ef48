import Foundation
import MainstayAudit
import MainstayTrace

/// Where the tool writes: findings on stdout, notes and progress on stderr. A reader that has gone away ends nothing.
enum Console {
  /// What cannot be written was asked for in vain: that ends the tool, with the reason.
  static func output(_ text: String) {
    guard let code = write(text + "\n", to: STDOUT_FILENO), code != EPIPE else { return }
    error("mainstay: cannot write to standard output: \(String(cString: strerror(code)))")
    exit(with: .failure)
  }

  static func error(_ text: String) { _ = write(plain(text) + "\n", to: STDERR_FILENO) }

  /// A text of several lines in which nothing commands a terminal: paths and names come from outside.
  static func plain(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { PlainText.of(String($0)) }
      .joined(separator: "\n")
  }

  /// A message for a person: its words are broken into lines where stderr is a terminal, which would break them anywhere.
  static func report(_ text: String) {
    error(isatty(STDERR_FILENO) == 1 ? broken(text, width: width, hang: 2) : text)
  }

  /// A text for stdout whose lines are broken between words at its width, each under where it began.
  static func fitted(_ text: String) -> String { broken(text, width: min(outputWidth, 80), hang: 0) }

  private static func broken(_ text: String, width: Int, hang: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let margin = String(line.prefix { $0 == " " })
      return String(line.dropFirst(margin.count)).lines(width: max(20, width - margin.count - hang)).enumerated().map {
        margin + ($0.offset == 0 ? "" : String(repeating: " ", count: hang)) + $0.element
      }
    }.joined(separator: "\n")
  }

  /// Makes descriptors that whoever started this closed lead nowhere: otherwise what is opened next would be taken for them,
  /// and be written into.
  static func holdDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Whether a file that an option names can be written at all: said before the work that it is for, not after.
  ///
  /// - Throws: `UsageError` that names the file and what is wrong with it.
  static func checkPlace(of file: String) throws {
    if WrittenFile.state(of: file).isFolder {
      throw UsageError("cannot write '\(file)': it is a folder")
    }
    let folder = folder(of: file)
    if !FileManager.default.fileExists(atPath: folder) {
      throw UsageError("cannot write '\(file)': there is no folder '\(folder)'")
    }
  }

  // Foundation's own way to a path's folder stops the program on names of one letter.
  private static func folder(of file: String) -> String { file.lastIndex(of: "/").map { String(file[...$0]) } ?? "." }

  /// Writes a file that an option named.
  ///
  /// - Throws: `UsageError` that names the file and what is wrong with it.
  static func save(_ text: String, as file: String) throws {
    do {
      try WrittenFile.write(text, to: file)
    } catch {
      try checkPlace(of: file)
      let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
      throw UsageError("cannot write '\(file)': \(isFull ? "there is no room left" : "it may not be written")")
    }
  }

  /// Prints a document, or writes the file that an option named for it.
  ///
  /// - Throws: `UsageError` as `save` does.
  static func deliver(_ text: String, to file: String?) throws {
    if let file {
      try save(text, as: file)
    } else {
      output(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
  }

  /// The columns of the terminal that stderr is, or 80.
  static var width: Int { TerminalWidth.columns(of: STDERR_FILENO) }

  /// The columns of the terminal that stdout is, of `COLUMNS` where it is none, or 80.
  static var outputWidth: Int {
    guard isatty(STDOUT_FILENO) == 0, let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) })
    else { return TerminalWidth.columns(of: STDOUT_FILENO) }
    return min(max(columns, 40), 120)
  }

  /// Whether stderr is a terminal that may be written to in colour.
  static var hasColor: Bool { mayColor(STDERR_FILENO) }

  /// Whether stdout is one.
  static var outputHasColor: Bool { mayColor(STDOUT_FILENO) }

  /// Whether stderr is a terminal on which a line can be written over.
  static var erasesLines: Bool {
    let terminal = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(STDERR_FILENO) == 1 && !["", "dumb", "unknown"].contains(terminal)
  }

  private static func mayColor(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// - Returns: the number of the error that kept a part from being written, if any.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      if written <= 0 { return errno }
      rest = rest.dropFirst(written)
    }
    return nil
  }
}
