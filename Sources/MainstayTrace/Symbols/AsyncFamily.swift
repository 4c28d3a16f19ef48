/// The pieces of one async function in an image, and the instructions that hand each of them out.

/// An async function's entry and the pieces the compiler cut it into.
struct AsyncFamily {
  /// The entry; nil when it was inlined everywhere, or its symbol is gone.
  var entry: ELFImage.Symbol?
  var pieces: [(resume: FunctionName.Resume, symbol: ELFImage.Symbol)] = []

  /// Collects the families of `keys` (see `FunctionName.key`) from an image. O(symbols).
  static func families(of keys: Set<String>, in image: ELFImage) -> [String: AsyncFamily] {
    var families: [String: AsyncFamily] = [:]
    let wanted = Set(keys.map { Array($0.utf8)[...] })
    // On bytes, without a string for each of the image's symbols: most of them are other functions.
    for symbol in image.functions(whereName: { wanted.contains(Self.withoutResumeSuffix($0)) }) {
      let name = MangledName(symbol: symbol.name)
      if let resume = name.resume {
        families[name.key, default: AsyncFamily()].pieces.append((resume, symbol))
      } else {
        families[name.key, default: AsyncFamily()].entry = symbol
      }
    }
    for key in families.keys { families[key]?.pieces.sort { $0.resume.ordinal < $1.resume.ordinal } }
    return families
  }

  private static func withoutResumeSuffix(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard name.last == UInt8(ascii: "_") else { return name }
    var head = name.dropLast()
    while let digit = head.last, (0x30...0x39).contains(digit) { head.removeLast() }
    guard head.count < name.count - 1, let kind = head.popLast(), head.popLast() == UInt8(ascii: "T")
    else { return name }
    return kind == UInt8(ascii: "Q") || kind == UInt8(ascii: "Y") ? head : name
  }

  /// The code of the whole function: ordinal (0 is the entry) and address range.
  private var code: [(ordinal: Int, range: Range<UInt64>)] {
    let parts = (entry.map { [(0, $0)] } ?? []) + pieces.map { ($0.resume.ordinal, $0.symbol) }
    return parts.map { ($0, $1.address..<($1.address &+ max($1.size, 1))) }.filter { !$0.1.isEmpty }
  }

  /// An instruction that hands out a piece's address.
  struct Origin {
    /// The piece it stands in; 0 is the entry.
    let piece: Int
    /// The ordinal of the piece whose address it takes.
    let target: Int
    let address: UInt64
  }

  func origins(in image: ELFImage) -> [Origin] {
    let ordinals = Dictionary(pieces.map { ($0.symbol.address, $0.resume.ordinal) }) { first, _ in first }
    let references = CodeReferences(image: image)
    return code.flatMap { part in
      references.sites(in: part.range) { ordinals[$0] != nil }.compactMap { site in
        ordinals[site.target].map { Origin(piece: part.ordinal, target: $0, address: site.address) }
      }
    }
  }
}
