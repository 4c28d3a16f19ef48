/// Assignments: which member or local one changes, and from what.
import MainstayFindings
import SwiftSyntax

extension SyntaxLowering {
  /// Operators come in a row: an assignment is found by its token, everything else only mixes origins.
  func sequence(_ node: SequenceExprSyntax) -> SyntaxValue {
    let parts = Array(node.elements)
    isOutermost = parts.count > 1 ? false : isOutermost
    let position = parts.firstIndex { part in
      if part.is(AssignmentExprSyntax.self) { return true }
      guard let name = part.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
      return name.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(name)
    }
    var value = SyntaxValue()
    let isSimple = position.map { parts.count == $0 + 2 } ?? false
    var ends: [Int] = []
    for part in parts[(position.map { $0 + 1 } ?? 0)...] {
      // `await a + b` covers both.
      isOutermost = isAwaiting
      if let choice = part.as(UnresolvedTernaryExprSyntax.self) {
        emit(.branch(value.origins), choice)
        let head = current
        begin(from: [head])
        value.origins.formUnion(lower(choice.thenExpression).origins)
        ends.append(current)
        begin(from: [head])
        continue
      }
      let one =
        isSimple ? lowerKept(part, as: position.flatMap { $0 > 0 ? memberType(parts[$0 - 1]) : nil }) : lower(part)
      value.origins.formUnion(one.origins)
      if isSimple {
        value = SyntaxValue(
          origins: one.origins, root: one.root, typeName: one.typeName, literal: one.literal, closure: one.closure)
      }
    }
    if !ends.isEmpty { begin(from: ends + [current]) }
    guard let position, position > 0, let target = place(of: parts[position - 1]) else { return value }
    if let name = target.local {
      var origins = value.origins
      if !parts[position].is(AssignmentExprSyntax.self) { origins.formUnion(locals[name]?.origins ?? Origins()) }
      locals[name] = SyntaxValue(
        origins: origins, root: name, typeName: value.typeName ?? locals[name]?.typeName, literal: value.literal)
      return SyntaxValue()
    }
    if let place = target.place {
      var origins = value.origins
      origins.formUnion(target.origins)
      if target.isPartial, parts[position - 1].is(SubscriptCallExprSyntax.self) {
        let call = Call(
          callee: .unknown, display: NewEntries.setter, isAsync: false, executor: .own,
          arguments: [Argument(origins: value.origins), Argument(origins: target.origins), Argument(root: place.root)],
          receiver: 2)
        origins.formUnion(Origins(event: emit(.call(call), parts[position - 1])))
      }
      let isPlain = parts[position].is(AssignmentExprSyntax.self)
      let asked = ask(parts[position - 1])
      let isAdded = isAppended(parts[position], parts[position - 1], parts[position + 1])
      if let isAdded {
        let call = Call(
          callee: .unknown, display: "static \(isAdded).+= infix(_:_:)", isAsync: false, executor: .own,
          arguments: [Argument(root: place.root), Argument(origins: value.origins)], receiver: nil)
        origins.formUnion(Origins(event: emit(.call(call), parts[position])))
      } else if !isPlain {
        origins.formUnion(Origins(event: emit(.read(place), parts[position - 1])))
      }
      emit(
        .write(
          Write(
            place: place, origins: origins, literal: target.isPartial || !isPlain ? nil : value.literal,
            isPartial: target.isPartial || isAdded != nil)),
        parts[position - 1])
      if isSimple { keep(value, in: place.member) }
      observe(place, parts[position - 1])
      if let asked { begin(from: [asked, current]) }
    }
    return SyntaxValue()
  }

  /// `Array` for `items += [item]`, which adds to what is there as `append` does.
  private func isAppended(_ sign: ExprSyntax, _ target: ExprSyntax, _ added: ExprSyntax) -> String? {
    guard sign.as(BinaryOperatorExprSyntax.self)?.operator.text == "+=" else { return nil }
    let type = memberType(target) ?? known(target).typeName ?? ""
    if added.is(ArrayExprSyntax.self) || type.hasPrefix("[") && !type.contains(":") { return "Array" }
    return type == "String" || added.is(StringLiteralExprSyntax.self) ? "String" : nil
  }

  /// `orders[id]?.state = .sent` changes something only when it is there: what is changed is looked at first. Gives the block
  /// that goes on when there is nothing.
  private func ask(_ target: ExprSyntax) -> Int? {
    var next: ExprSyntax? = target
    while let expression = next {
      if let chain = expression.as(OptionalChainingExprSyntax.self) {
        guard let asked = place(of: chain.expression), let place = asked.place else { return nil }
        var origins = asked.origins
        origins.formUnion(Origins(event: emit(.read(place), chain)))
        emit(.branch(origins), chain)
        let head = current
        begin(from: [head])
        return head
      }
      next =
        expression.as(MemberAccessExprSyntax.self)?.base
        ?? expression.as(SubscriptCallExprSyntax.self)?.calledExpression
    }
    return nil
  }

  /// `willSet` and `didSet` run with the change, wherever it is made but in an initialiser.
  func observe(_ place: Place, _ node: some SyntaxProtocol) {
    let parts = place.member.split(separator: ".").map(String.init)
    guard !function.flags.contains(.isInitializer), parts.count > 1 else { return }
    let (owner, name) = (parts.dropLast().joined(separator: "."), parts[parts.count - 1])
    for observer in index.type(owner)?.runs[name] ?? [] where observer != "initial" {
      let display = "\(place.member).\(observer.lowercased())"
      let call = Call(
        callee: .function(index.key(display)), display: display, isAsync: false, executor: .own,
        arguments: [Argument(root: place.root)], receiver: 0)
      emit(.call(call), node)
    }
  }

  /// The type of the member on the left of an assignment, as it is written; of `_model` that of the wrapper around it.
  private func memberType(_ expression: ExprSyntax) -> String? {
    let expression = SyntaxLowering.unwrapped(expression)
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      if local(name) != nil { return nil }
      return type.flatMap { memberType(name, of: $0) } ?? SendableHandlers.type(ofMember: name)
    }
    guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base else { return nil }
    let owner = SourceWords.isSelf(base) ? type : known(base).typeName
    let name = member.declName.baseName.text
    return owner.flatMap { memberType(name, of: $0) } ?? SendableHandlers.type(ofMember: name)
  }

  private func memberType(_ name: String, of owner: String) -> String? {
    if let member = index.member(name, of: owner) { return member.type }
    return name.hasPrefix("_") ? index.type(owner)?.wrappers[String(name.dropFirst())] : nil
  }

  /// What an expression on the left of an assignment stands for: a member, a global, or a local name.
  func place(of expression: ExprSyntax) -> (place: Place?, local: String?, origins: Origins, isPartial: Bool)? {
    if let node = expression.as(DeclReferenceExprSyntax.self) {
      let name = node.baseName.text
      if let known = local(name) {
        // A local that stands for an object of somebody else's keeps its path.
        if let root = known.root, root != name, root.contains(".") { return nil }
        return (nil, name, Origins(), false)
      }
      if let type, let member = index.member(name, of: type) {
        captureSelf()
        return (
          Place(root: member.isStatic ? "global" : "self", member: "\(member.owner).\(name)"), nil, Origins(), false
        )
      }
      return index.globals[name] != nil ? (Place(root: "global", member: name), nil, Origins(), false) : nil
    }
    if let node = expression.as(MemberAccessExprSyntax.self), let base = node.base {
      let name = node.declName.baseName.text
      if SourceWords.isSelf(base), let type {
        _ = selfValue(base)
        let owner = index.member(name, of: type)?.owner ?? type
        return (Place(root: "self", member: "\(owner).\(name)"), nil, Origins(), false)
      }
      let value =
        SourceWords.isTypeName(base) ? SyntaxValue(typeName: base.trimmedDescription) : known(base)
      if let typeName = value.typeName, let member = index.member(name, of: typeName),
        member.isStatic || !index.isValue(member.owner) || place(of: base)?.place == nil
      {
        let root = member.isStatic ? "global" : value.root ?? "?"
        return (Place(root: root, member: "\(member.owner).\(name)"), nil, value.origins, false)
      }
      if let outer = place(of: base), let place = outer.place {
        return (Place(root: place.root, member: place.member + "." + name), nil, outer.origins, outer.isPartial)
      }
      return nil
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

  /// What is known of an object on the left, without reading it: `store.rows` in `store.rows.items = x`.
  private func known(_ expression: ExprSyntax) -> SyntaxValue {
    if let node = expression.as(DeclReferenceExprSyntax.self) {
      let name = node.baseName.text
      if let known = local(name) { return known }
      if let type, let member = index.member(name, of: type) {
        captureSelf()
        return SyntaxValue(
          root: member.isStatic ? name : "self.\(name)", typeName: index.resolved(member.type, in: member.owner))
      }
      return SyntaxValue(root: name, typeName: index.globals[name].map { SyntaxModuleIndex.bare($0) })
    }
    if let node = expression.as(MemberAccessExprSyntax.self), let base = node.base {
      let name = node.declName.baseName.text
      if SourceWords.isSelf(base), let type, let member = index.member(name, of: type) {
        captureSelf()
        return SyntaxValue(root: "self.\(name)", typeName: index.resolved(member.type, in: member.owner))
      }
      let value = known(base)
      let member = value.typeName.flatMap { index.member(name, of: $0) }
      return SyntaxValue(
        root: value.root.map { "\($0).\(name)" }, typeName: member.map { index.resolved($0.type, in: $0.owner) })
    }
    if let node = expression.as(OptionalChainingExprSyntax.self) { return known(node.expression) }
    if let node = expression.as(ForceUnwrapExprSyntax.self) { return known(node.expression) }
    return SyntaxValue()
  }
}
