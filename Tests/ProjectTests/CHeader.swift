import Foundation
import Testing

/// What a C header declares, as far as the header of the recording needs it: structures with the places of their fields,
/// enumerations, constants and inline functions.
struct CHeader {
  struct Field: Hashable {
    let name: String
    let offset: Int
    let bytes: Int
  }

  struct Structure {
    let name: String
    let fields: [Field]
    let bytes: Int
  }

  private(set) var structures: [Structure] = []
  /// Each enumeration's members, with the value as it is written.
  private(set) var enumerations: [String: [(name: String, value: String)]] = [:]
  private(set) var constants: [String: String] = [:]
  private(set) var functions: [String] = []

  private var sizes = ["char": 1, "uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "int32_t": 4, "uint64_t": 8]
  private var alignments: [String: Int] = [:]

  init(_ text: String) throws {
    let code = try Self.withoutComments(text)
    for line in code.split(separator: "\n") where line.hasPrefix("#define ") {
      let words = line.split(separator: " ", maxSplits: 2)
      if words.count == 3 { constants[String(words[1])] = words[2].trimmingCharacters(in: .whitespaces) }
    }
    functions = try code.matches(of: #"^static inline \w+ (\w+)\("#)
    alignments = sizes
    let declaration = #"typedef (struct|enum) (\w+) \{([^}]*)\}"#
    let expression = try NSRegularExpression(pattern: declaration)
    for match in expression.matches(in: code, range: NSRange(code.startIndex..., in: code)) {
      let parts = (1...3).compactMap { Range(match.range(at: $0), in: code).map { String(code[$0]) } }
      try #require(parts.count == 3)
      if parts[0] == "enum" {
        enumerations[parts[1]] = parts[2].split(separator: ",").compactMap { member in
          let sides = member.split(separator: "=", maxSplits: 1).map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
          }
          return sides.count == 2 ? (sides[0], sides[1]) : nil
        }
      } else {
        structures.append(try structure(parts[1], parts[2]))
      }
    }
  }

  private static func withoutComments(_ text: String) throws -> String {
    let expression = try NSRegularExpression(pattern: #"//[^\n]*|/\*.*?\*/"#, options: [.dotMatchesLineSeparators])
    return expression.stringByReplacingMatches(in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "")
  }

  /// Places fields as every C compiler for x86-64 does: each at the next multiple of its alignment.
  private mutating func structure(_ name: String, _ body: String) throws -> Structure {
    var fields: [Field] = []
    var offset = 0
    var alignment = 1
    for statement in body.split(separator: ";") {
      let text = statement.trimmingCharacters(in: .whitespacesAndNewlines)
      guard let space = text.firstIndex(of: " ") else { continue }
      let type = String(text[..<space])
      let size = try #require(sizes[type], "unknown type \(type) in \(name)")
      let own = alignments[type] ?? size
      for declarator in text[space...].split(separator: ",") {
        let parts = declarator.trimmingCharacters(in: .whitespaces).split(separator: "[")
        let count = parts.count == 1 ? 1 : try #require(value(String(parts[1].dropLast())))
        offset = (offset + own - 1) / own * own
        fields.append(Field(name: String(parts[0]), offset: offset, bytes: size * count))
        offset += size * count
        alignment = max(alignment, own)
      }
    }
    let bytes = (offset + alignment - 1) / alignment * alignment
    sizes[name] = bytes
    alignments[name] = alignment
    return Structure(name: name, fields: fields, bytes: bytes)
  }

  /// The number that a literal or the name of a constant stands for.
  func value(_ text: String) -> Int? {
    if let constant = constants[text] { return value(constant) }
    let digits = text.prefix { $0 != "/" }.trimmingCharacters(in: .whitespaces)
      .trimmingCharacters(in: CharacterSet(charactersIn: "uUlL"))
    return digits.hasPrefix("0x") ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
  }
}
