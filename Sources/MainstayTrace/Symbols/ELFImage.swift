/// A bounded reader of ELF64 little-endian images: symbols, segments, sections and the build ID.

/// One executable or shared library on disk.
///
/// Addresses are *virtual addresses of the file* (what the linker assigned), not addresses in a process. Opening costs
/// one pass over the symbol table: O(n log n) for n symbols.
public struct ELFImage: Sendable {
  public let path: String
  /// The machine (`e_machine`): 62 is x86-64, 183 is AArch64.
  public let machine: UInt16
  public let segments: [Segment]
  public let sections: [Section]
  /// The GNU build-id note, as lower-case hexadecimal digits.
  public let buildID: String?
  let source: ByteSource
  let table: ELFSymbolTable

  /// A loadable part of the file (`PT_LOAD`).
  public struct Segment: Hashable, Sendable {
    public let fileOffset: UInt64
    public let fileSize: UInt64
    public let address: UInt64
    public let memorySize: UInt64
    public let isExecutable: Bool
  }

  public struct Section: Hashable, Sendable {
    public let name: String
    public let kind: UInt32
    public let flags: UInt64
    public let address: UInt64
    public let fileOffset: UInt64
    public let size: UInt64
    let link: UInt32
    let entrySize: UInt64
  }

  /// A function or object of the symbol table.
  public struct Symbol: Hashable, Sendable {
    public let name: String
    public let address: UInt64
    /// Length in bytes; 0 when the table does not say.
    public let size: UInt64
    public let isFunction: Bool
  }

  /// Opens the image at `path`.
  public init(path: String) throws(ELFError) {
    guard let file = OpenFile(path: path) else { throw ELFError(path: path, reason: .unreadable, offset: 0) }
    try self.init(path: path, source: .file(file))
  }

  /// Reads an image that is already in memory; `path` is only a name for messages.
  public init(path: String, bytes: [UInt8]) throws(ELFError) {
    try self.init(path: path, source: .memory(bytes))
  }

  private init(path: String, source: ByteSource) throws(ELFError) {
    let reader = ELFReader(path: path, source: source)
    let header = try reader.header()
    self.path = path
    self.source = source
    machine = header.machine
    segments = try reader.segments(header)
    sections = try reader.sections(header)
    buildID = try reader.buildID(header, sections: sections)
    table = try reader.symbolTable(sections: sections)
  }

  /// Whether the full symbol table is there; a stripped image has only what it exports.
  public var hasSymbolTable: Bool { sections.contains { $0.name == ".symtab" && $0.size > 0 } }

  /// Whether line numbers are there.
  public var hasLineTable: Bool { sections.contains { $0.name == ".debug_line" && $0.size > 0 } }

  /// Where a byte of the file is in the address space the linker laid out.
  public func address(ofFileOffset offset: UInt64) -> UInt64? {
    for segment in segments where offset >= segment.fileOffset && offset - segment.fileOffset < segment.fileSize {
      return segment.address &+ (offset - segment.fileOffset)
    }
    return nil
  }

  /// Where the byte at a virtual address is in the file; nil for memory the file does not hold (`.bss`).
  public func fileOffset(ofAddress address: UInt64) -> UInt64? {
    for segment in segments where address >= segment.address && address - segment.address < segment.fileSize {
      return segment.fileOffset &+ (address - segment.address)
    }
    return nil
  }

  /// The function that covers `address`, or the object when there is no code at that address. O(log n).
  public func symbol(covering address: UInt64) -> Symbol? {
    // An unsized label reaches as far as the next symbol, so the last one before the data would cover all of it.
    let isCode = segments.contains {
      $0.isExecutable && address >= $0.address && address - $0.address < $0.memorySize
    }
    if isCode { return table.function(covering: address).map { table.symbol($0, isFunction: true) } }
    return table.object(covering: address).map { table.symbol($0, isFunction: false) }
  }

  /// Every function whose name, as bytes of the string table, satisfies `isIncluded`, in order of address. O(n).
  func functions(whereName isIncluded: (ArraySlice<UInt8>) -> Bool) -> [Symbol] {
    table.functions.filter { isIncluded(table.name($0)) }.map { table.symbol($0, isFunction: true) }
  }

  /// Every function and object whose name begins with `prefix`, in order of address. O(n).
  public func symbols(withPrefix prefix: String) -> [Symbol] {
    let bytes = Array(prefix.utf8)
    let objects = table.objects.filter { table.name($0).starts(with: bytes) }
    let found =
      functions { $0.starts(with: bytes) } + objects.map { table.symbol($0, isFunction: false) }
    return found.sorted { ($0.address, $0.name) < ($1.address, $1.name) }
  }

  /// The bytes at a virtual address; nil when the file does not hold all of them.
  public func bytes(at address: UInt64, count: UInt64) -> [UInt8]? {
    guard count <= source.count, let offset = fileOffset(ofAddress: address) else { return nil }
    return source.read(at: offset, count: count)
  }
}
