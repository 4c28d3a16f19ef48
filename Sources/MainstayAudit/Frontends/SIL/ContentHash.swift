/// A 128-bit hash of bytes, for keys of the facts cache: fast, and stable across runs.
struct ContentHash {
  /// The bytes of a digest.
  static let length = 32

  private var first: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var second: UInt64 = 0xc2b2_ae3d_27d4_eb4f

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var tail: UInt64 = 0
    while offset < bytes.count {
      tail = tail << 8 | UInt64(bytes[offset])
      offset += 1
    }
    mix(tail)
    mix(UInt64(bytes.count))
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  private mutating func mix(_ word: UInt64) {
    first = (first ^ word) &* 0xff51_afd7_ed55_8ccd
    first ^= first >> 32
    second = (second &+ word ^ (first << 17)) &* 0xc4ce_b9fe_1a85_ec53
    second ^= second >> 29
  }

  var digest: String {
    [first, second].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
