/// Text in columns: what is too short is filled with spaces, what is too long goes on in the next line.
extension String {
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  package func paddedLeft(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

  /// Words in lines of at most `width` columns. A number stays with its unit; a longer word has a line to itself.
  package func lines(width: Int) -> [String] {
    let units: Set<Substring> = ["s", "ms", "µs", "ns", "Hz"]
    var words: [String] = []
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if units.contains(word.prefix { !".,;:".contains($0) }), let last = words.popLast() {
        words.append("\(last) \(word)")
      } else {
        words.append(String(word))
      }
    }
    var lines: [String] = []
    var line = ""
    for word in words {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines.append(line)
        line = word
      } else {
        line += line.isEmpty ? word : " " + word
      }
    }
    return lines + [line]
  }
}
