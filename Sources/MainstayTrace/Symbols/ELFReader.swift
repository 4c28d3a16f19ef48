/// Decodes the tables of an ELF64 file, checking every offset and count against the file's size.

struct ELFReader {
  let path: String
  let source: ByteSource

  struct Header {
    let machine: UInt16
    let programOffset: UInt64
    let programCount: Int
    let sectionOffset: UInt64
    let sectionCount: Int
    let nameSection: Int
  }

  func header() throws(ELFError) -> Header {
    guard let magic = source.read(at: 0, count: 4), magic == [0x7f, 0x45, 0x4c, 0x46] else { throw error(.notELF, 0) }
    guard let bytes = source.read(at: 0, count: 64) else { throw error(.truncated("the file header"), 0) }
    guard bytes[4] == 2, bytes[5] == 1 else { throw error(.unsupported, bytes[4] == 2 ? 5 : 4) }
    let programEntry = bytes.littleEndian(UInt16.self, at: 54)
    let programCount = Int(bytes.littleEndian(UInt16.self, at: 56))
    let sectionEntry = bytes.littleEndian(UInt16.self, at: 58)
    let sectionOffset = bytes.littleEndian(UInt64.self, at: 40)
    var sectionCount = UInt64(bytes.littleEndian(UInt16.self, at: 60))
    var nameSection = Int(bytes.littleEndian(UInt16.self, at: 62))
    if programCount > 0, programEntry != 56 { throw error(.malformed("the size of a program header"), 54) }
    if sectionOffset != 0 {
      guard sectionEntry == 64 else { throw error(.malformed("the size of a section header"), 58) }
      // Files with 65,280 sections or more keep both numbers in the first section header.
      guard let first = source.read(at: sectionOffset, count: 64) else {
        throw error(.truncated("the section table"), sectionOffset)
      }
      if sectionCount == 0 { sectionCount = first.littleEndian(UInt64.self, at: 32) }
      if nameSection == 0xffff { nameSection = Int(first.littleEndian(UInt32.self, at: 40)) }
      guard sectionCount <= source.count / 64 else { throw error(.truncated("the section table"), sectionOffset) }
    } else {
      sectionCount = 0
    }
    return Header(
      machine: bytes.littleEndian(UInt16.self, at: 18), programOffset: bytes.littleEndian(UInt64.self, at: 32),
      programCount: programCount, sectionOffset: sectionOffset, sectionCount: Int(sectionCount),
      nameSection: nameSection)
  }

  func segments(_ header: Header) throws(ELFError) -> [ELFImage.Segment] {
    let bytes = try programHeaders(header)
    return (0..<header.programCount).compactMap { index in
      let at = index * 56
      guard bytes.littleEndian(UInt32.self, at: at) == 1 else { return nil }
      return ELFImage.Segment(
        fileOffset: bytes.littleEndian(UInt64.self, at: at + 8), fileSize: bytes.littleEndian(UInt64.self, at: at + 32),
        address: bytes.littleEndian(UInt64.self, at: at + 16), memorySize: bytes.littleEndian(UInt64.self, at: at + 40),
        isExecutable: bytes.littleEndian(UInt32.self, at: at + 4) & 1 != 0)
    }
  }

  func sections(_ header: Header) throws(ELFError) -> [ELFImage.Section] {
    guard header.sectionCount > 0 else { return [] }
    guard let bytes = source.read(at: header.sectionOffset, count: UInt64(header.sectionCount) * 64) else {
      throw error(.truncated("the section table"), header.sectionOffset)
    }
    let names = try sectionNames(header, table: bytes)
    return (0..<header.sectionCount).map { index in
      let at = index * 64
      return ELFImage.Section(
        name: names.text(at: Int(bytes.littleEndian(UInt32.self, at: at))) ?? "",
        kind: bytes.littleEndian(UInt32.self, at: at + 4), flags: bytes.littleEndian(UInt64.self, at: at + 8),
        address: bytes.littleEndian(UInt64.self, at: at + 16),
        fileOffset: bytes.littleEndian(UInt64.self, at: at + 24), size: bytes.littleEndian(UInt64.self, at: at + 32),
        link: bytes.littleEndian(UInt32.self, at: at + 40), entrySize: bytes.littleEndian(UInt64.self, at: at + 56))
    }
  }

  /// The build ID from the note segments, so that an image without section headers still has it.
  func buildID(_ header: Header, sections: [ELFImage.Section]) throws(ELFError) -> String? {
    let bytes = try programHeaders(header)
    for index in 0..<header.programCount where bytes.littleEndian(UInt32.self, at: index * 56) == 4 {
      let offset = bytes.littleEndian(UInt64.self, at: index * 56 + 8)
      let size = bytes.littleEndian(UInt64.self, at: index * 56 + 32)
      guard let note = source.read(at: offset, count: size) else { throw error(.truncated("a note"), offset) }
      if let found = Self.buildID(inNotes: note) { return found }
    }
    for section in sections where section.name == ".note.gnu.build-id" {
      guard let note = source.read(at: section.fileOffset, count: section.size) else {
        throw error(.truncated("the build ID"), section.fileOffset)
      }
      if let found = Self.buildID(inNotes: note) { return found }
    }
    return nil
  }

  /// The full symbol table, or the exported one of a stripped image.
  func symbolTable(sections: [ELFImage.Section]) throws(ELFError) -> ELFSymbolTable {
    let full = sections.first { $0.kind == 2 && $0.size >= 24 }
    guard let section = full ?? sections.first(where: { $0.kind == 11 && $0.size >= 24 }) else {
      return ELFSymbolTable()
    }
    guard section.entrySize == 24 else { throw error(.malformed("the size of a symbol"), section.fileOffset) }
    guard Int(section.link) < sections.count else { throw error(.malformed("a string table"), section.fileOffset) }
    let strings = sections[Int(section.link)]
    guard strings.kind == 3 else { throw error(.malformed("a string table"), strings.fileOffset) }
    guard let bytes = source.read(at: section.fileOffset, count: section.size / 24 * 24) else {
      throw error(.truncated("the symbol table"), section.fileOffset)
    }
    guard let names = source.read(at: strings.fileOffset, count: strings.size) else {
      throw error(.truncated("the string table"), strings.fileOffset)
    }
    let executable = Set(sections.indices.filter { sections[$0].flags & 4 != 0 }.map { UInt16(truncatingIfNeeded: $0) })
    return ELFSymbolTable(symbols: bytes, names: names, executableSections: executable)
  }

  private func programHeaders(_ header: Header) throws(ELFError) -> [UInt8] {
    guard let bytes = source.read(at: header.programOffset, count: UInt64(header.programCount) * 56) else {
      throw error(.truncated("the program headers"), header.programOffset)
    }
    return bytes
  }

  private func sectionNames(_ header: Header, table: [UInt8]) throws(ELFError) -> [UInt8] {
    guard header.nameSection != 0 else { return [] }
    guard header.nameSection < header.sectionCount else { throw error(.malformed("the section names"), 62) }
    let offset = table.littleEndian(UInt64.self, at: header.nameSection * 64 + 24)
    let size = table.littleEndian(UInt64.self, at: header.nameSection * 64 + 32)
    guard let names = source.read(at: offset, count: size) else { throw error(.truncated("the section names"), offset) }
    return names
  }

  private static func buildID(inNotes bytes: [UInt8]) -> String? {
    var at = 0
    while at + 12 <= bytes.count {
      let nameSize = Int(bytes.littleEndian(UInt32.self, at: at))
      let size = Int(bytes.littleEndian(UInt32.self, at: at + 4))
      let content = at + 12 + (nameSize + 3) / 4 * 4
      guard content + size <= bytes.count else { return nil }
      let isGNU = nameSize == 4 && Array(bytes[(at + 12)..<(at + 16)]) == [0x47, 0x4e, 0x55, 0]
      if isGNU, bytes.littleEndian(UInt32.self, at: at + 8) == 3, size > 0 {
        return bytes[content..<(content + size)].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
      at = content + (size + 3) / 4 * 4
    }
    return nil
  }

  private func error(_ reason: ELFError.Reason, _ offset: UInt64) -> ELFError {
    ELFError(path: path, reason: reason, offset: offset)
  }
}
