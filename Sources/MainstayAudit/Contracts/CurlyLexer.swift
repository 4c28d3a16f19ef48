/// Splits Kotlin and C into tokens: comments and spaces go, strings stay whole, and line ends are remembered.

struct CurlyToken: Equatable {
  enum Kind { case word, string, symbol, directive }

  var kind: Kind
  var text: String
  /// Whether a line ended between the token before and this one.
  var startsLine: Bool
}

struct CurlyLexer {
  enum Language { case kotlin, c }

  private let bytes: [UInt8]
  private let language: Language
  private var at = 0
  private var tokens: [CurlyToken] = []
  private var isLineStart = true

  private init(_ text: String, _ language: Language) {
    bytes = Array(text.utf8)
    self.language = language
  }

  static func tokens(of text: String, _ language: Language) -> [CurlyToken] {
    var lexer = CurlyLexer(text, language)
    lexer.run()
    return lexer.tokens
  }

  private mutating func run() {
    while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\n"):
        isLineStart = true
        at += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): at += 1
      case UInt8(ascii: "\\") where continuation > 0: at += continuation
      case UInt8(ascii: "/") where next == UInt8(ascii: "/"):
        while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "#") where language == .c && isLineStart: readDirective()
      case UInt8(ascii: "\""): readString()
      case UInt8(ascii: "'"): readCharacter()
      case UInt8(ascii: "`") where language == .kotlin: readQuotedName()
      default: CurlyLexer.isWord(byte) ? readWord() : add(.symbol, from: at, to: at + symbolLength)
      }
    }
  }

  /// The bytes of a backslash and the line's end behind it, which may be one as on Windows; 0 where there is none.
  private var continuation: Int {
    guard bytes[at] == UInt8(ascii: "\\"), let next else { return 0 }
    if next == UInt8(ascii: "\n") { return 2 }
    return next == UInt8(ascii: "\r") && at + 2 < bytes.count && bytes[at + 2] == UInt8(ascii: "\n") ? 3 : 0
  }

  private var next: UInt8? { at + 1 < bytes.count ? bytes[at + 1] : nil }

  /// Operators of two characters that a declaration's end depends on.
  private var symbolLength: Int {
    guard let next else { return 1 }
    let pair = String(decoding: [bytes[at], next], as: UTF8.self)
    return ["?.", "?:", "->", "&&", "||", "::", "==", "!=", "<=", ">=", ".."].contains(pair) ? 2 : 1
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  private mutating func add(_ kind: CurlyToken.Kind, from start: Int, to end: Int) {
    let end = min(end, bytes.count)
    tokens.append(
      CurlyToken(kind: kind, text: String(decoding: bytes[start..<end], as: UTF8.self), startsLine: isLineStart))
    isLineStart = false
    at = end
  }

  private mutating func readWord() {
    var end = at
    while end < bytes.count, CurlyLexer.isWord(bytes[end]) { end += 1 }
    add(.word, from: at, to: end)
  }

  /// Kotlin's comments nest, C's do not.
  private mutating func skipComment() {
    var depth = 0
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "/"), next == UInt8(ascii: "*"), depth == 0 || language == .kotlin {
        depth += 1
        at += 2
      } else if bytes[at] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        depth -= 1
        at += 2
        if depth == 0 { return }
      } else {
        if bytes[at] == UInt8(ascii: "\n") { isLineStart = true }
        at += 1
      }
    }
  }

  private mutating func readString() {
    let quote = UInt8(ascii: "\"")
    if language == .kotlin, at + 2 < bytes.count, bytes[at + 1] == quote, bytes[at + 2] == quote {
      var end = at + 3
      while end < bytes.count {
        if bytes[end] == quote, end + 2 < bytes.count, bytes[end + 1] == quote, bytes[end + 2] == quote {
          end += 3
          break
        }
        end += 1
      }
      return add(.string, from: at, to: end)
    }
    readUntil(quote)
  }

  private mutating func readCharacter() { readUntil(UInt8(ascii: "'")) }

  /// Up to a closing quote on the same line.
  private mutating func readUntil(_ quote: UInt8) {
    var end = at + 1
    while end < bytes.count, bytes[end] != quote, bytes[end] != UInt8(ascii: "\n") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    add(.string, from: at, to: end + 1)
  }

  private mutating func readQuotedName() {
    var end = at + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "`"), bytes[end] != UInt8(ascii: "\n") { end += 1 }
    tokens.append(
      CurlyToken(
        kind: .word, text: String(decoding: bytes[(at + 1)..<min(end, bytes.count)], as: UTF8.self),
        startsLine: isLineStart))
    isLineStart = false
    at = min(end + 1, bytes.count)
  }

  /// `#define NAME …` with its continuations is one token, its own spaces made one.
  private mutating func readDirective() {
    var text: [UInt8] = []
    while at < bytes.count, bytes[at] != UInt8(ascii: "\n") {
      if continuation > 0 {
        text.append(32)
        at += continuation
      } else if bytes[at] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        let before = isLineStart
        skipComment()
        isLineStart = before
        text.append(32)
      } else if bytes[at] == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
      } else {
        text.append(bytes[at])
        at += 1
      }
    }
    let words = String(decoding: text, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" })
    tokens.append(CurlyToken(kind: .directive, text: words.joined(separator: " "), startsLine: true))
    isLineStart = true
  }
}
