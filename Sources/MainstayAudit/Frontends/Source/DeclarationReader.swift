/// Reads one file's declarations and silencers from its syntax tree, for whichever frontend reads its functions.
import MainstayFindings
import SwiftParser
import SwiftSyntax

enum DeclarationReader {
  static func read(_ tree: SourceFileSyntax, file: String, converter: SourceLocationConverter) -> SourceFacts {
    let collector = DeclarationFactsCollector(file: file, converter: converter)
    collector.walk(tree)
    return collector.facts
  }

  /// Reads a file that was compiled here, and that only this reader looks at: without what other systems get.
  static func readCompiled(text: String, file: String) -> SourceFacts {
    SourceTree.parse(text) { tree in
      let converter = SourceLocationConverter(fileName: file, tree: tree)
      let collector = DeclarationFactsCollector(file: file, converter: converter)
      collector.leavesOutOtherSystems = true
      collector.walk(tree)
      return collector.facts
    }
  }
}

private final class DeclarationFactsCollector: SyntaxVisitor {
  private(set) var facts = SourceFacts()
  private let file: String
  private let converter: SourceLocationConverter
  /// The open types, innermost last, by their index in `facts.types`.
  private var open: [Int] = []
  private var functions: [String] = []
  /// How many function bodies and closures are open.
  private var bodies = 0
  /// The calls whose closures are open.
  private var given: [String] = []
  /// Whether clauses of `#if` that no compiler on this system takes are skipped.
  var leavesOutOtherSystems = false

  init(file: String, converter: SourceLocationConverter) {
    self.file = file
    self.converter = converter
    super.init(viewMode: .sourceAccurate)
    facts.file = file
  }

  private func location(_ node: some SyntaxProtocol) -> MainstayFindings.SourceLocation {
    let place = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    return .init(file: file, line: place.line, column: place.column)
  }

  private var type: String? { open.last.map { facts.types[$0].name } }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    leavesOutOtherSystems && SystemCondition.isForOtherSystems(node) ? .skipChildren : .visitChildren
  }

  // MARK: Types

  private func enter(
    _ node: some DeclSyntaxProtocol, _ kind: TypeDeclaration.Kind, _ name: String, at place: some SyntaxProtocol,
    _ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax, _ inherited: InheritanceClauseSyntax?,
    _ body: MemberBlockSyntax? = nil
  ) -> SyntaxVisitorContinueKind {
    let outer = type
    let clause: [TypeDeclaration.Inherited] = (inherited?.inheritedTypes ?? []).flatMap { bases($0.type) }
    let declaration = TypeDeclaration(
      name: (outer.map { $0 + "." } ?? "") + name, kind: kind, attributes: SourceWords.names(attributes),
      modifiers: SourceWords.names(modifiers), inherited: clause, members: [],
      comment: SourceWords.comment(before: node, andPromisesIn: body), location: location(place), outer: outer,
      isLocal: bodies > 0)
    facts.types.append(declaration)
    open.append(facts.types.count - 1)
    for one in clause where one.attributes.contains("preconcurrency") {
      facts.silencers.append(
        Silencer(
          kind: .preconcurrencyConformance, location: one.location,
          comment: SourceWords.comment(around: node, untilLineOf: one.location.line, converter),
          function: declaration.name, type: declaration.name, given: nil))
    }
    return .visitChildren
  }

  /// `@unchecked Sendable`, `@preconcurrency A & B`: each protocol with what stands before it.
  private func bases(_ type: TypeSyntax) -> [TypeDeclaration.Inherited] {
    if let attributed = type.as(AttributedTypeSyntax.self) {
      var names = SourceWords.names(attributed.attributes)
      for specifier in attributed.specifiers { names.append(specifier.trimmedDescription) }
      return bases(attributed.baseType).map { inner in
        var one = inner
        one.attributes = names + inner.attributes
        one.location = location(attributed)
        return one
      }
    }
    if let composition = type.as(CompositionTypeSyntax.self) { return composition.elements.flatMap { bases($0.type) } }
    return [.init(name: SourceWords.typeName(type), attributes: [], location: location(type))]
  }

  private func leave() { open.removeLast() }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      node, .class, node.name.text, at: node.name, node.attributes, node.modifiers, node.inheritanceClause,
      node.memberBlock)
  }
  override func visitPost(_ node: ClassDeclSyntax) { leave() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .struct, node.name.text, at: node.name, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: StructDeclSyntax) { leave() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .enum, node.name.text, at: node.name, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: EnumDeclSyntax) { leave() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .actor, node.name.text, at: node.name, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ActorDeclSyntax) { leave() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node, .protocol, node.name.text, at: node.name, node.attributes, node.modifiers, node.inheritanceClause)
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { leave() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(
      node, .extension, SourceWords.typeName(node.extendedType), at: node.extendedType, node.attributes, node.modifiers,
      node.inheritanceClause)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { leave() }

  // MARK: Members

  private func add(
    _ node: some DeclSyntaxProtocol, _ kind: MemberDeclaration.Kind, _ name: String, at place: some SyntaxProtocol,
    isMutable: Bool = false, type: String = "", signature: FunctionSignatureSyntax? = nil,
    parameters: FunctionParameterClauseSyntax? = nil, generics: [String: String] = [:], runs: [String] = [],
    initial: String = "",
    _ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax
  ) {
    guard bodies == 0 else { return }
    let words = SourceWords.names(modifiers)
    let clause = signature?.parameterClause ?? parameters
    let member = MemberDeclaration(
      name: name, kind: kind, isMutable: isMutable, isStatic: words.contains("static") || words.contains("class"),
      type: type, labels: clause.map { SourceWords.labels($0) } ?? "",
      isAsync: signature?.effectSpecifiers?.asyncSpecifier != nil,
      isThrowing: signature?.effectSpecifiers?.throwsClause != nil,
      isolatedParameter: signature.flatMap { SourceWords.isolatedParameter($0.parameterClause) },
      parameters: clause.map { SourceWords.parameters($0, generics) } ?? [], runs: runs, initial: initial,
      attributes: SourceWords.names(attributes), modifiers: words,
      comment: SourceWords.comment(before: node), location: location(place))
    if let last = open.last { facts.types[last].members.append(member) } else { facts.members.append(member) }
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    for binding in node.bindings {
      var isStored = true
      if case .getter = binding.accessorBlock?.accessors { isStored = false }
      if case .accessors(let list) = binding.accessorBlock?.accessors {
        isStored = !list.contains { ["get", "_read", "unsafeAddress"].contains($0.accessorSpecifier.text) }
      }
      var type = binding.typeAnnotation?.type.trimmedDescription ?? ""
      if type.isEmpty, let value = binding.initializer?.value { type = SourceWords.madeType(value) }
      let runs = SourceWords.observers(binding) + (CallFinder.isIn(binding.initializer?.value) ? ["initial"] : [])
      for name in SourceWords.boundNames(binding.pattern) {
        add(
          node, isStored ? .stored : .computed, name.text, at: name, isMutable: node.bindingSpecifier.text == "var",
          type: type, runs: isStored ? runs : [],
          initial: isStored ? binding.initializer.map { SourceWords.literal($0.value) } ?? "" : "", node.attributes,
          node.modifiers)
      }
    }
    if SourceWords.names(node.modifiers).contains("nonisolated(unsafe)"), let first = node.bindings.first,
      !ConstantTable.isOfFunctions(node)
    {
      let name = first.pattern.trimmedDescription
      facts.silencers.append(
        Silencer(
          kind: .nonisolatedUnsafe,
          location: location(
            node.modifiers.first { $0.name.text == "nonisolated" } ?? node.modifiers[node.modifiers.startIndex]),
          comment: SourceWords.comment(around: node, untilLineOf: location(first).line, converter),
          function: (type.map { $0 + "." } ?? "") + name, type: type, given: nil,
          variable: Silencer.Variable(
            isConstant: node.bindingSpecifier.text == "let", type: first.typeAnnotation?.type.trimmedDescription ?? "",
            value: String(first.initializer?.value.trimmedDescription.prefix(80) ?? ""))))
    }
    // A local variable is no declaration that anybody knows by name.
    let name = node.bindings.first?.pattern.trimmedDescription ?? ""
    functions.append(bodies > 0 ? functions.last ?? name : (type.map { $0 + "." } ?? "") + name)
    return .visitChildren
  }
  override func visitPost(_ node: VariableDeclSyntax) { functions.removeLast() }

  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind {
    bodies += 1
    return .visitChildren
  }
  override func visitPost(_ node: AccessorBlockSyntax) { bodies -= 1 }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    add(
      node, .function, node.name.text, at: node.name, type: node.signature.returnClause?.type.trimmedDescription ?? "",
      signature: node.signature,
      generics: SourceWords.constraints(node.genericParameterClause, node.genericWhereClause), node.attributes,
      node.modifiers)
    unsafeModifier(node.modifiers, node, node.name.text)
    functions.append(SourceWords.display(type, node.name.text, node.signature.parameterClause))
    bodies += 1
    return .visitChildren
  }
  override func visitPost(_ node: FunctionDeclSyntax) {
    functions.removeLast()
    bodies -= 1
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    add(
      node, .initializer, "init", at: node.initKeyword, signature: node.signature,
      generics: SourceWords.constraints(node.genericParameterClause, node.genericWhereClause), node.attributes,
      node.modifiers)
    functions.append(SourceWords.display(type, "init", node.signature.parameterClause))
    bodies += 1
    return .visitChildren
  }
  override func visitPost(_ node: InitializerDeclSyntax) {
    functions.removeLast()
    bodies -= 1
  }

  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    add(node, .deinitializer, "deinit", at: node.deinitKeyword, node.attributes, node.modifiers)
    functions.append((type.map { $0 + "." } ?? "") + "deinit")
    bodies += 1
    return .visitChildren
  }
  override func visitPost(_ node: DeinitializerDeclSyntax) {
    functions.removeLast()
    bodies -= 1
  }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    add(
      node, .subscripting, "subscript", at: node.subscriptKeyword, type: node.returnClause.type.trimmedDescription,
      parameters: node.parameterClause, node.attributes, node.modifiers)
    functions.append((type.map { $0 + "." } ?? "") + "subscript")
    return .visitChildren
  }
  override func visitPost(_ node: SubscriptDeclSyntax) { functions.removeLast() }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if let name = node.path.first?.name.text { facts.imports.append(name) }
    return .skipChildren
  }

  private func unsafeModifier(_ modifiers: DeclModifierListSyntax, _ node: some DeclSyntaxProtocol, _ name: String) {
    guard let modifier = modifiers.first(where: { $0.trimmedDescription == "nonisolated(unsafe)" }) else { return }
    facts.silencers.append(
      Silencer(
        kind: .nonisolatedUnsafe, location: location(modifier),
        comment: SourceWords.comment(around: node, untilLineOf: location(modifier).line, converter),
        function: (type.map { $0 + "." } ?? "") + name, type: type, given: nil))
  }

  // MARK: Closures and assumptions

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    bodies += 1
    given.append(SourceWords.call(around: node))
    return .visitChildren
  }
  override func visitPost(_ node: ClosureExprSyntax) {
    bodies -= 1
    given.removeLast()
  }

  /// The statements of `main.swift`, which the main thread runs.
  private var isTopLevel: Bool {
    open.isEmpty && functions.isEmpty && given.isEmpty && file.hasSuffix("/main.swift")
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if let type, let bound = BoundMembers.read(node, in: type) { facts.bound.append(bound) }
    return .visitChildren
  }

  /// `MainActor.assumeIsolated`, `counter.assumeIsolated`, and an actor's own without `self`.
  private func assumption(_ node: FunctionCallExprSyntax) -> DeclReferenceExprSyntax? {
    let called = node.calledExpression
    guard
      let name = called.as(MemberAccessExprSyntax.self)?.declName
        ?? (type == nil ? nil : called.as(DeclReferenceExprSyntax.self)),
      name.baseName.text == "assumeIsolated"
    else { return nil }
    return name
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if SourceWords.sendsToMainQueue(node) {
      let comment = SourceWords.comment(aboutStatementAround: node)
      if !comment.isEmpty {
        facts.mainQueueBlocks.append(MainQueueBlock(location: location(node), comment: comment))
      }
    }
    if let name = assumption(node),
      // Without a closure it is another library's, which checks what it assumes.
      node.trailingClosure != nil || !node.arguments.isEmpty, !isTopLevel, !MainThreadProof.holds(at: node)
    {
      facts.silencers.append(
        Silencer(
          kind: .assumeIsolated, location: location(name),
          comment: SourceWords.comment(atCall: node, converter), function: functions.last ?? "", type: type,
          given: given.last))
    }
    return .visitChildren
  }
}
