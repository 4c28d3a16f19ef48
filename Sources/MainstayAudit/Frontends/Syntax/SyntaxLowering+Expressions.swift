/// Expressions: what a value depends on, and what it reads.
import MainstayFindings
import SwiftSyntax

extension SyntaxLowering {
  func lower(_ expression: ExprSyntax) -> SyntaxValue {
    if let node = expression.as(FunctionCallExprSyntax.self) { return call(node) }
    if let node = expression.as(DeclReferenceExprSyntax.self) { return name(node.baseName.text, node) }
    if let node = expression.as(MemberAccessExprSyntax.self) { return member(node) }
    if let node = expression.as(AwaitExprSyntax.self) {
      let (wasAwaiting, wasOutermost) = (isAwaiting, isOutermost)
      (isAwaiting, isOutermost) = (true, true)
      defer { (isAwaiting, isOutermost) = (wasAwaiting, wasOutermost) }
      return lower(node.expression)
    }
    if let node = expression.as(TryExprSyntax.self) {
      let wasTrying = isTrying
      isTrying = node.questionOrExclamationMark == nil
      defer { isTrying = wasTrying }
      return lower(node.expression)
    }
    if let node = expression.as(SequenceExprSyntax.self) { return sequence(node) }
    if let node = expression.as(ClosureExprSyntax.self) { return SyntaxValue(closure: closure(node, keptAs: nil)) }
    if let node = expression.as(BooleanLiteralExprSyntax.self) { return SyntaxValue(literal: node.literal.text) }
    if let node = expression.as(BinaryOperatorExprSyntax.self), let own = index.functions[node.operator.text]?.first {
      emit(
        .call(
          Call(
            callee: .function(own.key), display: own.display, isAsync: false, executor: .own, arguments: [],
            receiver: nil)), node)
      return SyntaxValue()
    }
    if expression.is(NilLiteralExprSyntax.self) { return SyntaxValue(literal: "nil") }
    if expression.is(IntegerLiteralExprSyntax.self) || expression.is(FloatLiteralExprSyntax.self) {
      return SyntaxValue(literal: expression.trimmedDescription)
    }
    if let node = expression.as(StringLiteralExprSyntax.self), node.segments.count <= 1 {
      return SyntaxValue(typeName: "String", literal: LiteralText.kept(of: node.segments.trimmedDescription))
    }
    if let node = expression.as(IfExprSyntax.self) { return branch(node) }
    if let node = expression.as(SwitchExprSyntax.self) { return branch(node) }
    if let node = expression.as(OptionalChainingExprSyntax.self) { return lower(node.expression) }
    if let node = expression.as(ForceUnwrapExprSyntax.self) { return lower(node.expression) }
    if let node = expression.as(SubscriptCallExprSyntax.self) { return element(node) }
    if let node = expression.as(TupleExprSyntax.self), node.elements.count == 1, let only = node.elements.first {
      return lower(only.expression)
    }
    if let node = expression.as(AsExprSyntax.self) {
      var value = lower(node.expression)
      value.typeName = SyntaxModuleIndex.bare(node.type.trimmedDescription)
      return value
    }
    isOutermost = false
    if let node = expression.as(StringLiteralExprSyntax.self) { return interpolated(node) }
    if let node = expression.as(DictionaryExprSyntax.self), case .elements(let elements) = node.content {
      return collection(elements.map(\.value), keys: elements.map(\.key))
    }
    if let node = expression.as(ArrayExprSyntax.self) { return collection(node.elements.map(\.expression), keys: []) }
    var value = SyntaxValue()
    for child in expression.children(viewMode: .sourceAccurate) { collect(child, into: &value) }
    return value
  }

  /// A collection that is written out: it depends on all that it is made of.
  private func collection(_ elements: [ExprSyntax], keys: [ExprSyntax]) -> SyntaxValue {
    var value = SyntaxValue(parts: [])
    for (position, element) in elements.enumerated() {
      if position < keys.count { value.origins.formUnion(lower(keys[position]).origins) }
      let known = lower(element)
      value.origins.formUnion(known.origins)
      if value.closure == nil { value.closure = known.closure }
      if let types = known.parts ?? type(of: element, known).map({ [$0] }) {
        value.parts?.append(contentsOf: types)
      } else {
        value.parts = nil
      }
    }
    return value
  }

  /// Members that are a number or a name, whoever has them.
  private static let plainMembers = [
    "count": "Int", "isEmpty": "Bool", "path": "String", "absoluteString": "String", "lastPathComponent": "String",
    "pathExtension": "String", "uuidString": "String", "processIdentifier": "Int", "rawValue": "String",
  ]

  private func type(of expression: ExprSyntax, _ known: SyntaxValue) -> String? {
    if let literal = known.literal, !literal.hasPrefix(".") { return LiteralText.isText(literal) ? "String" : "Int" }
    if let name = known.typeName { return name == "Any" ? nil : name }
    guard let member = SyntaxLowering.unwrapped(expression).as(MemberAccessExprSyntax.self) else { return nil }
    return SyntaxLowering.plainMembers[member.declName.baseName.text]
  }

  /// A text with values in it: what a call gives as a whole is written by the interpolation, as the compiler has it.
  private func interpolated(_ node: StringLiteralExprSyntax) -> SyntaxValue {
    var value = SyntaxValue()
    for segment in node.segments {
      guard let call = segment.as(ExpressionSegmentSyntax.self)?.expressions.first?.expression,
        call.is(FunctionCallExprSyntax.self)
      else {
        collect(Syntax(segment), into: &value)
        continue
      }
      let written = Call(
        callee: .unknown, display: "DefaultStringInterpolation.appendInterpolation<A>(_:)", isAsync: false,
        executor: .own, arguments: [Argument(origins: lower(call).origins)], receiver: nil)
      value.origins.formUnion(Origins(event: emit(.call(written), segment)))
    }
    return value
  }

  func collect(_ node: Syntax, into value: inout SyntaxValue) {
    if let expression = node.as(ExprSyntax.self) {
      let inner = lower(expression)
      value.origins.formUnion(inner.origins)
      if value.closure == nil { value.closure = inner.closure }
    } else {
      for child in node.children(viewMode: .sourceAccurate) { collect(child, into: &value) }
    }
  }

  /// One element depends on the collection and on the index.
  private func element(_ node: SubscriptCallExprSyntax) -> SyntaxValue {
    var value = lower(node.calledExpression)
    let receiver = Argument(origins: value.origins, root: value.root)
    let wasOutermost = isOutermost
    isOutermost = false
    var arguments: [Argument] = []
    for argument in node.arguments {
      let known = lower(argument.expression)
      value.origins.formUnion(known.origins)
      arguments.append(Argument(origins: known.origins, root: known.root, literal: known.literal))
    }
    isOutermost = wasOutermost
    if let owner = value.typeName, let type = index.type(owner), let result = type.subscripts.first {
      arguments.append(receiver)
      let name = "\(owner).subscript.getter"
      let call = Call(
        callee: type.kind == .protocol ? .witness(name) : .function(index.key(name)), display: name, isAsync: false,
        executor: visit(owner, root: value.root), arguments: arguments, receiver: arguments.count - 1)
      let event = emit(.call(call), node)
      return SyntaxValue(origins: Origins(event: event), typeName: index.resolved(result, in: owner))
    }
    value.typeName = SyntaxModuleIndex.element(value.typeName).map { index.resolved($0, in: type) }
    value.literal = nil
    return value
  }

  private func branch(_ node: IfExprSyntax) -> SyntaxValue {
    let bound = locals
    let wasWeak = isSelfWeak
    let heads = branch(on: node.conditions, node)
    begin(from: [current])
    lower(node.body.statements)
    locals = bound
    isSelfWeak = wasWeak
    let first = current
    switch node.elseBody {
    case .codeBlock(let block):
      begin(from: heads)
      lower(block.statements)
      begin(from: [first, current])
    case .ifExpr(let next):
      begin(from: heads)
      _ = branch(next)
      begin(from: [first, current])
    case nil: begin(from: [first] + heads)
    @unknown default: begin(from: [first] + heads)
    }
    for (name, value) in locals where bound[name] == nil && value.root == name { locals[name] = nil }
    return SyntaxValue()
  }

  private func branch(_ node: SwitchExprSyntax) -> SyntaxValue {
    let subject = lower(node.subject)
    emit(.branch(subject.origins), node)
    let head = current
    let bound = locals
    var ends: [Int] = []
    loops.append((nil, -1, [], deferred.count))
    for item in node.cases {
      guard let item = item.as(SwitchCaseSyntax.self) else { continue }
      begin(from: [head])
      if let label = item.label.as(SwitchCaseLabelSyntax.self) {
        for pattern in label.caseItems { bind(pattern.pattern, to: SyntaxValue(origins: subject.origins)) }
      }
      lower(item.statements)
      locals = bound
      ends.append(current)
    }
    let breaks = loops.removeLast().breaks
    begin(from: ends.isEmpty ? [head] : ends + breaks)
    return SyntaxValue()
  }

  // MARK: Names

  func name(_ name: String, _ node: some SyntaxProtocol) -> SyntaxValue {
    if name == "self" { return selfValue(node) }
    if name == "Self" { return SyntaxValue(typeName: type) }
    if let known = local(name) { return known.isPending ? child(name, known, node) : known }
    if let type, let member = index.member(name, of: type) {
      captureSelf()
      return read(member, name, root: member.isStatic ? "global" : "self", origins: Origins(), node)
    }
    if name.first?.isUppercase == true { return SyntaxValue(typeName: index.resolved(name, in: type)) }
    if let global = index.globals[name] {
      if index.initialised.contains(name) { initialise(name, node) }
      let event = emit(.read(Place(root: "global", member: name)), node)
      return SyntaxValue(origins: Origins(event: event), root: name, typeName: SyntaxModuleIndex.bare(global))
    }
    return SyntaxValue()
  }

  /// Reads a member: an actor's from outside is a visit to that actor; a computed one runs its getter.
  private func read(
    _ member: (owner: String, type: String, isComputed: Bool, isStatic: Bool), _ name: String, root: String,
    origins: Origins, _ node: some SyntaxProtocol
  ) -> SyntaxValue {
    var origins = origins
    let full = "\(member.owner).\(name)"
    let place = Place(root: root, member: full)
    let executor = member.isStatic ? .own : visit(member.owner, root: root)
    let holder = index.type(member.owner)
    if member.isStatic, !member.isComputed, holder?.runs[name]?.contains("initial") == true { initialise(full, node) }
    let isAsked = holder?.requirements.contains(name) == true
    if !member.isComputed || isAsked { origins.formUnion(Origins(event: emit(.read(place), node))) }
    if member.isComputed || executor != .own {
      let call = Call(
        callee: !member.isComputed
          ? .unknown
          : isAsked ? .witness(full + ".getter") : .function(index.key(full + ".getter")),
        display: full + ".getter",
        isAsync: false, executor: executor, arguments: [Argument(origins: origins, root: root)], receiver: 0)
      origins.formUnion(Origins(event: emit(.call(call), node)))
    }
    let path = root == "global" ? full : "\(root).\(name)"
    return SyntaxValue(origins: origins, root: path, typeName: index.resolved(member.type, in: member.owner))
  }

  /// What these say changes with every change of the collection.
  private static let measures: Set<String> = [
    "isEmpty", "count", "first", "last", "indices", "keys", "values", "startIndex", "endIndex",
  ]

  /// `user.id` reads a part of `user`: what is read is noted as exactly as a change of that part would be.
  private func narrow(_ value: SyntaxValue, to name: String) -> Bool {
    guard !SyntaxLowering.measures.contains(name), value.origins.members.count == 1,
      let event = value.origins.members.first.map(Int.init), event >= 0,
      event == function.events.count - 1, case .read(let place) = function.events[event].kind, place.root != "?"
    else { return false }
    function.events[event].kind = .read(Place(root: place.root, member: place.member + "." + name))
    return true
  }

  /// Where a synchronous member of a type is run when it is awaited.
  private func visit(_ owner: String, root: String?) -> Executor {
    guard isAwaiting, let isolation = index.type(owner)?.isolation else { return .own }
    switch isolation {
    case .selfActor where root != "self": return .instance(root ?? "?")
    case .globalActor(let actor) where function.isolation != isolation: return .globalActor(actor)
    default: return .own
    }
  }

  /// Whoever asks first for a global or a static member makes its initial value.
  private func initialise(_ path: String, _ node: some SyntaxProtocol) {
    let call = Call(
      callee: .function(index.initialValueKey(path)), display: "initial value of \(path)", isAsync: false,
      executor: .own, arguments: [], receiver: nil)
    emit(.call(call), node)
  }

  /// The value of an `async let`: waited for where it is used.
  private func child(_ name: String, _ known: SyntaxValue, _ node: some SyntaxProtocol) -> SyntaxValue {
    let call = Call(
      callee: .unknown, display: "async let \(name)", isAsync: isAwaiting, executor: .own,
      arguments: [Argument(origins: known.origins)], receiver: nil, isThrowing: isTrying)
    let event = emit(.call(call), node)
    if isTrying { splitForThrow() }
    return SyntaxValue(origins: Origins(event: event), root: name, typeName: known.typeName)
  }

  func member(_ node: MemberAccessExprSyntax) -> SyntaxValue {
    let name = node.declName.baseName.text
    guard let base = node.base else { return SyntaxValue(literal: "." + name) }
    let isType = base.as(DeclReferenceExprSyntax.self)?.baseName.text.first?.isUppercase == true
    let wasOutermost = isOutermost
    let value = lower(base)
    isOutermost = wasOutermost
    if name == "self" {
      return isType ? SyntaxValue(typeName: value.typeName, literal: "\(value.typeName ?? "").self") : value
    }
    if let typeName = value.typeName, let known = index.member(name, of: typeName) {
      if !known.isStatic, !known.isComputed, index.isValue(known.owner), narrow(value, to: name) {
        return SyntaxValue(
          origins: value.origins, root: value.root.map { "\($0).\(name)" },
          typeName: index.resolved(known.type, in: known.owner))
      }
      return read(known, name, root: known.isStatic ? "global" : value.root ?? "?", origins: value.origins, node)
    }
    if isType, let typeName = value.typeName, name.first?.isUppercase == true, index.type(typeName + "." + name) != nil
    {
      return SyntaxValue(typeName: typeName + "." + name)
    }
    if !isType { _ = narrow(value, to: name) }
    // `Task.isCancelled`, `FileManager.default`: a getter of something outside.
    if let typeName = value.typeName {
      let call = Call(
        callee: .unknown, display: "\(typeName).\(name).getter", isAsync: false, executor: .own,
        arguments: [Argument(origins: value.origins, root: value.root)], receiver: 0)
      var origins = value.origins
      origins.formUnion(Origins(event: emit(.call(call), node)))
      let isInstance = ["default", "shared", "standard", "main", "current", "global"].contains(name)
      return SyntaxValue(
        origins: origins, root: isType ? "\(typeName).\(name)" : value.root.map { "\($0).\(name)" },
        typeName: isInstance ? typeName : nil)
    }
    return SyntaxValue(origins: value.origins, root: value.root.map { "\($0).\(name)" })
  }
}
