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
    if let node = expression.as(ClosureExprSyntax.self) {
      return SyntaxValue(closure: closure(node, isolation: function.isolation, isAsync: false, escapes: true))
    }
    if let node = expression.as(BooleanLiteralExprSyntax.self) { return SyntaxValue(literal: node.literal.text) }
    if expression.is(NilLiteralExprSyntax.self) { return SyntaxValue(literal: "nil") }
    if expression.is(IntegerLiteralExprSyntax.self) || expression.is(FloatLiteralExprSyntax.self) {
      return SyntaxValue(literal: expression.trimmedDescription)
    }
    if let node = expression.as(StringLiteralExprSyntax.self), node.segments.count <= 1 {
      return SyntaxValue(typeName: "String", literal: "literal")
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
    var value = SyntaxValue()
    for child in expression.children(viewMode: .sourceAccurate) { collect(child, into: &value) }
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
    let wasOutermost = isOutermost
    isOutermost = false
    for argument in node.arguments { value.origins.formUnion(lower(argument.expression).origins) }
    isOutermost = wasOutermost
    value.typeName = nil
    value.literal = nil
    return value
  }

  private func branch(_ node: IfExprSyntax) -> SyntaxValue {
    let bound = locals
    let wasWeak = isSelfWeak
    emit(.branch(conditions(node.conditions)), node)
    let head = current
    begin(from: [head])
    lower(node.body.statements)
    locals = bound
    isSelfWeak = wasWeak
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
    for (name, value) in locals where bound[name] == nil && value.root == name { locals[name] = nil }
    return SyntaxValue()
  }

  private func branch(_ node: SwitchExprSyntax) -> SyntaxValue {
    let subject = lower(node.subject)
    emit(.branch(subject.origins), node)
    let head = current
    let bound = locals
    var ends: [Int] = []
    loops.append((nil, -1, []))
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
    if let known = local(name) { return known }
    if let type, let member = index.member(name, of: type) {
      captureSelf()
      return read(member, name, root: member.isStatic ? "global" : "self", origins: Origins(), node)
    }
    if name.first?.isUppercase == true { return SyntaxValue(typeName: name) }
    if let global = index.globals[name] {
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
    var executor = Executor.own
    if isAwaiting, let owner = index.type(member.owner)?.isolation, owner != function.isolation || root != "self",
      !member.isStatic
    {
      switch owner {
      case .selfActor where root != "self": executor = .instance(root)
      case .globalActor(let actor) where function.isolation != owner: executor = .globalActor(actor)
      default: break
      }
    }
    if !member.isComputed { origins.formUnion(Origins(event: emit(.read(place), node))) }
    if member.isComputed || executor != .own {
      let call = Call(
        callee: member.isComputed ? .function(index.key(full + ".getter")) : .unknown, display: full + ".getter",
        isAsync: false, executor: executor, arguments: [Argument(origins: origins, root: root)], receiver: 0)
      origins.formUnion(Origins(event: emit(.call(call), node)))
    }
    let path = root == "global" ? full : "\(root).\(name)"
    return SyntaxValue(origins: origins, root: path, typeName: SyntaxModuleIndex.bare(member.type))
  }

  func member(_ node: MemberAccessExprSyntax) -> SyntaxValue {
    let name = node.declName.baseName.text
    guard let base = node.base else { return SyntaxValue(literal: "." + name) }
    let isType = base.as(DeclReferenceExprSyntax.self)?.baseName.text.first?.isUppercase == true
    let wasOutermost = isOutermost
    let value = lower(base)
    isOutermost = wasOutermost
    if name == "self" { return value }
    if let typeName = value.typeName, let known = index.member(name, of: typeName) {
      return read(known, name, root: known.isStatic ? "global" : value.root ?? "?", origins: value.origins, node)
    }
    if isType, let typeName = value.typeName, index.type(typeName + "." + name) != nil {
      return SyntaxValue(typeName: typeName + "." + name)
    }
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
