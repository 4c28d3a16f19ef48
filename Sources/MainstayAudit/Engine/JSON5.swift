/// A small JSON5 reader for the configuration: comments, trailing commas, unquoted keys, single quotes; with lines.
enum JSON5 {
  indirect enum Value: Equatable {
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
    var text: [UInt8] = []
    while at < bytes.count, bytes[at] != quote {
      if bytes[at] == 10 { throw failure("a string that does not end") }
      if bytes[at] == UInt8(ascii: "\\") {
        at += 1
        guard at < bytes.count else { break }
        switch bytes[at] {
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"):
          let digits = String(decoding: bytes[min(at + 1, bytes.count)..<min(at + 5, bytes.count)], as: UTF8.self)
          guard let code = UInt32(digits, radix: 16), let scalar = UnicodeScalar(code) else {
            throw failure("an escape that is no character")
          }
          text += Array(String(Character(scalar)).utf8)
          at += 4
        default: text.append(bytes[at])
        }
      } else {
        text.append(bytes[at])
      }
      at += 1
    }
    guard at < bytes.count else { throw failure("a string that does not end") }
    at += 1
    return String(decoding: text, as: UTF8.self)
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
