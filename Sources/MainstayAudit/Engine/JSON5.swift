/// A small JSON5 reader for configurations and baselines, with lines: comments, trailing commas, unquoted keys, single quotes.
enum JSON5 {
  enum Value: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Node])
    case object([Member])
  }

  struct Node: Equatable {
    var value: Value
    var line: Int

    /// The last member of that name, as every reader of JSON has it; nil where there is none, or this is no object.
    subscript(key: String) -> Node? {
      guard case .object(let members) = value else { return nil }
      return members.last { $0.key == key }?.node
    }

    var string: String? { if case .string(let text) = value { text } else { nil } }
  }

  struct Member: Equatable {
    var key: String
    var line: Int
    var node: Node
  }

  struct Failure: Error, Equatable {
    var line: Int
    var reason: String
  }

  static func parse(_ text: String) throws(Failure) -> Node {
    var parser = JSON5Parser(text)
    return try parser.document()
  }
}

private struct JSON5Parser {
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var depth = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func document() throws(JSON5.Failure) -> JSON5.Node {
    let node = try value()
    try skipSpace()
    if at < bytes.count { throw failure("unexpected '\(Character(UnicodeScalar(bytes[at])))' after the end") }
    return node
  }

  private func failure(_ reason: String) -> JSON5.Failure { JSON5.Failure(line: line, reason: reason) }

  private mutating func skipSpace() throws(JSON5.Failure) {
    while at < bytes.count {
      switch bytes[at] {
      case 10:
        line += 1
        at += 1
      case 32, 9, 13: at += 1
      case 0xEF where at + 2 < bytes.count && bytes[at + 1] == 0xBB: at += 3
      case UInt8(ascii: "/") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "/"):
        while at < bytes.count, bytes[at] != 10 { at += 1 }
      case UInt8(ascii: "/") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "*"):
        at += 2
        while at + 1 < bytes.count, !(bytes[at] == UInt8(ascii: "*") && bytes[at + 1] == UInt8(ascii: "/")) {
          if bytes[at] == 10 { line += 1 }
          at += 1
        }
        guard at + 1 < bytes.count else { throw failure("a comment that does not end") }
        at += 2
      default: return
      }
    }
  }

  private mutating func value() throws(JSON5.Failure) -> JSON5.Node {
    try skipSpace()
    guard at < bytes.count else { throw failure("a value is missing") }
    guard depth < 64 else { throw failure("nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    let start = line
    switch bytes[at] {
    case UInt8(ascii: "{"): return JSON5.Node(value: .object(try members()), line: start)
    case UInt8(ascii: "["): return JSON5.Node(value: .array(try elements()), line: start)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return JSON5.Node(value: .string(try string()), line: start)
    default:
      let word = word()
      switch word {
      case "true": return JSON5.Node(value: .bool(true), line: start)
      case "false": return JSON5.Node(value: .bool(false), line: start)
      case "null": return JSON5.Node(value: .null, line: start)
      default:
        if let number = Double(word) { return JSON5.Node(value: .number(number), line: start) }
        throw failure(word.isEmpty ? "unexpected '\(Character(UnicodeScalar(bytes[at])))'" : "unexpected '\(word)'")
      }
    }
  }

  private mutating func word() -> String {
    let start = at
    while at < bytes.count, bytes[at] > 32, !",:{}[]/\"'".utf8.contains(bytes[at]) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func string() throws(JSON5.Failure) -> String {
    let quote = bytes[at]
    at += 1
    let start = at
    while at < bytes.count, bytes[at] != quote, bytes[at] != UInt8(ascii: "\\"), bytes[at] != 10 { at += 1 }
    // Nearly every string has no escape, and is its bytes.
    if at < bytes.count, bytes[at] == quote {
      at += 1
      return String(decoding: bytes[start..<at - 1], as: UTF8.self)
    }
    var text = Array(bytes[start..<at])
    while at < bytes.count, bytes[at] != quote {
      if bytes[at] == 10 { throw failure("a string that does not end") }
      if bytes[at] == UInt8(ascii: "\\") {
        at += 1
        guard at < bytes.count else { break }
        text += try escape().utf8
      } else {
        text.append(bytes[at])
        at += 1
      }
    }
    guard at < bytes.count else { throw failure("a string that does not end") }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// What stands for the character behind a backslash, and those that belong to it.
  private mutating func escape() throws(JSON5.Failure) -> String {
    let letter = bytes[at]
    at += 1
    switch letter {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "v"): return "\u{B}"
    case UInt8(ascii: "0"): return "\0"
    case 10:
      // The string goes on in the next line.
      line += 1
      return ""
    case 13:
      if at < bytes.count, bytes[at] == 10 {
        at += 1
        line += 1
      }
      return ""
    case UInt8(ascii: "x"): return try character(hexadecimal(2))
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(4)
      guard unit >> 10 == 0xD800 >> 10 else { return try character(unit) }
      // A character beyond the first 65,536 is written as two.
      guard bytes[at...].starts(with: "\\u".utf8) else { throw failure("half a character") }
      at += 2
      let second = try hexadecimal(4)
      guard second >> 10 == 0xDC00 >> 10 else { throw failure("half a character") }
      return try character(0x10000 + (unit & 0x3FF) << 10 + second & 0x3FF)
    default:
      // Any other stands for itself, be it of several bytes.
      var end = at
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
      defer { at = end }
      return String(decoding: bytes[at - 1..<end], as: UTF8.self)
    }
  }

  private mutating func hexadecimal(_ count: Int) throws(JSON5.Failure) -> UInt32 {
    let digits = bytes[at...].prefix(count)
    guard digits.count == count, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("an escape that is no character") }
    at += count
    return value
  }

  private func character(_ value: UInt32) throws(JSON5.Failure) -> String {
    guard let scalar = UnicodeScalar(value) else { throw failure("an escape that is no character") }
    return String(Character(scalar))
  }

  private mutating func members() throws(JSON5.Failure) -> [JSON5.Member] {
    at += 1
    var members: [JSON5.Member] = []
    while true {
      try skipSpace()
      guard at < bytes.count else { throw failure("a '}' is missing") }
      if bytes[at] == UInt8(ascii: "}") {
        at += 1
        return members
      }
      let start = line
      let key = bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") ? try string() : word()
      if key.isEmpty { throw failure("a key is missing") }
      try skipSpace()
      guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { throw failure("a ':' is missing after '\(key)'") }
      at += 1
      members.append(JSON5.Member(key: key, line: start, node: try value()))
      try separator(UInt8(ascii: "}"))
    }
  }

  private mutating func elements() throws(JSON5.Failure) -> [JSON5.Node] {
    at += 1
    var nodes: [JSON5.Node] = []
    while true {
      try skipSpace()
      guard at < bytes.count else { throw failure("a ']' is missing") }
      if bytes[at] == UInt8(ascii: "]") {
        at += 1
        return nodes
      }
      nodes.append(try value())
      try separator(UInt8(ascii: "]"))
    }
  }

  private mutating func separator(_ end: UInt8) throws(JSON5.Failure) {
    try skipSpace()
    guard at < bytes.count else { throw failure("a '\(Character(UnicodeScalar(end)))' is missing") }
    if bytes[at] == UInt8(ascii: ",") {
      at += 1
    } else if bytes[at] != end {
      throw failure("a ',' is missing")
    }
  }
}
