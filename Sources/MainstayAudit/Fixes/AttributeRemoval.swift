/// Takes an attribute off declarations, and with it the space or line that it stood on.
import Foundation
import MainstayFindings
import SwiftSyntax

enum AttributeRemoval {
  /// - Parameter places: where the declarations' names stand.
  /// - Returns: the bytes to take away, and the places at which there is no such attribute.
  static func ranges(
    _ attribute: String, at places: [MainstayFindings.SourceLocation], in text: String
  ) -> (ranges: [Range<Int>], missed: [MainstayFindings.SourceLocation]) {
    guard !places.isEmpty else { return ([], []) }
    guard !SourceTree.opensTooManyBrackets(Data(text.utf8)) else { return ([], places) }
    return found(attribute, places, text)
  }

  private static func found(
    _ attribute: String, _ places: [MainstayFindings.SourceLocation], _ text: String
  ) -> (ranges: [Range<Int>], missed: [MainstayFindings.SourceLocation]) {
    SourceTree.parse(text) { tree in
      let converter = SourceLocationConverter(fileName: "", tree: tree)
      let finder = AttributeFinder(attribute, converter)
      finder.walk(tree)
      let bytes = Array(text.utf8)
      var missed: [MainstayFindings.SourceLocation] = []
      var ranges: [Range<Int>] = []
      for place in places {
        if let range = finder.found[AttributeFinder.Place(line: place.line, column: place.column)] {
          // The spaces after it, and its line when it stood alone: the declaration moves up to its indentation.
          var end = range.upperBound
          while end < bytes.count, [32, 9, 10, 13].contains(bytes[end]) { end += 1 }
          ranges.append(range.lowerBound..<end)
        } else {
          missed.append(place)
        }
      }
      return (ranges, missed)
    }
  }
}

private final class AttributeFinder: SyntaxVisitor {
  struct Place: Hashable {
    var line: Int
    var column: Int
  }

  private let attribute: String
  private let converter: SourceLocationConverter
  /// The bytes of the attribute, by the place of the declaration's name.
  private(set) var found: [Place: Range<Int>] = [:]

  init(_ attribute: String, _ converter: SourceLocationConverter) {
    self.attribute = attribute
    self.converter = converter
    super.init(viewMode: .sourceAccurate)
  }

  private func note(_ attributes: AttributeListSyntax, _ name: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
    for element in attributes {
      guard let one = element.as(AttributeSyntax.self), SourceWords.typeName(one.attributeName) == attribute else {
        continue
      }
      let place = converter.location(for: name.positionAfterSkippingLeadingTrivia)
      found[Place(line: place.line, column: place.column)] =
        one.positionAfterSkippingLeadingTrivia.utf8Offset..<one.endPositionBeforeTrailingTrivia.utf8Offset
      break
    }
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { note(node.attributes, node.name) }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { note(node.attributes, node.name) }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { note(node.attributes, node.name) }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { note(node.attributes, node.name) }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { note(node.attributes, node.name) }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node.attributes, node.extendedType)
  }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node.attributes, node.initKeyword)
  }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node.attributes, node.subscriptKeyword)
  }
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      for name in SourceWords.boundNames(binding.pattern) { _ = note(node.attributes, name) }
    }
    return .visitChildren
  }
}
