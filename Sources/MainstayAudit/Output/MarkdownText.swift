/// Text as a cell of a Markdown table: nothing in it ends the cell, opens a tag or becomes emphasis.

enum MarkdownText {
  static func cell(_ text: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "|", "_", "*", "`", "\\": out += "\\\(character)"
      case "<": out += "&lt;"
      case "\n", "\r", "\r\n", "\t": out += " "
      default: out += PlainText.of(String(character))
      }
    }
    return out
  }

  /// As code, which a table still splits at its bars.
  static func code(_ text: String) -> String {
    var inner = ""
    for character in text {
      switch character {
      case "|": inner += "\\|"
      case "\n", "\r", "\r\n", "\t": inner += " "
      default: inner += PlainText.of(String(character))
      }
    }
    return inner.contains("`") ? "`` \(inner) ``" : "`\(inner)`"
  }
}
