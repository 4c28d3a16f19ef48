import MainstayAudit
import MainstayTrace

/// A name as a word of a command that a person may type after us.
enum ShellWord {
  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%")

  /// With a backslash before what a shell would take for more than a letter, and nothing that commands a terminal.
  static func of(_ text: String) -> String {
    if PlainText.of(text) != text { return "$'\(text.unicodeScalars.map(escaped).joined())'" }
    return text.reduce(into: "") { word, letter in
      if letter.isASCII, !plain.contains(letter) { word.append("\\") }
      word.append(letter)
    }
  }

  /// As bash reads it between `$'` and `'`.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let text = String(scalar)
    if scalar == "'" || scalar == "\\" { return "\\" + text }
    if PlainText.of(text) == text { return text }
    return text.utf8.map { "\\x" + String($0, radix: 16).paddedLeft(to: 2).replacing(" ", with: "0") }.joined()
  }
}
