/// Reads a file's outline from its syntax tree, and what a manifest says of isolation.
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

  /// How the targets of a package's manifest set isolation, as far as its text says so.
  static func isolationSettings(manifest: String) -> [String: ManifestSettings] {
    guard manifest.contains("defaultIsolation") || manifest.contains("NonisolatedNonsendingByDefault") else {
      return [:]
    }
    return SourceTree.parse(manifest) { tree in
      let collector = TargetCollector(viewMode: .sourceAccurate)
      collector.walk(tree)
      return collector.targets.mapValues { collector.settings($0) }
    }
  }
}

/// What a manifest says about one target's isolation.
struct ManifestSettings: Sendable, Hashable {
  var isMainActorDefault = false
  var isNonsendingByDefault = false
}

private final class TargetCollector: SyntaxVisitor {
  /// The text of each target's settings.
  private(set) var targets: [String: String] = [:]
  /// The text of values that settings may name.
  private var values: [String: String] = [:]

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
      values[name] = binding.initializer?.value.description ?? binding.accessorBlock?.description ?? ""
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let kind = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
    guard ["target", "executableTarget", "testTarget", "macro"].contains(kind),
      let name = node.arguments.first(where: { $0.label?.text == "name" })?.expression.as(StringLiteralExprSyntax.self)
    else { return .visitChildren }
    let settings = node.arguments.first { $0.label?.text == "swiftSettings" }
    targets[name.segments.description] = settings?.expression.description ?? ""
    return .skipChildren
  }

  func settings(_ text: String) -> ManifestSettings {
    var text = text
    for (name, value) in values where text.contains(name) { text += value }
    return ManifestSettings(
      isMainActorDefault: text.contains("defaultIsolation(MainActor"),
      isNonsendingByDefault: text.contains("NonisolatedNonsendingByDefault"))
  }
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
