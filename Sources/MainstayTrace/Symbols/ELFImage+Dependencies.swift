/// The libraries that an image asks the dynamic linker for.

extension ELFImage {
  /// The names in the dynamic section's `DT_NEEDED` entries; empty for an image that is linked statically, or whose
  /// section lies outside the file.
  public var neededLibraries: [String] {
    guard let dynamic = sections.first(where: { $0.name == ".dynamic" }),
      let strings = sections.first(where: { $0.name == ".dynstr" }),
      let entries = bytes(at: dynamic.address, count: dynamic.size),
      let text = bytes(at: strings.address, count: strings.size)
    else { return [] }
    var names: [String] = []
    var offset = 0
    while offset + 16 <= entries.count {
      let tag = word(entries, offset)
      let value = word(entries, offset + 8)
      if tag == 0 { break }
      if tag == 1, value < UInt64(text.count) {
        names.append(String(decoding: text[Int(value)...].prefix { $0 != 0 }, as: UTF8.self))
      }
      offset += 16
    }
    return names
  }

  private func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }
}
