/// Takes an attribute off declarations, and with it the space or line that it stood on.
import Foundation
import MainstayFindings
import SwiftSyntax

enum AttributeRemoval {
  struct Removal {
    /// The bytes to take away.
    var ranges: [Range<Int>] = []
    /// Where there is no such attribute.
    var missed: [MainstayFindings.SourceLocation] = []
    /// Those inside an `#if`, of which nothing was compiled.
    var uncompiled: [MainstayFindings.SourceLocation] = []
  }

  /// - Parameters:
  ///   - places: where the declarations' names stand.
  ///   - compiled: the lines on which the build has functions.
  static func ranges(
    _ attribute: String, at places: [MainstayFindings.SourceLocation], in text: String, compiled: Set<Int>
  ) -> Removal {
    guard !places.isEmpty else { return Removal() }
    guard !SourceTree.opensTooManyBrackets(Data(text.utf8)) else { return Removal(missed: places) }
    return found(attribute, places, text, compiled)
  }

  private static func found(
    _ attribute: String, _ places: [MainstayFindings.SourceLocation], _ text: String, _ compiled: Set<Int>
  ) -> Removal {
    SourceTree.parse(text) { tree in
      let converter = SourceLocationConverter(fileName: "", tree: tree)
      let finder = AttributeFinder(attribute, converter)
      finder.walk(tree)
      let bytes = Array(text.utf8)
      var removal = Removal()
      for place in places {
        if let (range, conditional) = finder.found[AttributeFinder.Place(line: place.line, column: place.column)] {
          if let conditional, !conditional.contains(where: { compiled.contains($0) }) {
            removal.uncompiled.append(place)
            continue
          }
          // The spaces after it, and its line when it stood alone: the declaration moves up to its indentation.
          var end = range.upperBound
          while end < bytes.count, [32, 9, 10, 13].contains(bytes[end]) { end += 1 }
          removal.ranges.append(range.lowerBound..<end)
        } else {
          removal.missed.append(place)
        }
      }
      return removal
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
  /// The bytes of the attribute, by the place of the declaration's name; and the lines of a declaration inside an `#if`.
  private(set) var found: [Place: (bytes: Range<Int>, conditional: ClosedRange<Int>?)] = [:]

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
      found[Place(line: place.line, column: place.column)] = (
        one.positionAfterSkippingLeadingTrivia.utf8Offset..<one.endPositionBeforeTrailingTrivia.utf8Offset,
        lines(ofConditional: attributes.parent)
      )
      break
    }
    return .visitChildren
  }

  /// The lines of a declaration that some build leaves out.
  private func lines(ofConditional declaration: Syntax?) -> ClosedRange<Int>? {
    guard let declaration else { return nil }
    var around = declaration.parent
    while let node = around, !node.is(IfConfigClauseSyntax.self) { around = node.parent }
    guard around != nil else { return nil }
    let first = converter.location(for: declaration.positionAfterSkippingLeadingTrivia).line
    return first...max(first, converter.location(for: declaration.endPositionBeforeTrailingTrivia).line)
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
