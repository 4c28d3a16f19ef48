/// All texts of one kind, folded and laid end to end, so that one pass over memory finds every text that holds a query.
import Foundation
import Glibc

/// A substring index over tens of thousands of short texts: built once, in linear time, then immutable.
///
/// Fifty thousand titles fold to some 2 MB, which one search passes over in about a millisecond; the folding, which
/// costs a hundred times as much, is not repeated for each query.
struct TextIndex: Sendable {
  /// The folded texts, each followed by one NUL, which no folded text or query holds.
  private let bytes: ContiguousArray<UInt8>
  /// Where each text begins in ``bytes``, and at last where the next one would.
  private let starts: ContiguousArray<Int>
  /// How often each byte occurs in ``bytes``.
  private let frequencies: [Int]

  init(_ texts: some Collection<String>) {
    var bytes = ContiguousArray<UInt8>()
    var starts = ContiguousArray<Int>()
    starts.reserveCapacity(texts.count + 1)
    for text in texts {
      starts.append(bytes.count)
      bytes.append(contentsOf: SearchText.folded(text).utf8)
      bytes.append(0)
    }
    starts.append(bytes.count)
    self.bytes = bytes
    self.starts = starts
    var frequencies = [Int](repeating: 0, count: 256)
    for byte in bytes { frequencies[Int(byte)] += 1 }
    self.frequencies = frequencies
  }

  /// The positions of the texts that hold `folded`, ascending; none for an empty one.
  ///
  /// - Parameter folded: what ``SearchText/folded(_:)`` returned.
  func positions(holding folded: String) -> [Int] {
    let needle = ContiguousArray(folded.utf8)
    // The rarest byte of the query has the fewest places where the query could be, and `memchr` is fastest between them.
    guard let anchor = needle.indices.min(by: { frequencies[Int(needle[$0])] < frequencies[Int(needle[$1])] }) else {
      return []
    }
    var found: [Int] = []
    bytes.withUnsafeBytes { text in
      needle.withUnsafeBytes { needle in
        guard let start = text.baseAddress, let sought = needle.baseAddress else { return }
        var position = 0
        var offset = anchor
        // No text holds the NUL that ends another, so a comparison fails before it leaves the text it began in.
        while offset < text.count, let hit = memchr(start + offset, Int32(needle[anchor]), text.count - offset) {
          let candidate = UnsafeRawPointer(hit) - start - anchor
          guard candidate + needle.count <= text.count else { return }
          guard memcmp(start + candidate, sought, needle.count) == 0 else {
            offset = candidate + anchor + 1
            continue
          }
          position = self.position(at: candidate, from: position)
          found.append(position)
          // One match tells all there is to know about a text.
          position += 1
          offset = starts[position] + anchor
        }
      }
    }
    return found
  }

  /// The text that the byte at `offset` belongs to, known to be `lowest` or a later one.
  private func position(at offset: Int, from lowest: Int) -> Int {
    var low = lowest
    // Frequent queries match nearby, rare ones far away: widen the window before halving it.
    var step = 1
    while low + step < starts.count - 1, starts[low + step] <= offset {
      low += step
      step *= 2
    }
    var high = min(low + step, starts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
