/// Finds C declarations by name at the top of a file: functions, types, variables and macros.

struct CDeclarations {
  static func read(_ text: String) -> [NamedDeclaration] {
    let tokens = CurlyLexer.tokens(of: text, .c)
    var found: [NamedDeclaration] = []
    var start = 0
    while start < tokens.count {
      if tokens[start].kind == .directive {
        if let name = macro(tokens[start].text) {
          found.append(NamedDeclaration(path: name, tokens: [tokens[start].text]))
        }
        start += 1
        continue
      }
      // `extern "C" {` holds declarations like those outside.
      if tokens[start].text == "extern", start + 2 < tokens.count, tokens[start + 1].kind == .string,
        tokens[start + 2].text == "{"
      {
        start += 3
        continue
      }
      if tokens[start].text == "}" || tokens[start].text == ";" {
        start += 1
        continue
      }
      let end = end(from: start, tokens)
      let declaration = tokens[start..<end].filter { $0.kind != .directive }
      for name in names(Array(declaration)) {
        found.append(NamedDeclaration(path: name, tokens: declaration.map(\.text)))
      }
      found += enumerators(Array(declaration))
      start = max(end, start + 1)
    }
    return found
  }

  private static func macro(_ line: String) -> String? {
    let text = line.dropFirst().drop { $0 == " " }
    guard text.hasPrefix("define ") else { return nil }
    let name = text.dropFirst("define ".count).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }

  /// After the semicolon, or after the body of a function.
  private static func end(from start: Int, _ tokens: [CurlyToken]) -> Int {
    var depth = 0
    var sawParameters = false
    var at = start
    while at < tokens.count {
      switch tokens[at].text {
      case _ where tokens[at].kind == .string || tokens[at].kind == .directive: break
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth < 0 { return at }
        if depth == 0, tokens[at].text == ")" { sawParameters = true }
        if depth == 0, tokens[at].text == "}", sawParameters, at + 1 >= tokens.count || tokens[at + 1].text != ";" {
          // `struct x { … } name;` goes on; a function's body ends it.
          if !["struct", "union", "enum", "typedef"].contains(tokens[start].text) || isFunction(tokens[start..<at]) {
            return at + 1
          }
        }
      case ";" where depth == 0: return at + 1
      case "=" where depth == 0: sawParameters = false
      default: break
      }
      at += 1
    }
    return tokens.count
  }

  private static func isFunction(_ tokens: ArraySlice<CurlyToken>) -> Bool {
    guard let brace = tokens.firstIndex(where: { $0.text == "{" }) else { return false }
    return brace > tokens.startIndex && tokens[brace - 1].text == ")"
  }

  /// The constants of an enumeration, each with what its value is: the last one that was written, and how many follow it.
  private static func enumerators(_ tokens: [CurlyToken]) -> [NamedDeclaration] {
    guard let keyword = tokens.firstIndex(where: { $0.kind == .word && $0.text == "enum" }),
      let open = tokens[keyword...].firstIndex(where: { $0.kind == .symbol && $0.text == "{" }), open - keyword <= 4
    else { return [] }
    var found: [NamedDeclaration] = []
    var value = ["-1"]
    var after = 0
    var depth = 0
    var entry: [CurlyToken] = []
    func close() {
      guard let name = entry.first, name.kind == .word else { return }
      if entry.count > 2, entry[1].text == "=" {
        value = entry.dropFirst(2).map(\.text)
        after = 0
      } else {
        after += 1
      }
      found.append(NamedDeclaration(path: name.text, tokens: [name.text, "="] + value + ["+", "\(after)"]))
    }
    for token in tokens[(open + 1)...] {
      if token.kind == .symbol, depth == 0, token.text == "," || token.text == "}" {
        close()
        entry = []
        if token.text == "}" { break }
        continue
      }
      if token.kind == .symbol, ["(", "[", "{"].contains(token.text) { depth += 1 }
      if token.kind == .symbol, [")", "]", "}"].contains(token.text) { depth -= 1 }
      entry.append(token)
    }
    return found
  }

  /// What a declaration names: the word before its parameters, its tag, the name that a typedef ends in.
  private static func names(_ tokens: [CurlyToken]) -> [String] {
    var names: [String] = []
    var depth = 0
    for (index, token) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
      if token.kind == .word, depth == 0 {
        if ["struct", "union", "enum"].contains(token.text), index + 2 < tokens.count, tokens[index + 1].kind == .word,
          tokens[index + 2].text == "{"
        {
          names.append(tokens[index + 1].text)
        } else if next == "(", index + 2 >= tokens.count || tokens[index + 2].text != "*",
          !["__attribute__", "__declspec", "_Static_assert", "__asm__"].contains(token.text)
        {
          if names.isEmpty || tokens[0].text == "typedef" { names.append(token.text) }
        } else if [";", "=", "[", ","].contains(next), index > 0, token.text != "const" {
          names.append(token.text)
        }
      }
      // `typedef void (*name)(int);`, and `void (*name(int))(int);`, which returns such a one.
      if token.kind == .word, depth == 1, index > 1, tokens[index - 1].text == "*", tokens[index - 2].text == "(",
        next == ")" || next == "(" && names.isEmpty
      {
        names.append(token.text)
      }
      switch token.text {
      case _ where token.kind == .string: break
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
    }
    return names
  }
}
