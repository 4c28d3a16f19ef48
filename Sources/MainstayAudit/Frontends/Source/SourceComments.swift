/// Where comments of a line begin: what looks like one inside a string is none.
import Foundation
import SwiftSyntax

enum SourceComments {
  /// The comments of a line (`//`, `///`): by line, from 1, the byte of the line at which it begins, from 0. Nil when the
  /// text is not parsed because that would not end.
  static func starts(of text: String) -> [Int: Int]? {
    guard !SourceTree.opensTooManyBrackets(Data(text.utf8)) else { return nil }
    return SourceTree.parse(text) { tree in
      let converter = SourceLocationConverter(fileName: "", tree: tree)
      var starts: [Int: Int] = [:]
      func note(_ offset: AbsolutePosition) {
        let place = converter.location(for: offset)
        starts[place.line] = place.column - 1
      }
      for token in tree.tokens(viewMode: .sourceAccurate) {
        var offset = token.position
        for piece in token.leadingTrivia {
          if isLineComment(piece) { note(offset) }
          offset = offset.advanced(by: piece.sourceLength.utf8Length)
        }
        offset = token.endPositionBeforeTrailingTrivia
        for piece in token.trailingTrivia {
          if isLineComment(piece) { note(offset) }
          offset = offset.advanced(by: piece.sourceLength.utf8Length)
        }
      }
      return starts
    }
  }

  /// The comment of each line that has one. Where the text is not parsed, only comments on lines of their own.
  static func lines(of text: String) -> [(line: Int, comment: Substring, column: Int)] {
    let starts = starts(of: text)
    return SourceLines.split(text).enumerated().compactMap { index, line in
      let start: Substring.Index
      if let starts {
        guard let offset = starts[index + 1],
          let at = line.utf8.index(
            line.startIndex, offsetBy: offset, limitedBy: line.endIndex)
        else { return nil }
        start = at
      } else {
        start = line.firstIndex { $0 != " " && $0 != "\t" } ?? line.endIndex
      }
      let comment = SourceLines.withoutReturn(line[start...])
      guard comment.hasPrefix("//") else { return nil }
      return (index + 1, comment, line.distance(from: line.startIndex, to: start) + 1)
    }
  }

  private static func isLineComment(_ piece: TriviaPiece) -> Bool {
    switch piece {
    case .lineComment, .docLineComment: true
    default: false
    }
  }
}
