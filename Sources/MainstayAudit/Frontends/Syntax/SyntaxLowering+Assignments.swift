/// Assignments: which member or local one changes, and from what.
import MainstayFindings
import SwiftSyntax

extension SyntaxLowering {
  /// Operators come in a row: an assignment is found by its token, everything else only mixes origins.
  func sequence(_ node: SequenceExprSyntax) -> SyntaxValue {
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

  func place(of expression: ExprSyntax) -> (place: Place?, local: String?, origins: Origins, isPartial: Bool)? {
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
}
