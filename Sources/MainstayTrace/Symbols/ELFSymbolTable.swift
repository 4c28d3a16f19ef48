/// The symbols of an image, sorted by address, with their names left in the string table until somebody asks.

/// 24 bytes a symbol: a large application has hundreds of thousands of them, of which a report names a few hundred.
struct ELFSymbolTable: Sendable {
  struct Entry: Sendable {
    let address: UInt64
    let size: UInt64
    let name: UInt32
  }

  /// Functions, including unsized assembly labels in executable sections, in order of address.
  private(set) var functions: [Entry] = []
  /// Data objects, in order of address.
  private(set) var objects: [Entry] = []
  private var names: [UInt8] = []

  init() {}

  init(symbols: [UInt8], names: [UInt8], executableSections: Set<UInt16>) {
    self.names = names
    for at in stride(from: 0, to: symbols.count, by: 24) {
      let section = symbols.littleEndian(UInt16.self, at: at + 6)
      let kind = symbols[at + 4] & 0xf
      guard section != 0 else { continue }  // undefined: an import
      let entry = Entry(
        address: symbols.littleEndian(UInt64.self, at: at + 8), size: symbols.littleEndian(UInt64.self, at: at + 16),
        name: symbols.littleEndian(UInt32.self, at: at))
      guard entry.name != 0 else { continue }
      switch kind {
      case 2, 10: functions.append(entry)  // STT_FUNC, STT_GNU_IFUNC
      case 0 where executableSections.contains(section): functions.append(entry)
      case 1: objects.append(entry)
      default: break
      }
    }
    functions.sort(by: Self.precedes)
    objects.sort(by: Self.precedes)
  }

  func function(covering address: UInt64) -> Entry? { Self.entry(covering: address, in: functions) }

  func object(covering address: UInt64) -> Entry? { Self.entry(covering: address, in: objects) }

  func symbol(_ entry: Entry, isFunction: Bool) -> ELFImage.Symbol {
    ELFImage.Symbol(
      name: String(decoding: name(entry), as: UTF8.self), address: entry.address, size: entry.size,
      isFunction: isFunction)
  }

  /// The bytes of a symbol's name, empty when the table is damaged.
  func name(_ entry: Entry) -> ArraySlice<UInt8> {
    let start = Int(entry.name)
    guard start < names.count, let end = names[start...].firstIndex(of: 0) else { return [] }
    return names[start..<end]
  }

  /// At one address the longest comes last, so that a search from the right meets real functions before labels.
  private static func precedes(_ a: Entry, _ b: Entry) -> Bool {
    (a.address, a.size, b.name) < (b.address, b.size, a.name)
  }

  private static func entry(covering address: UInt64, in entries: [Entry]) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    // A symbol may lie inside a longer one: look back, but never far, so that damaged sizes cost nothing.
    for index in stride(from: low - 1, through: max(0, low - 16), by: -1) {
      let entry = entries[index]
      if entry.size == 0, index == low - 1 { return entry }  // unsized: up to the next symbol
      if address - entry.address < entry.size { return entry }
    }
    return nil
  }
}
