/// Names of a SIL text, each held once: comparing bytes is far cheaper than making strings.
final class SILSymbolTable {
  private var slots: [Int32] = Array(repeating: -1, count: 1 << 12)
  private var hashes: [UInt64] = []
  private var starts: [Int] = []
  private var bytes: [UInt8] = []
  private var strings: [String?] = []

  init() {
    starts.append(0)
  }

  var count: Int { hashes.count }

  func intern(_ text: UnsafeRawBufferPointer) -> Int32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= hash >> 29
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let candidate = Int(slots[slot])
      if hashes[candidate] == hash, matches(candidate, text) { return Int32(candidate) }
      slot = (slot + 1) & (slots.count - 1)
    }
    let symbol = hashes.count
    slots[slot] = Int32(symbol)
    hashes.append(hash)
    bytes.append(contentsOf: text)
    starts.append(bytes.count)
    strings.append(nil)
    if hashes.count * 2 > slots.count { grow() }
    return Int32(symbol)
  }

  func intern(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { intern(UnsafeRawBufferPointer($0)) }
  }

  func string(_ symbol: Int32) -> String {
    let index = Int(symbol)
    if let string = strings[index] { return string }
    let string = String(decoding: bytes[starts[index]..<starts[index + 1]], as: UTF8.self)
    strings[index] = string
    return string
  }

  private func matches(_ symbol: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    let start = starts[symbol]
    guard starts[symbol + 1] - start == text.count else { return false }
    for offset in 0..<text.count where bytes[start + offset] != text[offset] { return false }
    return true
  }

  private func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (symbol, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(symbol)
    }
  }
}
