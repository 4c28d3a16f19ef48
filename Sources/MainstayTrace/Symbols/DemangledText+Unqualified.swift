/// Demangled text without what only a compiler needs: modules, extensions and discriminators of private names.

extension DemangledText {
  /// Text with every `Module.` removed from its qualified names, and discriminators and extensions gone.
  var unqualified: String {
    var out: [UInt8] = []
    var at = startIndex
    while at < endIndex {
      if let inner = self[at...].after("(extension in "), let end = inner.firstIndex(of: UInt8(ascii: ")")) {
        at = self[(end + 1)...].first == UInt8(ascii: ":") ? end + 2 : end + 1
        continue
      }
      guard isIdentifierByte(self[at]) else {
        out.append(self[at])
        at += 1
        continue
      }
      let end = self[at...].firstIndex { !isIdentifierByte($0) } ?? endIndex
      let isQualifier = end + 1 < endIndex && self[end] == UInt8(ascii: ".") && Self.isNameStart(self[end + 1])
      let isFirst = out.last != UInt8(ascii: ".")
      if isQualifier && isFirst {
        at = end + 1
        // Only the first component is a module: copy the rest of the path as it is.
        while at < endIndex, isIdentifierByte(self[at]) || self[at] == UInt8(ascii: ".") {
          out.append(self[at])
          at += 1
        }
      } else {
        out.append(contentsOf: self[at..<end])
        at = end
      }
    }
    return Self.withoutDiscriminators(out[...])
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    isIdentifierByte(byte) && !(0x30...0x39).contains(byte) || byte == UInt8(ascii: "(")
  }

  /// `(Hidden in _771D…)` as `Hidden`.
  private static func withoutDiscriminators(_ text: DemangledText) -> String {
    var out: [UInt8] = []
    var at = text.startIndex
    while at < text.endIndex {
      if text[at] == UInt8(ascii: "("), let name = discriminated(text[at...]) {
        out.append(contentsOf: name)
        at = text.skipping(at)
      } else {
        out.append(text[at])
        at += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func discriminated(_ text: DemangledText) -> DemangledText? {
    let name = text.dropFirst().prefix(while: isIdentifierByte)
    guard !name.isEmpty, let hex = text[name.endIndex...].after(" in _") else { return nil }
    let end = hex.firstIndex { !isIdentifierByte($0) } ?? hex.endIndex
    return end < hex.endIndex && hex[end] == UInt8(ascii: ")") && end > hex.startIndex ? name : nil
  }
}
