/// What a module's sources say about its types and functions, before any body is read.
import MainstayFindings
import SwiftSyntax

/// One function as its declaration says it.
struct SyntaxFunction {
  var key: String
  var display: String
  var isAsync: Bool
  var isolation: Isolation
}

struct SyntaxType {
  var isActor = false
  var isolation: Isolation?
  /// Stored and computed members, with the name of their type when it is written or made by an initialiser call.
  var members: [String: String] = [:]
  var methods: [String: [SyntaxFunction]] = [:]
  var inherited: Set<String> = []
}

struct SyntaxModuleIndex {
  var types: [String: SyntaxType] = [:]
  var functions: [String: [SyntaxFunction]] = [:]
  var globalActors: Set<String> = ["MainActor"]
  let module: String
  /// The isolation of what says nothing.
  let fallback: Isolation

  init(module: String, fallback: Isolation) {
    self.module = module
    self.fallback = fallback
  }

  static func attributes(_ list: AttributeListSyntax) -> [String] {
    list.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
  }

  /// The isolation that attributes and modifiers state, or nil when they say nothing.
  func stated(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax, isAsync: Bool) -> Isolation? {
    let names = SyntaxModuleIndex.attributes(attributes)
    if names.contains("concurrent") { return .nonisolated }
    if modifiers.contains(where: { $0.name.text == "nonisolated" }) { return .nonisolated }
    for name in names where globalActors.contains(name) { return .globalActor(name) }
    return nil
  }

  func isolation(ofType name: String) -> Isolation? {
    guard let type = types[name] else { return nil }
    if type.isActor { return .selfActor }
    return type.isolation
  }

  static let mainActorProtocols: Set<String> = [
    "View", "SwiftUI.View", "App", "Scene", "ViewModifier", "UIApplicationDelegate", "NSApplicationDelegate",
    "UIViewController", "UIView", "NSViewController", "NSView", "UITableViewController", "UICollectionViewController",
  ]

  static func display(_ type: String?, _ name: String, _ parameters: FunctionParameterClauseSyntax) -> String {
    let labels = parameters.parameters.map { $0.firstName.text + ":" }.joined()
    return (type.map { $0 + "." } ?? "") + "\(name)(\(labels))"
  }
}

/// Fills the index from one file: declarations only.
final class SyntaxIndexer: SyntaxVisitor {
  var index: SyntaxModuleIndex
  private var open: [String] = []

  init(_ index: SyntaxModuleIndex) {
    self.index = index
    super.init(viewMode: .sourceAccurate)
  }

  private var type: String? { open.isEmpty ? nil : open.joined(separator: ".") }

  private func enter(
    _ name: String, _ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax,
    _ inherited: InheritanceClauseSyntax?, isActor: Bool = false, isExtension: Bool = false
  ) -> SyntaxVisitorContinueKind {
    open.append(name)
    let full = open.joined(separator: ".")
    var entry = index.types[full] ?? SyntaxType()
    if isActor { entry.isActor = true }
    if SyntaxModuleIndex.attributes(attributes).contains("globalActor") { index.globalActors.insert(name) }
    for one in inherited?.inheritedTypes ?? [] { entry.inherited.insert(one.type.trimmedDescription) }
    if let stated = index.stated(attributes, modifiers, isAsync: false) {
      entry.isolation = stated
    } else if !isExtension, entry.isolation == nil,
      !entry.inherited.isDisjoint(with: SyntaxModuleIndex.mainActorProtocols)
    {
      entry.isolation = .mainActor
    }
    index.types[full] = entry
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ClassDeclSyntax) { open.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: StructDeclSyntax) { open.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: EnumDeclSyntax) { open.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node.attributes, node.modifiers, node.inheritanceClause, isActor: true)
  }
  override func visitPost(_ node: ActorDeclSyntax) { open.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      node.extendedType.trimmedDescription, node.attributes, node.modifiers, node.inheritanceClause, isExtension: true)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { open.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let isAsync = node.signature.effectSpecifiers?.asyncSpecifier != nil
    let stated = index.stated(node.attributes, node.modifiers, isAsync: isAsync)
    let display = SyntaxModuleIndex.display(type, node.name.text, node.signature.parameterClause)
    let function = SyntaxFunction(
      key: "source:\(index.module).\(display)", display: display, isAsync: isAsync,
      isolation: stated ?? type.flatMap { index.isolation(ofType: $0) } ?? index.fallback)
    if let type {
      index.types[type, default: SyntaxType()].methods[node.name.text, default: []].append(function)
    } else {
      index.functions[node.name.text, default: []].append(function)
    }
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let type else { return .skipChildren }
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
      var typeName = binding.typeAnnotation?.type.trimmedDescription ?? ""
      if typeName.isEmpty, let call = binding.initializer?.value.as(FunctionCallExprSyntax.self) {
        typeName = call.calledExpression.trimmedDescription
      }
      index.types[type, default: SyntaxType()].members[name] = typeName
    }
    return .skipChildren
  }
}
