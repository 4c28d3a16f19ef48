/// Lowers one body of source into blocks of events, as far as names tell.
import MainstayFindings
import SwiftSyntax

/// What is known of an expression's value.
struct SyntaxValue {
  var origins = Origins()
  var root: String?
  var typeName: String?
  var literal: String?
  var closure: ClosureValue?
}

final class SyntaxLowering {
  private var function: FunctionFacts
  private let type: String?
  private let index: SyntaxModuleIndex
  private let converter: SourceLocationConverter
  private var inner: [FunctionFacts] = []
  private var closures = 0
  private var locals: [String: SyntaxValue] = [:]
  private var successors: [Int: [Int]] = [:]
  private var starts: [Int] = [0]
  private var current = 0
  private var isAwaiting = false
  private var deferred: [CodeBlockItemListSyntax] = []

  init(_ function: FunctionFacts, type: String?, index: SyntaxModuleIndex, converter: SourceLocationConverter) {
    self.function = function
    self.type = type
    self.index = index
    self.converter = converter
    for (position, parameter) in function.parameters.enumerated() where parameter.name != "self" {
      locals[parameter.name] = SyntaxValue(origins: Origins(parameter: position), root: parameter.name)
    }
  }

  func setType(_ type: String, of local: String) { locals[local]?.typeName = type }

  /// The function, and the closures inside it.
  func finish() -> [FunctionFacts] {
    for block in deferred.reversed() { lower(block) }
    for position in starts.indices {
      let end = position + 1 < starts.count ? starts[position + 1] : function.events.count
      function.blocks.append(.init(events: starts[position]..<end, successors: successors[position] ?? []))
    }
    return [function] + inner
  }

  // MARK: Blocks

  /// Begins a block; `from` lists the blocks that go on here.
  private func begin(from blocks: [Int]) {
    starts.append(function.events.count)
    current = starts.count - 1
    for block in blocks where block >= 0 { successors[block, default: []].append(current) }
  }

  private func location(_ node: some SyntaxProtocol) -> MainstayFindings.SourceLocation {
    let place = converter.location(for: node.positionAfterSkippingLeadingTrivia)
    return .init(file: function.location.file, line: place.line, column: place.column)
  }

  @discardableResult
  private func emit(_ kind: Event.Kind, _ node: some SyntaxProtocol) -> Int {
    function.events.append(Event(kind: kind, location: location(node)))
    return function.events.count - 1
  }

  // MARK: Statements

  func lower(_ statements: CodeBlockItemListSyntax) {
    for statement in statements {
      switch statement.item {
      case .decl(let declaration): lower(declaration)
      case .stmt(let statement): lower(statement)
      case .expr(let expression): _ = lower(expression)
      @unknown default: break
      }
    }
  }

  private func lower(_ declaration: DeclSyntax) {
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return }
    for binding in variable.bindings {
      guard let value = binding.initializer?.value else { continue }
      var known = lower(value)
      if let annotated = binding.typeAnnotation?.type.trimmedDescription { known.typeName = annotated }
      bind(binding.pattern, to: known)
    }
  }

  private func bind(_ pattern: PatternSyntax, to value: SyntaxValue) {
    if let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
      var known = value
      if known.root == nil { known.root = name }
      locals[name] = known
    } else if let tuple = pattern.as(TuplePatternSyntax.self) {
      for element in tuple.elements { bind(element.pattern, to: SyntaxValue(origins: value.origins)) }
    } else if let binding = pattern.as(ValueBindingPatternSyntax.self) {
      bind(binding.pattern, to: value)
    }
  }

  private func lower(_ statement: StmtSyntax) {
    if let node = statement.as(ExpressionStmtSyntax.self) {
      _ = lower(node.expression)
    } else if let node = statement.as(GuardStmtSyntax.self) {
      let origins = conditions(node.conditions)
      emit(.branch(origins), node)
      let head = current
      begin(from: [head])
      lower(node.body.statements)
      begin(from: [head])
    } else if let node = statement.as(WhileStmtSyntax.self) {
      let before = current
      begin(from: [before])
      let head = current
      emit(.branch(conditions(node.conditions)), node)
      loop(node.body.statements, head: head)
    } else if let node = statement.as(ForStmtSyntax.self) {
      let sequence = lower(node.sequence)
      let before = current
      begin(from: [before])
      let head = current
      let next = emit(
        .call(
          Call(
            callee: .unknown, display: node.awaitKeyword == nil ? "IndexingIterator.next()" : "AsyncIterator.next()",
            isAsync: node.awaitKeyword != nil, executor: .own, arguments: [Argument(origins: sequence.origins)],
            receiver: 0)), node)
      emit(.branch(Origins(event: next)), node)
      bind(node.pattern, to: SyntaxValue(origins: Origins(event: next)))
      loop(node.body.statements, head: head)
    } else if let node = statement.as(RepeatStmtSyntax.self) {
      let before = current
      begin(from: [before])
      let head = current
      lower(node.body.statements)
      emit(.branch(lower(node.condition).origins), node)
      successors[current, default: []].append(head)
      begin(from: [current])
    } else if let node = statement.as(DoStmtSyntax.self) {
      let before = current
      lower(node.body.statements)
      var ends = [current]
      for clause in node.catchClauses {
        begin(from: [before])
        lower(clause.body.statements)
        ends.append(current)
      }
      begin(from: ends)
    } else if let node = statement.as(DeferStmtSyntax.self) {
      deferred.append(node.body.statements)
    } else if let node = statement.as(ReturnStmtSyntax.self) {
      if let value = node.expression { _ = lower(value) }
      for block in deferred.reversed() { lower(block) }
      begin(from: [])
    } else if let node = statement.as(ThrowStmtSyntax.self) {
      _ = lower(node.expression)
      begin(from: [])
    } else {
      for child in statement.children(viewMode: .sourceAccurate) {
        if let expression = child.as(ExprSyntax.self) { _ = lower(expression) }
      }
    }
  }

  private func loop(_ body: CodeBlockItemListSyntax, head: Int) {
    let branch = current
    begin(from: [branch])
    lower(body)
    successors[current, default: []].append(head)
    begin(from: [branch])
  }

  private func conditions(_ list: ConditionElementListSyntax) -> Origins {
    var origins = Origins()
    for element in list {
      switch element.condition {
      case .expression(let expression): origins.formUnion(lower(expression).origins)
      case .optionalBinding(let binding):
        let value: SyntaxValue
        if let initializer = binding.initializer {
          value = lower(initializer.value)
        } else {
          value = binding.pattern.as(IdentifierPatternSyntax.self).map { name($0.identifier.text, $0) } ?? SyntaxValue()
        }
        origins.formUnion(value.origins)
        bind(binding.pattern, to: value)
      case .matchingPattern(let match):
        let value = lower(match.initializer.value)
        origins.formUnion(value.origins)
      case .availability: break
      @unknown default: break
      }
    }
    return origins
  }

  // MARK: Expressions

  private func lower(_ expression: ExprSyntax) -> SyntaxValue {
    if let node = expression.as(AwaitExprSyntax.self) {
      let outer = isAwaiting
      isAwaiting = true
      defer { isAwaiting = outer }
      return lower(node.expression)
    }
    if let node = expression.as(TryExprSyntax.self) { return lower(node.expression) }
    if let node = expression.as(SequenceExprSyntax.self) { return sequence(node) }
    if let node = expression.as(FunctionCallExprSyntax.self) { return call(node) }
    if let node = expression.as(DeclReferenceExprSyntax.self) { return name(node.baseName.text, node) }
    if let node = expression.as(MemberAccessExprSyntax.self) { return member(node) }
    if let node = expression.as(ClosureExprSyntax.self) {
      return SyntaxValue(closure: closure(node, isolation: function.isolation, isAsync: false, escapes: true))
    }
    if let node = expression.as(BooleanLiteralExprSyntax.self) { return SyntaxValue(literal: node.literal.text) }
    if expression.is(NilLiteralExprSyntax.self) { return SyntaxValue(literal: "nil") }
    if expression.is(IntegerLiteralExprSyntax.self) || expression.is(FloatLiteralExprSyntax.self) {
      return SyntaxValue(literal: expression.trimmedDescription)
    }
    if let node = expression.as(IfExprSyntax.self) { return branch(node) }
    if let node = expression.as(SwitchExprSyntax.self) { return branch(node) }
    if let node = expression.as(OptionalChainingExprSyntax.self) { return lower(node.expression) }
    if let node = expression.as(ForceUnwrapExprSyntax.self) { return lower(node.expression) }
    var value = SyntaxValue()
    for child in expression.children(viewMode: .sourceAccurate) { collect(child, into: &value) }
    return value
  }

  private func collect(_ node: Syntax, into value: inout SyntaxValue) {
    if let expression = node.as(ExprSyntax.self) {
      value.origins.formUnion(lower(expression).origins)
    } else {
      for child in node.children(viewMode: .sourceAccurate) { collect(child, into: &value) }
    }
  }

  private func branch(_ node: IfExprSyntax) -> SyntaxValue {
    emit(.branch(conditions(node.conditions)), node)
    let head = current
    begin(from: [head])
    lower(node.body.statements)
    let first = current
    switch node.elseBody {
    case .codeBlock(let block):
      begin(from: [head])
      lower(block.statements)
      begin(from: [first, current])
    case .ifExpr(let next):
      begin(from: [head])
      _ = branch(next)
      begin(from: [first, current])
    case nil: begin(from: [first, head])
    @unknown default: begin(from: [first, head])
    }
    return SyntaxValue()
  }

  private func branch(_ node: SwitchExprSyntax) -> SyntaxValue {
    emit(.branch(lower(node.subject).origins), node)
    let head = current
    var ends: [Int] = []
    for item in node.cases {
      guard let item = item.as(SwitchCaseSyntax.self) else { continue }
      begin(from: [head])
      lower(item.statements)
      ends.append(current)
    }
    begin(from: ends.isEmpty ? [head] : ends)
    return SyntaxValue()
  }

  /// Operators come in a row: an assignment is found by its token, everything else only mixes origins.
  private func sequence(_ node: SequenceExprSyntax) -> SyntaxValue {
    let parts = Array(node.elements)
    let position = parts.firstIndex { part in
      if part.is(AssignmentExprSyntax.self) { return true }
      guard let name = part.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
      return name.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(name)
    }
    var value = SyntaxValue()
    let isSimple = position.map { parts.count == $0 + 2 } ?? false
    for part in parts[(position.map { $0 + 1 } ?? 0)...] {
      let one = lower(part)
      value.origins.formUnion(one.origins)
      if isSimple {
        value = SyntaxValue(origins: one.origins, root: one.root, typeName: one.typeName, literal: one.literal)
      }
    }
    guard let position, position > 0, let target = place(of: parts[position - 1]) else { return value }
    if let name = target.local {
      locals[name] = SyntaxValue(origins: value.origins, root: name, typeName: value.typeName, literal: value.literal)
      return SyntaxValue()
    }
    if let place = target.place {
      var origins = value.origins
      origins.formUnion(target.origins)
      if !parts[position].is(AssignmentExprSyntax.self) {
        origins.formUnion(Origins(event: emit(.read(place), parts[position - 1])))
      }
      emit(
        .write(
          Write(
            place: place, origins: origins, literal: target.isPartial ? nil : value.literal, isPartial: target.isPartial
          )),
        parts[position - 1])
    }
    return SyntaxValue()
  }

  private func place(of expression: ExprSyntax) -> (place: Place?, local: String?, origins: Origins, isPartial: Bool)? {
    if let node = expression.as(DeclReferenceExprSyntax.self) {
      let name = node.baseName.text
      if locals[name] != nil { return (nil, name, Origins(), false) }
      guard let type, index.types[type]?.members[name] != nil else { return nil }
      return (Place(root: "self", member: "\(type).\(name)"), nil, Origins(), false)
    }
    if let node = expression.as(MemberAccessExprSyntax.self), let base = node.base {
      if base.trimmedDescription == "self" || base.trimmedDescription == "self?", let type {
        return (Place(root: "self", member: "\(type).\(node.declName.baseName.text)"), nil, Origins(), false)
      }
      if let outer = place(of: base), let place = outer.place {
        return (
          Place(root: place.root, member: place.member + "." + node.declName.baseName.text), nil, outer.origins,
          outer.isPartial
        )
      }
    }
    if let node = expression.as(SubscriptCallExprSyntax.self), var outer = place(of: node.calledExpression) {
      for argument in node.arguments { outer.origins.formUnion(lower(argument.expression).origins) }
      outer.isPartial = true
      return outer
    }
    if let node = expression.as(OptionalChainingExprSyntax.self) { return place(of: node.expression) }
    if let node = expression.as(ForceUnwrapExprSyntax.self) { return place(of: node.expression) }
    return nil
  }

  private func name(_ name: String, _ node: some SyntaxProtocol) -> SyntaxValue {
    if name == "self" { return SyntaxValue(root: "self", typeName: type) }
    if let known = locals[name] { return known }
    if let type, let member = index.types[type]?.members[name] { return read("\(type).\(name)", "self", member, node) }
    return SyntaxValue(typeName: name.first?.isUppercase == true ? name : nil)
  }

  private func read(_ member: String, _ root: String, _ typeName: String, _ node: some SyntaxProtocol) -> SyntaxValue {
    let event = emit(.read(Place(root: root, member: member)), node)
    let name = member.split(separator: ".").last.map(String.init) ?? member
    return SyntaxValue(origins: Origins(event: event), root: "\(root).\(name)", typeName: typeName)
  }

  private func member(_ node: MemberAccessExprSyntax) -> SyntaxValue {
    let name = node.declName.baseName.text
    guard let base = node.base else { return SyntaxValue(literal: "." + name) }
    let value = lower(base)
    if let typeName = value.typeName, let known = index.types[typeName]?.members[name] {
      let event = emit(.read(Place(root: value.root ?? "?", member: "\(typeName).\(name)")), node)
      var origins = value.origins
      origins.formUnion(Origins(event: event))
      return SyntaxValue(origins: origins, root: value.root.map { "\($0).\(name)" }, typeName: known)
    }
    // `Task.isCancelled`, `FileManager.default`: a getter of something outside.
    if let typeName = value.typeName {
      let call = Call(
        callee: .unknown, display: "\(typeName).\(name).getter", isAsync: false, executor: .own, arguments: [],
        receiver: nil)
      let event = emit(.call(call), node)
      let isInstance = ["default", "shared", "standard", "main", "current"].contains(name)
      return SyntaxValue(
        origins: Origins(event: event), root: "\(typeName).\(name)", typeName: isInstance ? typeName : nil)
    }
    return SyntaxValue(origins: value.origins, root: value.root.map { "\($0).\(name)" })
  }

  // MARK: Calls

  /// Functions that run their closure before they return.
  private static let immediate: Set<String> = [
    "map", "compactMap", "flatMap", "filter", "forEach", "reduce", "sorted", "sort", "first", "contains", "allSatisfy",
    "withLock", "sync", "withAnimation", "run", "assumeIsolated", "withUnsafeBytes", "withCheckedContinuation",
    "withCheckedThrowingContinuation", "min", "max", "removeAll", "firstIndex", "autoreleasepool",
  ]

  private func call(_ node: FunctionCallExprSyntax) -> SyntaxValue {
    var receiver = SyntaxValue()
    var base = ""
    var name = ""
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
      name = member.declName.baseName.text
      if let expression = member.base {
        receiver = lower(expression)
        base = receiver.typeName ?? ""
      }
    } else {
      name = node.calledExpression.trimmedDescription
    }
    base = String(base.drop { $0 == "(" }.prefix { $0 != "<" && $0 != "?" && $0 != "!" })
    if base.hasPrefix("any ") || base.hasPrefix("some ") { base = String(base.drop { $0 != " " }.dropFirst()) }
    let isType = base.isEmpty && name.first?.isUppercase == true
    let targets: [SyntaxFunction]
    if node.calledExpression.is(DeclReferenceExprSyntax.self) {
      targets = type.flatMap { index.types[$0]?.methods[name] } ?? index.functions[name] ?? []
    } else {
      targets = index.types[base]?.methods[name] ?? []
    }
    let labels = node.arguments.map { ($0.label?.text ?? "_") + ":" }.joined()
    var display = isType ? "\(name).init(\(labels))" : (base.isEmpty ? name : "\(base).\(name)") + "(\(labels))"
    if isType, name == "Task" { display = "Task.init(priority:operation:)" }
    let target =
      targets.count == 1 ? targets.first : targets.first { $0.display.hasSuffix("\(name)(\(labels))") } ?? targets.first
    let isSpawn = isType && name == "Task" || base == "Task" && name == "detached"
    let isImmediate = SyntaxLowering.immediate.contains(name)
    var arguments: [Argument] = []
    for argument in node.arguments { arguments.append(self.argument(argument.expression, isSpawn, base, isImmediate)) }
    if let trailing = node.trailingClosure {
      arguments.append(self.argument(ExprSyntax(trailing), isSpawn, base, isImmediate))
    }
    for more in node.additionalTrailingClosures {
      arguments.append(self.argument(ExprSyntax(more.closure), isSpawn, base, isImmediate))
    }
    let isMethod =
      node.calledExpression.is(MemberAccessExprSyntax.self) || target.map { $0.display.contains(".") } == true
    let root = receiver.root ?? (node.calledExpression.is(DeclReferenceExprSyntax.self) ? "self" : nil)
    if isMethod { arguments.append(Argument(origins: receiver.origins, root: root)) }
    // A lower-case name that nobody here declares may be a C function.
    let isGlobal =
      node.calledExpression.is(DeclReferenceExprSyntax.self) && name.first?.isLowercase == true && locals[name] == nil
    let other = target.map { self.executor(of: $0, root: root) } ?? .own
    let isAsync = target?.isAsync ?? (isAwaiting && !isType && other == .own)
    let event = emit(
      .call(
        Call(
          callee: target.map { .function($0.key) } ?? (isGlobal ? .function(name) : .unknown),
          display: target?.display ?? display, isAsync: isAsync,
          executor: isAsync ? .own : other, arguments: arguments, receiver: isMethod ? arguments.count - 1 : nil)), node
    )
    mutate(node, name, event, arguments)
    return SyntaxValue(origins: Origins(event: event), root: nil, typeName: isType ? name : nil)
  }

  private func executor(of target: SyntaxFunction, root: String?) -> Executor {
    guard isAwaiting, target.isolation != function.isolation || target.isolation == .selfActor && root != "self" else {
      return .own
    }
    switch target.isolation {
    case .globalActor(let name): return .globalActor(name)
    case .selfActor: return .instance(root ?? "?")
    default: return .own
    }
  }

  private static let mutating: Set<String> = [
    "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeValue", "updateValue", "formUnion",
    "toggle", "subtract", "sort", "popLast", "popFirst",
  ]

  /// `items.append(x)` changes `items`.
  private func mutate(_ node: FunctionCallExprSyntax, _ name: String, _ event: Int, _ arguments: [Argument]) {
    guard SyntaxLowering.mutating.contains(name),
      let base = node.calledExpression.as(MemberAccessExprSyntax.self)?.base,
      let place = place(of: base)?.place
    else { return }
    var origins = Origins(event: event)
    for argument in arguments.dropLast() { origins.formUnion(argument.origins) }
    emit(.write(Write(place: place, origins: origins, literal: nil, isPartial: true)), node)
  }

  private func argument(_ expression: ExprSyntax, _ isSpawn: Bool, _ base: String, _ isImmediate: Bool) -> Argument {
    if let node = expression.as(ClosureExprSyntax.self) {
      var isolation = function.isolation
      if isSpawn, base == "Task" { isolation = .nonisolated }
      if let stated = node.signature?.attributes,
        let actor = SyntaxModuleIndex.attributes(stated).first(where: { index.globalActors.contains($0) })
      {
        isolation = .globalActor(actor)
      }
      if base == "MainActor" { isolation = .mainActor }
      let made = closure(node, isolation: isolation, isAsync: isSpawn, escapes: !isImmediate)
      return Argument(closure: [made])
    }
    let value = lower(expression)
    return Argument(origins: value.origins, root: value.root, literal: value.literal)
  }

  private func closure(_ node: ClosureExprSyntax, isolation: Isolation, isAsync: Bool, escapes: Bool) -> ClosureValue {
    closures += 1
    let display = "closure #\(closures) in \(function.display)"
    var flags: FunctionFacts.Flags = .isClosure
    if isAsync { flags.insert(.isAsync) }
    let body = FunctionFacts(
      name: "\(function.name)U\(closures)", display: display, module: function.module, location: location(node),
      isolation: isolation, flags: flags, parameters: [.init(name: "self", isCapture: true)], blocks: [], events: [],
      source: .syntax)
    let lowering = SyntaxLowering(body, type: type, index: index, converter: converter)
    for (name, value) in locals { lowering.locals[name] = SyntaxValue(root: value.root, typeName: value.typeName) }
    lowering.lower(node.statements)
    inner += lowering.finish()
    return ClosureValue(function: body.name, escapes: escapes, captures: [Argument(root: "self")])
  }
}
