/// Finds the bodies of one file and lowers each.
import MainstayFindings
import SwiftSyntax

final class SyntaxBodyCollector: SyntaxVisitor {
  private(set) var functions: [FunctionFacts] = []
  private let declared: SourceFacts
  private let converter: SourceLocationConverter
  private let index: SyntaxModuleIndex
  /// The declarations of this file by the line and column of their names.
  private var members: [Place: (member: MemberDeclaration, container: TypeDeclaration?)] = [:]
  private var open: [String] = []
  private var names: [String: Int] = [:]
  /// What the generic parameters of the open function are constrained to.
  private var generics: [String: String] = [:]

  private struct Place: Hashable {
    var line: Int
    var column: Int
  }

  init(_ declared: SourceFacts, converter: SourceLocationConverter, index: SyntaxModuleIndex) {
    self.declared = declared
    self.converter = converter
    self.index = index
    super.init(viewMode: .sourceAccurate)
    for type in declared.types {
      for member in type.members { note(member, type) }
    }
    for member in declared.members { note(member, nil) }
  }

  private func note(_ member: MemberDeclaration, _ container: TypeDeclaration?) {
    members[Place(line: member.location.line, column: member.location.column)] = (member, container)
  }

  private func location(_ node: some SyntaxProtocol) -> MainstayFindings.SourceLocation {
    let place = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    return .init(file: declared.file, line: place.line, column: place.column)
  }

  private var type: String? { open.isEmpty ? nil : open.joined(separator: ".") }

  private func push(_ name: String) -> SyntaxVisitorContinueKind {
    open.append(name)
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { push(node.name.text) }
  override func visitPost(_ node: ClassDeclSyntax) { open.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { push(node.name.text) }
  override func visitPost(_ node: StructDeclSyntax) { open.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { push(node.name.text) }
  override func visitPost(_ node: EnumDeclSyntax) { open.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { push(node.name.text) }
  override func visitPost(_ node: ActorDeclSyntax) { open.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    push(SourceWords.typeName(node.extendedType))
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { open.removeLast() }
  override func visit(_ node: MacroDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let body = node.body else { return .skipChildren }
    let display = SourceWords.display(type, node.name.text, node.signature.parameterClause)
    generics = SourceWords.constraints(node.genericParameterClause, node.genericWhereClause)
    defer { generics = [:] }
    lowerDefaults(node.signature.parameterClause, of: display, at: node.name)
    lower(
      body.statements, display: display, isAsync: node.signature.effectSpecifiers?.asyncSpecifier != nil,
      at: node.name, parameters: node.signature.parameterClause,
      result: node.signature.returnClause?.type.trimmedDescription)
    return .skipChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let body = node.body else { return .skipChildren }
    let display = SourceWords.display(type, "init", node.signature.parameterClause)
    generics = SourceWords.constraints(node.genericParameterClause, node.genericWhereClause)
    defer { generics = [:] }
    lowerDefaults(node.signature.parameterClause, of: display, at: node.initKeyword)
    lower(
      body.statements, display: display,
      isAsync: node.signature.effectSpecifiers?.asyncSpecifier != nil, at: node.initKeyword, flags: .isInitializer,
      parameters: node.signature.parameterClause)
    return .skipChildren
  }

  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let body = node.body else { return .skipChildren }
    lower(
      body.statements, display: (type.map { $0 + "." } ?? "") + "deinit", isAsync: false, at: node.deinitKeyword,
      flags: .isDeinitializer)
    return .skipChildren
  }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let accessors = node.accessorBlock?.accessors else { return .skipChildren }
    let prefix = (type.map { $0 + "." } ?? "") + "subscript"
    lower(accessors, prefix: prefix, at: node.subscriptKeyword, parameters: node.parameterClause)
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    let prefix = type.map { $0 + "." } ?? ""
    for binding in node.bindings {
      let names = SourceWords.boundNames(binding.pattern)
      guard let name = names.first else { continue }
      if let accessors = binding.accessorBlock?.accessors { lower(accessors, prefix: prefix + name.text, at: name) }
      // Closures in an initial value are code, too.
      if let value = binding.initializer?.value, value.is(ClosureExprSyntax.self) || CallFinder.isIn(value) {
        lowerInitialValue(
          value, display: "variable initialization expression of \(prefix)\(name.text)", at: name,
          keptIn: prefix + name.text, type: binding.typeAnnotation?.type.trimmedDescription)
      }
    }
    return .skipChildren
  }

  private func lower(
    _ accessors: AccessorBlockSyntax.Accessors, prefix: String, at name: TokenSyntax,
    parameters: FunctionParameterClauseSyntax? = nil
  ) {
    switch accessors {
    case .getter(let statements):
      lower(statements, display: prefix + ".getter", isAsync: false, at: name, parameters: parameters)
    case .accessors(let list):
      for accessor in list {
        guard let body = accessor.body else { continue }
        let words = ["get": "getter", "set": "setter", "_modify": "modify", "_read": "read"]
        let kind = words[accessor.accessorSpecifier.text] ?? accessor.accessorSpecifier.text
        lower(
          body.statements, display: "\(prefix).\(kind)", isAsync: accessor.effectSpecifiers?.asyncSpecifier != nil,
          at: name, place: accessor.accessorSpecifier, parameters: parameters)
      }
    @unknown default: break
    }
  }

  /// - Parameters:
  ///   - name: the declaration's name, by which its isolation is known.
  ///   - place: where the function stands when that is elsewhere: an accessor's keyword.
  private func lower(
    _ statements: CodeBlockItemListSyntax, display: String, isAsync: Bool, at name: TokenSyntax,
    place: TokenSyntax? = nil, flags: FunctionFacts.Flags = [], parameters: FunctionParameterClauseSyntax? = nil,
    result: String? = nil
  ) {
    let lowering = start(display, isAsync: isAsync, at: name, place: place, flags: flags, parameters: parameters)
    lowering.result = result
    lowering.lower(statements)
    functions += lowering.finish()
  }

  private func lowerInitialValue(
    _ value: ExprSyntax, display: String, at name: TokenSyntax, keptIn member: String, type: String?
  ) {
    let lowering = start(display, isAsync: false, at: name, place: nil, flags: .isImplicit, parameters: nil)
    let made = lowering.lowerKept(value, as: type)
    lowering.keep(made, in: member)
    finishInitialValue(lowering)
  }

  /// Values that arguments which are left out have.
  private func lowerDefaults(_ clause: FunctionParameterClauseSyntax, of display: String, at name: TokenSyntax) {
    for (position, parameter) in clause.parameters.enumerated() {
      guard let value = parameter.defaultValue?.value, CallFinder.isIn(value) else { continue }
      let lowering = start(
        "default argument \(position) of \(display)", isAsync: false, at: name, place: nil, flags: .isImplicit,
        parameters: nil)
      _ = lowering.lower(value)
      finishInitialValue(lowering)
    }
  }

  private func finishInitialValue(_ lowering: SyntaxLowering) {
    let made = lowering.finish()
    if made.count > 1 || !made[0].keptClosures.isEmpty
      || made[0].events.contains(where: { if case .call = $0.kind { true } else { false } })
    {
      functions += made
    }
  }

  private func start(
    _ display: String, isAsync: Bool, at name: TokenSyntax, place: TokenSyntax?, flags: FunctionFacts.Flags,
    parameters clause: FunctionParameterClauseSyntax?
  ) -> SyntaxLowering {
    let nameLocation = location(name)
    let known = members[Place(line: nameLocation.line, column: nameLocation.column)]
    var member =
      known?.member
      ?? MemberDeclaration(
        name: name.text, kind: .function, isMutable: false, isStatic: false, type: "", attributes: [], modifiers: [],
        comment: "", location: nameLocation)
    member.isAsync = isAsync
    let isolation = index.isolation(of: member, in: known?.container)
    var flags = flags
    if isAsync { flags.insert(.isAsync) }
    let parameters: [(name: String, type: String)] = (clause?.parameters ?? []).map {
      let written = $0.type.trimmedDescription
      return (($0.secondName ?? $0.firstName).text, generics[written] ?? written)
    }
    var key = index.key(display, in: declared.file)
    let number = names[key, default: 0]
    names[key] = number + 1
    if number > 0 { key += "#\(number)" }
    let hasSelf = type != nil && !member.isStatic
    let function = FunctionFacts(
      name: key, display: (member.isStatic && type != nil ? "static " : "") + display, module: index.module,
      location: place.map { location($0) } ?? nameLocation, isolation: isolation, flags: flags,
      parameters: parameters.map { .init(name: $0.name, isCapture: false) }
        + (hasSelf ? [.init(name: "self", isCapture: false)] : []),
      blocks: [], events: [], source: .syntax)
    let lowering = SyntaxLowering(function, type: type, index: index, converter: converter)
    for parameter in parameters { lowering.setType(parameter.type, of: parameter.name) }
    return lowering
  }
}
