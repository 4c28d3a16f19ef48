/// Reads a file's outline from its syntax tree.
import MainstayFindings
import SwiftParser
import SwiftSyntax

enum SourceSyntax {
  static func outline(_ tree: SourceFileSyntax, of text: String) -> SourceOutline {
    let collector = DeclarationCollector(viewMode: .sourceAccurate)
    collector.walk(tree)
    return SourceOutline(collector.declarations, of: text)
  }

  /// The outline of a file that only this reader looks at.
  static func outline(text: String) -> SourceOutline { SourceTree.parse(text) { outline($0, of: text) } }
}

private final class DeclarationCollector: SyntaxVisitor {
  private(set) var declarations: [OutlinedDeclaration] = []
  private var open: [Int] = []

  private func enter(
    _ node: some SyntaxProtocol, _ kind: OutlinedDeclaration.Kind, _ name: String, _ attributes: AttributeListSyntax?,
    _ modifiers: DeclModifierListSyntax?, _ inherited: InheritanceClauseSyntax? = nil
  ) -> SyntaxVisitorContinueKind {
    let names = (attributes ?? []).compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
    declarations.append(
      OutlinedDeclaration(
        kind: kind, name: name, attributes: names, modifiers: (modifiers ?? []).map { $0.name.text },
        inherited: (inherited?.inheritedTypes ?? []).map { $0.type.trimmedDescription },
        range: node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPosition.utf8Offset,
        parent: open.last ?? -1))
    open.append(declarations.count - 1)
    return .visitChildren
  }

  private func leave() { open.removeLast() }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .function, node.name.text, node.attributes, node.modifiers)
  }
  override func visitPost(_ node: FunctionDeclSyntax) { leave() }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .function, "init", node.attributes, node.modifiers)
  }
  override func visitPost(_ node: InitializerDeclSyntax) { leave() }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .function, "deinit", node.attributes, node.modifiers)
  }
  override func visitPost(_ node: DeinitializerDeclSyntax) { leave() }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .function, "subscript", node.attributes, node.modifiers)
  }
  override func visitPost(_ node: SubscriptDeclSyntax) { leave() }
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .variable, node.bindings.first?.pattern.trimmedDescription ?? "", node.attributes, node.modifiers)
  }
  override func visitPost(_ node: VariableDeclSyntax) { leave() }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .type, node.name.text, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ClassDeclSyntax) { leave() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .type, node.name.text, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: StructDeclSyntax) { leave() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .type, node.name.text, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: EnumDeclSyntax) { leave() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .type, node.name.text, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ActorDeclSyntax) { leave() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .protocol, node.name.text, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { leave() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      node, .extension, node.extendedType.trimmedDescription, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { leave() }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .closure, "closure", node.signature?.attributes, nil)
  }
  override func visitPost(_ node: ClosureExprSyntax) { leave() }
}
