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
        let comment = range(of: line[start...])
      else {
        missed.append(place)
        continue
      }
      func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
      let before = line[..<comment.lowerBound].reversed().drop { $0 == " " || $0 == "\t" }
      let after = SourceLines.withoutReturn(line[comment.upperBound...]).drop { $0 == " " || $0 == "\t" }
      if before.isEmpty, after.isEmpty {
        // Alone on its line, which goes with it.
        let end = line.endIndex < text.endIndex ? text.utf8.index(after: line.endIndex) : line.endIndex
        ranges.append(offset(line.startIndex)..<offset(end))
      } else if after.isEmpty {
        ranges.append(offset(before.startIndex.base)..<offset(after.startIndex))
      } else if line[..<comment.lowerBound].last.map({ $0 == " " || $0 == "\t" }) ?? true {
        ranges.append(offset(comment.lowerBound)..<offset(after.startIndex))
      } else if after.startIndex > comment.upperBound {
        ranges.append(offset(comment.lowerBound)..<offset(comment.upperBound))
      } else {
        // It alone keeps two words apart.
        missed.append(place)
      }
    }
    return (ranges, missed)
  }

  /// What goes of a line from where a comment that silences begins, or goes on; nil when there is none. The marks that begin
  /// and end a comment of several lines stay.
  private static func range(of written: Substring) -> Range<String.Index>? {
    let line = SourceLines.withoutReturn(written)
    if line.hasPrefix("//") { return line.contains(Suppressions.marker) ? line.startIndex..<line.endIndex : nil }
    let said = line.drop { $0 == "/" || $0 == "*" || $0 == " " || $0 == "\t" }
    guard said.hasPrefix(Suppressions.marker) else { return nil }
    let isFirst = line.hasPrefix("/*")
    guard let end = said.firstRange(of: "*/") else {
      return isFirst ? said.startIndex..<line.endIndex : line.startIndex..<line.endIndex
    }
    // A comment within this one: which of the marks ends it is not said here.
    if said[..<end.lowerBound].contains("/*") { return nil }
    return isFirst ? line.startIndex..<end.upperBound : line.startIndex..<end.lowerBound
  }
}
