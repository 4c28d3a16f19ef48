/// The lines of a text as editors count them, also where they end as on Windows.

enum SourceLines {
  /// Each line without its line feed; a carriage return before that stays. To Swift, the two together are one character
  /// that is no line feed.
  static func split(_ text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// A line without the carriage return that may end it.
  static func withoutReturn(_ line: Substring) -> Substring { line.last == "\r" ? line.dropLast() : line }
}
