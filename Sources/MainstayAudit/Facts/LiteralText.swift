/// What is kept of a text that stands in the source: that it is one, and the extension if it names a file.

enum LiteralText {
  static let any = "literal"
  static let propertyList = any + ".plist"
  /// A list of literals.
  static let list = "[" + any + "]"

  /// `literal` for a text, `literal.json` for `settings.json`, and for `plist` where an extension is an argument of its own.
  static func kept(of text: String) -> String {
    if text == "plist" { return propertyList }
    guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return any }
    let name = text[text.index(after: dot)...]
    guard (1...8).contains(name.utf8.count), name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
      return any
    }
    return any + "." + name
  }

  static func isText(_ literal: String) -> Bool { literal == any || literal.hasPrefix(any + ".") }

  static func namesFile(_ literal: String) -> Bool { literal.hasPrefix(any + ".") }
}
