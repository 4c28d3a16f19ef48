/// Where a file first stops being Swift, when it does: the parser goes on behind it.
import SwiftSyntax

enum ParseError {
  /// The line of the first token that is missing or unexpected; nil when the whole file parses.
  static func line(in tree: SourceFileSyntax, _ converter: SourceLocationConverter) -> Int? {
    guard tree.hasError else { return nil }
    var node = Syntax(tree)
    // Down to what is wrong itself: all else that holds it is right.
    while !node.is(UnexpectedNodesSyntax.self),
      let next = node.children(viewMode: .all).first(where: { $0.hasError })
    {
      node = next
    }
    return converter.location(for: node.positionAfterSkippingLeadingTrivia).line
  }
}
