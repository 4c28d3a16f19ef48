/// Facts of a file as bytes, for the cache: variable-length numbers and one table of strings.

enum FactsCodec {
  /// Changes whenever the bytes or the meaning of facts change: older entries are then read anew.
  static let version = 27

  static func encode(_ facts: FileFacts) -> [UInt8] {
    var writer = FactsWriter()
    writer.write(facts)
    return writer.finish()
  }

  /// The facts, or nil when the bytes are not what `encode` writes.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> FileFacts? {
    guard var reader = FactsByteReader(bytes) else { return nil }
    let facts = reader.facts()
    return reader.isBroken ? nil : facts
  }
}
