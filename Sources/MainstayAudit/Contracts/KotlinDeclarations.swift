/// Finds Kotlin declarations by name: classes, objects, functions and properties, with everything inside them.

struct NamedDeclaration {
  /// The name with those of the declarations around it: `Feed.state`.
  var path: String
  var tokens: [String]
}

struct KotlinDeclarations {
  private let tokens: [CurlyToken]
  private var found: [NamedDeclaration] = []

  static func read(_ text: String) -> [NamedDeclaration] {
    var reader = KotlinDeclarations(tokens: CurlyLexer.tokens(of: text, .kotlin))
    reader.scan(0..<reader.tokens.count, path: "", depth: 0)
    return reader.found
  }

  private init(tokens: [CurlyToken]) { self.tokens = tokens }

  private static let keywords: Set<String> = [
    "fun", "val", "var", "class", "interface", "object", "typealias", "constructor", "init", "package", "import",
  ]
  private static let continuations: Set<String> = [
    ".", "?.", "?:", "{", "=", ":", "where", "by", "&&", "||", "+", "-", "*", "else", ")", "]", ",", "->", "::", "as",
  ]
  private static let unfinished: Set<String> = [
    "=", ":", ",", ".", "?.", "?:", "+", "-", "*", "/", "&&", "||", "->", "(", "[", "by", "as", "in", "is", "==", "!=",
    "<=", ">=", "::", "else", "return",
  ]

  private mutating func scan(_ range: Range<Int>, path: String, depth: Int) {
    guard depth < 64 else { return }
    var start = range.lowerBound
    while start < range.upperBound {
      let (end, keyword, body) = declaration(from: start, in: range)
      if let keyword, let name = name(after: keyword, before: end) {
        let full = path.isEmpty ? name : path + "." + name
        found.append(NamedDeclaration(path: full, tokens: tokens[start..<end].filter { $0.text != ";" }.map(\.text)))
        if let body, ["class", "interface", "object"].contains(tokens[keyword].text) {
          scan(body, path: full, depth: depth + 1)
        }
      }
      start = max(end, start + 1)
    }
  }

  /// The end of the declaration that begins at a token, its keyword, and the inside of its first braces.
  private func declaration(from start: Int, in range: Range<Int>) -> (end: Int, keyword: Int?, body: Range<Int>?) {
    var depth = 0
    var keyword: Int?
    var body: Range<Int>?
    var open: Int?
    var at = start
    while at < range.upperBound {
      let token = tokens[at]
      if depth == 0, at > start {
        if token.text == ";" { return (at + 1, keyword, body) }
        if token.startsLine, keyword != nil, endsLine(at) { return (at, keyword, body) }
      }
      if depth == 0, keyword == nil, token.kind == .word, KotlinDeclarations.keywords.contains(token.text) {
        keyword = at
      }
      switch token.text {
      case _ where token.kind == .string: break
      case "(", "[", "{":
        if depth == 0, token.text == "{", body == nil { open = at }
        depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0, let start = open, token.text == "}" {
          body = (start + 1)..<at
          open = nil
        }
        if depth < 0 { return (at + 1, keyword, body) }
      default: break
      }
      at += 1
    }
    return (range.upperBound, keyword, body)
  }

  /// Whether a declaration that could end before a token does: neither side asks for more, and no accessor follows.
  private func endsLine(_ at: Int) -> Bool {
    let before = tokens[at - 1]
    let after = tokens[at]
    if before.kind == .symbol || before.kind == .word, KotlinDeclarations.unfinished.contains(before.text) {
      return false
    }
    if after.kind != .string, KotlinDeclarations.continuations.contains(after.text) { return false }
    // `get() = …`, `private set`: they belong to the property above.
    var next = at
    while next < tokens.count, ["private", "protected", "internal", "public", "inline"].contains(tokens[next].text),
      next < at + 3
    {
      next += 1
    }
    return
      !(next < tokens.count && ["get", "set"].contains(tokens[next].text)
      && (next + 1 >= tokens.count || tokens[next + 1].text == "(" || tokens[next + 1].startsLine))
  }

  private func name(after keyword: Int, before end: Int) -> String? {
    var at = keyword + 1
    if ["package", "import", "init"].contains(tokens[keyword].text) { return nil }
    if tokens[keyword].text == "constructor" { return "constructor" }
    if at < end, tokens[at].text == "<" {
      var depth = 0
      while at < end {
        if tokens[at].text == "<" { depth += 1 }
        if tokens[at].text == ">" { depth -= 1 }
        at += 1
        if depth == 0 { break }
      }
    }
    var last: String?
    while at < end {
      let token = tokens[at]
      if token.kind == .word {
        last = token.text
        guard at + 1 < end, [".", "?."].contains(tokens[at + 1].text) || tokens[at + 1].text == "<" else { break }
        // `Box<T>.name`: the receiver's arguments are no part of the name.
        if tokens[at + 1].text == "<", let after = skip(at + 1, end), after < end, tokens[after].text == "." {
          at = after + 1
          continue
        }
        if tokens[at + 1].text == "<" { break }
        at += 2
        continue
      }
      break
    }
    if last == nil, tokens[keyword].text == "object" { return "Companion" }
    return last
  }

  private func skip(_ open: Int, _ end: Int) -> Int? {
    var depth = 0
    for at in open..<end {
      if tokens[at].text == "<" { depth += 1 }
      if tokens[at].text == ">" { depth -= 1 }
      if depth == 0 { return at + 1 }
    }
    return nil
  }
}
