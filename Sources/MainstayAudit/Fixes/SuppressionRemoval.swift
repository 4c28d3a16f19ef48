/// Takes comments that silence nothing away, and with them the line or the spaces that they stood on.
import MainstayFindings

enum SuppressionRemoval {
  /// - Parameter places: where the comments begin.
  /// - Returns: the bytes to take away, and the places at which there is no such comment.
  static func ranges(
    at places: [MainstayFindings.SourceLocation], in text: String
  ) -> (ranges: [Range<Int>], missed: [MainstayFindings.SourceLocation]) {
    let lines = SourceLines.split(text)
    var ranges: [Range<Int>] = []
    var missed: [MainstayFindings.SourceLocation] = []
    for place in places {
      guard lines.indices.contains(place.line - 1) else {
        missed.append(place)
        continue
      }
      let line = lines[place.line - 1]
      guard
        let start = line.index(line.startIndex, offsetBy: place.column - 1, limitedBy: line.endIndex),
        line[start...].hasPrefix("//"), line[start...].contains(Suppressions.marker)
      else {
        missed.append(place)
        continue
      }
      func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
      let before = line[..<start].reversed().drop { $0 == " " || $0 == "\t" }
      if before.isEmpty {
        // Alone on its line, which goes with it.
        let end = line.endIndex < text.endIndex ? text.utf8.index(after: line.endIndex) : line.endIndex
        ranges.append(offset(line.startIndex)..<offset(end))
      } else {
        let end = line.hasSuffix("\r") ? line.index(before: line.endIndex) : line.endIndex
        ranges.append(offset(before.startIndex.base)..<offset(end))
      }
    }
    return (ranges, missed)
  }
}
