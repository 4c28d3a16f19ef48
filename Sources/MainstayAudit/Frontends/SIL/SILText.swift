/// Byte-level questions about a line of SIL text.
import Foundation

/// A view of SIL text by offsets; every function is bounded by the range it is given.
struct SILText {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The offset of the first `byte` in the range, or nil.
  @inline(__always)
  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    guard !range.isEmpty, let base = bytes.baseAddress,
      let found = memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  @inline(__always)
  func last(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var index = range.upperBound - 1
    while index >= range.lowerBound {
      if bytes[index] == byte { return index }
      index -= 1
    }
    return nil
  }

  @inline(__always)
  func hasPrefix(_ prefix: StaticString, at offset: Int, end: Int) -> Bool {
    let count = prefix.utf8CodeUnitCount
    guard end - offset >= count, let base = bytes.baseAddress else { return false }
    return memcmp(base + offset, prefix.utf8Start, count) == 0
  }

  /// The offset of the first occurrence of `pattern` in the range, or nil.
  func find(_ pattern: StaticString, in range: Range<Int>) -> Int? {
    let count = pattern.utf8CodeUnitCount
    let lead = pattern.utf8Start[0]
    var at = range.lowerBound
    let last = range.upperBound - count
    while at <= last, let candidate = first(lead, in: at..<(last + 1)) {
      if hasPrefix(pattern, at: candidate, end: range.upperBound) { return candidate }
      at = candidate + 1
    }
    return nil
  }

  /// Reads digits from `offset`; returns the number and the offset after it.
  @inline(__always)
  func number(at offset: Int, end: Int) -> (value: Int, end: Int)? {
    var index = offset
    var value = 0
    while index < end, bytes[index] >= 48, bytes[index] <= 57 {
      if value > 100_000_000 { return nil }
      value = value * 10 + Int(bytes[index] - 48)
      index += 1
    }
    return index > offset ? (value, index) : nil
  }

  /// Where the instruction itself ends: its location and scope follow.
  struct Trailer {
    var bodyEnd: Int
    var file: Range<Int>?
    var line = 0
    var column = 0
    var scope: Int?
  }

  /// Splits `…, loc * "file":1:2, scope 3` from the end of a line, and a comment behind that.
  func trailer(_ range: Range<Int>) -> Trailer {
    if let last = range.last, bytes[last] < 48 || bytes[last] > 57 || hasComment(range),
      let comment = commentStart(range)
    {
      let inner = plainTrailer(range.lowerBound..<comment)
      if inner.scope != nil || inner.file != nil { return inner }
    }
    return plainTrailer(range)
  }

  /// Whether a short tail may hold ` // type-defs: %15`: such comments end in digits as scopes do.
  private func hasComment(_ range: Range<Int>) -> Bool {
    find(" // ", in: max(range.lowerBound, range.upperBound - 120)..<range.upperBound) != nil
  }

  private func commentStart(_ range: Range<Int>) -> Int? {
    var at = range.upperBound - 4
    while at > range.lowerBound {
      if bytes[at] == 32, bytes[at + 1] == 47, bytes[at + 2] == 47, bytes[at + 3] == 32, bytes[at - 1] >= 48,
        bytes[at - 1] <= 57
      {
        return at
      }
      at -= 1
    }
    return nil
  }

  private func plainTrailer(_ range: Range<Int>) -> Trailer {
    var end = range.upperBound
    var scope: Int?
    // `, scope 3`: digits at the end, preceded by the word.
    var index = end
    while index > range.lowerBound, bytes[index - 1] >= 48, bytes[index - 1] <= 57 { index -= 1 }
    if index < end, index - 8 >= range.lowerBound, hasPrefix(", scope ", at: index - 8, end: end) {
      scope = number(at: index, end: end)?.value
      end = index - 8
    }
    var result = Trailer(bodyEnd: end, scope: scope)
    // `"file":1:2`
    index = end
    while index > range.lowerBound, bytes[index - 1] >= 48, bytes[index - 1] <= 57 { index -= 1 }
    guard index < end, index - 1 > range.lowerBound, bytes[index - 1] == 58 else { return result }
    let column = number(at: index, end: end)?.value ?? 0
    let columnColon = index - 1
    index = columnColon
    while index > range.lowerBound, bytes[index - 1] >= 48, bytes[index - 1] <= 57 { index -= 1 }
    guard index < columnColon, index - 2 > range.lowerBound, bytes[index - 1] == 58, bytes[index - 2] == 34 else {
      return result
    }
    let line = number(at: index, end: columnColon)?.value ?? 0
    let quoteEnd = index - 2
    guard let quote = last(34, in: range.lowerBound..<quoteEnd) else { return result }
    if quote - 6 >= range.lowerBound, hasPrefix(", loc ", at: quote - 6, end: end) {
      result.bodyEnd = quote - 6
    } else if quote - 8 >= range.lowerBound, hasPrefix(", loc * ", at: quote - 8, end: end) {
      result.bodyEnd = quote - 8
    } else if quote - 6 >= range.lowerBound, hasPrefix(" { loc ", at: quote - 7, end: end) {
      result.bodyEnd = quote - 7
    } else {
      return result
    }
    result.file = (quote + 1)..<quoteEnd
    result.line = line
    result.column = column
    return result
  }
}
