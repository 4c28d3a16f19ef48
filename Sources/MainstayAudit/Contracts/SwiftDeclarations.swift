/// Finds Swift declarations by name, with the tokens that they are made of.
import SwiftSyntax

enum SwiftDeclarations {
  static func read(_ text: String) -> [NamedDeclaration] {
    SourceTree.parse(text) { tree in
      let collector = NamedDeclarationCollector(viewMode: .sourceAccurate)
      collector.walk(tree)
      return collector.found
    }
  }
}

private final class NamedDeclarationCollector: SyntaxVisitor {
  private(set) var found: [NamedDeclaration] = []
  private var open: [String] = []

  private func note(_ node: some SyntaxProtocol, _ name: String) {
    found.append(
      NamedDeclaration(
        path: (open + [name]).joined(separator: "."), tokens: node.tokens(viewMode: .sourceAccurate).map(\.text)))
  }

  private func enter(_ node: some SyntaxProtocol, _ name: String) -> SyntaxVisitorContinueKind {
    note(node, name)
    open.append(name)
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.name.text) }
  override func visitPost(_ node: ClassDeclSyntax) { open.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.name.text) }
  override func visitPost(_ node: StructDeclSyntax) { open.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.name.text) }
  override func visitPost(_ node: EnumDeclSyntax) { open.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.name.text) }
  override func visitPost(_ node: ActorDeclSyntax) { open.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { enter(node, node.name.text) }
  override func visitPost(_ node: ProtocolDeclSyntax) { open.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, SourceWords.typeName(node.extendedType))
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { open.removeLast() }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node, SourceWords.display(nil, node.name.text, node.signature.parameterClause))
    return .skipChildren
  }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node, SourceWords.display(nil, "init", node.signature.parameterClause))
    return .skipChildren
  }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    // A parameter of a subscript has a label only when it has two names.
    let labels = node.parameterClause.parameters.map { ($0.secondName == nil ? "_" : $0.firstName.text) + ":" }
    note(node, "subscript(\(labels.joined()))")
    return .skipChildren
  }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node, "deinit")
    return .skipChildren
  }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
    for element in node.elements { note(element, element.name.text) }
    return .skipChildren
  }
  override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node, node.name.text)
    return .skipChildren
  }
  override func visit(_ node: MacroDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node, SourceWords.display(nil, node.name.text, node.signature.parameterClause))
    return .skipChildren
  }
  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings { for name in SourceWords.boundNames(binding.pattern) { note(node, name.text) } }
    return .skipChildren
  }
  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node, node.name.text)
    return .skipChildren
  }
}
