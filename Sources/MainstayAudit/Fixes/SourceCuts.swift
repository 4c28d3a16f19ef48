/// Takes pieces out of a text, wherever they overlap or repeat.

enum SourceCuts {
  /// - Parameter ranges: of bytes.
  static func cut(_ ranges: [Range<Int>], from text: String) -> String {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    var bytes = Array(text.utf8)
    for range in merged.reversed() { bytes.removeSubrange(range) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
