/// Text that comes from outside, for where it is shown: nothing in it may steer a terminal, or end a line or a document.

package enum PlainText {
  /// Control characters and what separates lines as a source would write them: `\n`, `\u{1B}`. All else as it is.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: steers) else { return text }
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where steers(scalar): out += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// Control characters, separators of lines, and what turns the direction of a line around.
  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
  }
}
