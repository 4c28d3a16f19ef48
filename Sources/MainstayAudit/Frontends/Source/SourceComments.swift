/// The comments of a source, line by line: what looks like one inside a string is none.
import Foundation
import SwiftSyntax

/// What one comment says on one line, without the marks that make it a comment.
struct SourceComment: Hashable {
  enum Kind: Hashable {
    /// `//`, `///`.
    case line
    /// `/* … */`, `/** … */`, also where it goes on in the next line.
    case block
  }

  var kind: Kind
  /// From 1.
  var line: Int
  /// Where on its line the comment begins, or a later line of it has its first character; from 1.
  var column: Int
  var text: Substring
}

struct SourceComments {
  /// In the order in which they stand.
  private(set) var all: [SourceComment] = []
  /// The text's lines, without what ends them.
  let lines: [Substring]
  /// The lines that hold something other than comments; nil when the text is not parsed because that would not end. Then
  /// only comments are known that have a line of their own.
  private var code: Set<Int>?

  init(_ text: String) {
    lines = SourceLines.split(text).map { SourceLines.withoutReturn($0) }
    if SourceTree.opensTooManyBrackets(Data(text.utf8)) {
      for (index, line) in lines.enumerated() {
        let start = line.drop { $0 == " " || $0 == "\t" }
        if start.hasPrefix("//") { add(start.drop { $0 == "/" }, of: .line, at: start.startIndex, on: index) }
      }
    } else {
      SourceTree.parse(text) { read($0) }
    }
  }

  /// Whether nothing of the program stands on a line, counted from 1: it is empty, or holds comments alone.
  func isIdle(_ line: Int) -> Bool {
    guard let code else {
      let text = lines[line - 1].drop { $0 == " " || $0 == "\t" }
      return text.isEmpty || text.hasPrefix("//")
    }
    return !code.contains(line)
  }

  private mutating func read(_ tree: SourceFileSyntax) {
    let converter = SourceLocationConverter(fileName: "", tree: tree)
    var code: Set<Int> = []
    for token in tree.tokens(viewMode: .sourceAccurate) {
      read(token.leadingTrivia, at: token.position, converter)
      if token.tokenKind != .endOfFile {
        let end = converter.location(for: token.endPositionBeforeTrailingTrivia).line
        code.formUnion(converter.location(for: token.positionAfterSkippingLeadingTrivia).line...end)
      }
      read(token.trailingTrivia, at: token.endPositionBeforeTrailingTrivia, converter)
    }
    self.code = code
  }

  private mutating func read(_ trivia: Trivia, at start: AbsolutePosition, _ converter: SourceLocationConverter) {
    var position = start
    for piece in trivia {
      switch piece {
      case .lineComment(let text), .docLineComment(let text): add(.line, text, converter.location(for: position))
      case .blockComment(let text), .docBlockComment(let text): add(.block, text, converter.location(for: position))
      default: break
      }
      position = position.advanced(by: piece.sourceLength.utf8Length)
    }
  }

  /// A comment that begins at a place, on each of its lines.
  private mutating func add(_ kind: SourceComment.Kind, _ text: String, _ place: SwiftSyntax.SourceLocation) {
    let parts = SourceLines.split(text)
    for (number, part) in parts.enumerated() {
      let index = place.line - 1 + number
      guard lines.indices.contains(index) else { return }
      let line = lines[index]
      let begin = number == 0 ? place.column - 1 : 0
      guard let from = line.utf8.index(line.startIndex, offsetBy: begin, limitedBy: line.endIndex) else { return }
      let to = line.utf8.index(from, offsetBy: part.utf8.count, limitedBy: line.endIndex) ?? line.endIndex
      let written = line[from..<to].drop { $0 == " " || $0 == "\t" }
      var said = written
      if kind == .line {
        said = said.drop { $0 == "/" }
      } else {
        if number == parts.count - 1, said.hasSuffix("*/") { said = said.dropLast(2) }
        if number == 0 { said = said.dropFirst(2) }
        said = said.drop { $0 == "*" }
        while let last = said.last, last == "*" || last == " " || last == "\t" { said = said.dropLast() }
      }
      add(said, of: kind, at: written.startIndex, on: index)
    }
  }

  private mutating func add(
    _ text: Substring, of kind: SourceComment.Kind, at start: Substring.Index, on index: Int
  ) {
    all.append(
      SourceComment(
        kind: kind, line: index + 1, column: lines[index].distance(from: lines[index].startIndex, to: start) + 1,
        text: text.drop { $0 == " " || $0 == "\t" }))
  }
}
