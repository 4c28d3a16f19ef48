import Foundation

/// Where the tool writes: findings on stdout, notes and progress on stderr. A reader that has gone away ends nothing.
enum Console {
  static func output(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }
  static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  /// The columns of the terminal that stderr is, or 80.
  static var width: Int { columns(of: STDERR_FILENO) ?? 80 }

  /// The columns of the terminal that stdout is, of `COLUMNS` where it is none, or 80.
  static var outputWidth: Int {
    columns(of: STDOUT_FILENO) ?? ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.map(bounded) ?? 80
  }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return bounded(Int(size.ws_col))
  }

  private static func bounded(_ columns: Int) -> Int { min(max(columns, 40), 120) }

  /// Whether stderr is a terminal that may be written to in colour.
  static var hasColor: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      if written <= 0 { return }
      rest = rest.dropFirst(written)
    }
  }
}
