/// Scanning the demangler's text: brackets of four kinds, and arrows that are not brackets.

/// A stretch of demangled text, as bytes: names are ASCII where it matters, and whole where it does not.
typealias DemangledText = ArraySlice<UInt8>

extension DemangledText {
  init(text: String) { self = Array(text.utf8)[...] }

  var string: String { String(decoding: self, as: UTF8.self) }

  func begins(with text: StaticString) -> Bool {
    text.withUTF8Buffer { prefix in count >= prefix.count && self.prefix(prefix.count).elementsEqual(prefix) }
  }

  /// What follows `text` when this begins with it.
  func after(_ text: StaticString) -> DemangledText? {
    begins(with: text) ? dropFirst(text.utf8CodeUnitCount) : nil
  }

  /// The index of the first `text` that stands outside all brackets.
  func firstOutsideBrackets(_ text: StaticString) -> Index? {
    var at = startIndex
    while at < endIndex {
      if self[at...].begins(with: text) { return at }
      at = skipping(at)
    }
    return nil
  }

  /// The parts between every `separator` that stands outside all brackets.
  func splitOutsideBrackets(_ separator: StaticString) -> [DemangledText] {
    var parts: [DemangledText] = []
    var rest = self
    while let at = rest.firstOutsideBrackets(separator) {
      parts.append(rest[rest.startIndex..<at])
      rest = rest[(at + separator.utf8CodeUnitCount)...]
    }
    return parts + [rest]
  }

  /// The index after the byte at `at`, or after the whole bracketed group or back-quoted name that begins there.
  func skipping(_ at: Index) -> Index {
    switch self[at] {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "{"):
      return closing(at) ?? at + 1
    case UInt8(ascii: "`"):
      return self[(at + 1)...].firstIndex(of: UInt8(ascii: "`")).map { $0 + 1 } ?? at + 1
    default:
      return at + 1
    }
  }

  /// The index after the bracket that closes the one at `open`. The `>` of `->` closes nothing.
  private func closing(_ open: Index) -> Index? {
    var depth = 0
    var at = open
    while at < endIndex {
      switch self[at] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
      case UInt8(ascii: ">") where at == startIndex || self[at - 1] != UInt8(ascii: "-"):
        depth -= 1
      case UInt8(ascii: "`"):
        at = (self[(at + 1)...].firstIndex(of: UInt8(ascii: "`")) ?? at)
      default:
        break
      }
      at += 1
      if depth == 0 { return at }
    }
    return nil
  }

  var trimmed: DemangledText {
    let front = drop { $0 == UInt8(ascii: " ") }
    return front.dropLast(front.reversed().prefix { $0 == UInt8(ascii: " ") }.count)
  }
}

/// Whether a byte may stand in an identifier; every byte of a non-ASCII character may.
func isIdentifierByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
    true
  default: false
  }
}
