/// Expressions: what a value depends on, and what it reads.
import MainstayFindings
import SwiftSyntax

extension SyntaxLowering {
  func lower(_ expression: ExprSyntax) -> SyntaxValue {
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

  func collect(_ node: Syntax, into value: inout SyntaxValue) {
    if let expression = node.as(ExprSyntax.self) {
      value.origins.formUnion(lower(expression).origins)
    } else {
      for child in node.children(viewMode: .sourceAccurate) { collect(child, into: &value) }
    }
  }

  func branch(_ node: IfExprSyntax) -> SyntaxValue {
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

  func branch(_ node: SwitchExprSyntax) -> SyntaxValue {
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

  func name(_ name: String, _ node: some SyntaxProtocol) -> SyntaxValue {
    if name == "self" { return SyntaxValue(root: "self", typeName: type) }
    if let known = locals[name] { return known }
    if let type, let member = index.types[type]?.members[name] { return read("\(type).\(name)", "self", member, node) }
    return SyntaxValue(typeName: name.first?.isUppercase == true ? name : nil)
  }

  func read(_ member: String, _ root: String, _ typeName: String, _ node: some SyntaxProtocol) -> SyntaxValue {
    let event = emit(.read(Place(root: root, member: member)), node)
    let name = member.split(separator: ".").last.map(String.init) ?? member
    return SyntaxValue(origins: Origins(event: event), root: "\(root).\(name)", typeName: typeName)
  }

  func member(_ node: MemberAccessExprSyntax) -> SyntaxValue {
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
}
