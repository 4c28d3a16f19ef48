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
        add(full, start..<end)
        if ["class", "interface", "object"].contains(tokens[keyword].text) {
          readProperties(of: full, keyword..<(body?.lowerBound ?? end))
          if let body {
            let isEnum = tokens[start..<keyword].contains { $0.kind == .word && $0.text == "enum" }
            let members = isEnum ? readEntries(of: full, body) : body
            scan(members, path: full, depth: depth + 1)
          }
        }
      }
      start = max(end, start + 1)
    }
  }

  private mutating func add(_ path: String, _ range: Range<Int>) {
    found.append(NamedDeclaration(path: path, tokens: tokens[range].filter { $0.text != ";" }.map(\.text)))
  }

  /// `class Feed(val name: String)`: what the constructor declares is a property.
  private mutating func readProperties(of path: String, _ header: Range<Int>) {
    var depth = 0
    var start: Int?
    for at in header where tokens[at].kind != .string {
      switch tokens[at].text {
      case "(", "[", "{", "<":
        depth += 1
        if depth == 1, tokens[at].text == "(", start == nil { start = at + 1 }
      case ")", "]", "}", ">":
        depth -= 1
        if depth == 0, let first = start, tokens[at].text == ")" { return readProperty(of: path, first..<at) }
      case "," where depth == 1:
        if let first = start {
          readProperty(of: path, first..<at)
          start = at + 1
        }
      // The supertypes: their arguments declare nothing.
      case ":" where depth == 0: return
      default: break
      }
    }
  }

  private mutating func readProperty(of path: String, _ parameter: Range<Int>) {
    guard
      let keyword = parameter.first(where: { ["val", "var"].contains(tokens[$0].text) && tokens[$0].kind == .word }),
      keyword + 1 < parameter.upperBound, tokens[keyword + 1].kind == .word
    else { return }
    add(path + "." + tokens[keyword + 1].text, parameter)
  }

  /// The entries of an enum class, up to the semicolon that ends them.
  ///
  /// - Returns: the members that follow.
  private mutating func readEntries(of path: String, _ body: Range<Int>) -> Range<Int> {
    var depth = 0
    var start = body.lowerBound
    func name(_ entry: Range<Int>) -> Int? {
      var at = entry.lowerBound
      // `@SerialName("main") MAIN(0)`
      while at + 1 < entry.upperBound, tokens[at].text == "@" {
        at += 2
        if at < entry.upperBound, tokens[at].text == "(" {
          var inner = 0
          while at < entry.upperBound {
            if tokens[at].text == "(" { inner += 1 }
            if tokens[at].text == ")" { inner -= 1 }
            at += 1
            if inner == 0 { break }
          }
        }
      }
      return at < entry.upperBound && tokens[at].kind == .word ? at : nil
    }
    for at in body {
      let text = tokens[at].kind == .string ? "" : tokens[at].text
      if depth == 0, text == "," || text == ";" {
        if let name = name(start..<at) { add(path + "." + tokens[name].text, start..<at) }
        start = at + 1
        if text == ";" { return start..<body.upperBound }
      }
      if ["(", "[", "{"].contains(text) { depth += 1 }
      if [")", "]", "}"].contains(text) { depth -= 1 }
    }
    if let name = name(start..<body.upperBound) { add(path + "." + tokens[name].text, start..<body.upperBound) }
    return body.upperBound..<body.upperBound
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
        if token.startsLine, let keyword, isLine(keyword) || endsLine(at) { return (at, keyword, body) }
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

  /// `import a.b.*` ends with its line, whatever it ends in.
  private func isLine(_ keyword: Int) -> Bool { ["package", "import"].contains(tokens[keyword].text) }

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
    var receiver = ""
    while at < end {
      let token = tokens[at]
      if token.kind == .word {
        last = token.text
        guard at + 1 < end, [".", "?."].contains(tokens[at + 1].text) || tokens[at + 1].text == "<" else { break }
        // `Box<T>.name`: the receiver's arguments are no part of the name.
        if tokens[at + 1].text == "<", let after = skip(at + 1, end), after < end,
          [".", "?."].contains(tokens[after].text)
        {
          receiver += token.text + "."
          at = after + 1
          continue
        }
        if tokens[at + 1].text == "<" { break }
        receiver += token.text + "."
        at += 2
        continue
      }
      break
    }
    // `fun State.describe()`: it is called as a member of what it extends.
    if let name = last { last = receiver + name }
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
