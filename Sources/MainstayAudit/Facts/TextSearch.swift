/// Where one text stands in another, byte for byte. Rules ask that of names some million times an audit, and what the
/// standard library does for characters that can be spelled in two ways costs ten times as much.

import Foundation

extension StringProtocol {
  /// Whether the bytes of a text stand in this one; an empty text stands in each.
  func contains(_ text: String) -> Bool { offset(of: text) != nil }

  /// The first place at which the bytes of a text stand; an empty text stands at the start.
  func firstRange(of text: String) -> Range<Index>? {
    guard let offset = offset(of: text) else { return nil }
    let start = utf8.index(startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: text.utf8.count)
  }

  /// The bytes before the first place, or nil.
  private func offset(of text: String) -> Int? {
    var text = text
    return text.withUTF8 { wanted in
      if let found = utf8.withContiguousStorageIfAvailable({ TextSearch.offset(of: wanted, in: $0) }) { return found }
      var own = String(self)
      return own.withUTF8 { TextSearch.offset(of: wanted, in: $0) }
    }
  }
}

private enum TextSearch {
  static func offset(of text: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = text.first, let base = bytes.baseAddress, let wanted = text.baseAddress else {
      return text.isEmpty ? 0 : nil
    }
    var at = 0
    while bytes.count - at >= text.count {
      guard let hit = memchr(base + at, Int32(first), bytes.count - at - text.count + 1) else { return nil }
      let place = base.distance(to: hit.assumingMemoryBound(to: UInt8.self))
      if memcmp(base + place, wanted, text.count) == 0 { return place }
      at = place + 1
    }
    return nil
  }
}
