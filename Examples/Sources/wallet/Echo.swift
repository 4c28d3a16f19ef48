/// Input that an error repeats.

enum Echo {
  /// The longest word that is shown whole: no name, key or amount of a wallet is longer, and no path than the other.
  private static let longest = 200
  private static let longestPath = 4_096
  private static let kept = 50

  /// A message in which nothing moves the cursor, changes a colour, or reads as a line that the program did not write;
  /// and in which a word that is too long to be a name of anything is shortened.
  static func readable(_ message: String) -> String {
    message.split(separator: " ", omittingEmptySubsequences: false)
      .map { shortened(String.UnicodeScalarView($0.unicodeScalars.flatMap(escaped))) }
      .joined(separator: " ")
  }

  private static func shortened(_ word: String.UnicodeScalarView) -> String {
    guard word.count > (word.contains("/") ? longestPath : longest) else { return String(word) }
    return String(word.prefix(kept)) + "…" + String(word.suffix(kept))
  }

  /// A control or format character as Swift writes it, and any other as it is.
  private static func escaped(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      Array("\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
    default: [scalar]
    }
  }
}
