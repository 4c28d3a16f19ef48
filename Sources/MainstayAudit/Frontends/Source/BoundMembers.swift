/// Reads which properties a view gives to controls, and what keeps a person from those controls meanwhile.
import MainstayFindings
import SwiftSyntax

enum BoundMembers {
  /// `$title`, `$model.title`, `self.$title`; nil for every other name, also for a closure's `$0`.
  static func read(_ node: DeclReferenceExprSyntax, in type: String) -> BoundMember? {
    let name = node.baseName.text
    guard name.hasPrefix("$"), let first = name.dropFirst().first, !first.isNumber else { return nil }
    var path = String(name.dropFirst())
    var current = Syntax(node)
    if let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id {
      // A publisher of somebody else's, as `model.$title`, changes nothing.
      guard let base = member.base, SourceWords.isSelf(base) else { return nil }
      current = Syntax(member)
    }
    var steps = 0
    while let member = current.parent?.as(MemberAccessExprSyntax.self), member.base?.id == current.id, steps < 8 {
      // A call of the binding itself, as `$title.animation()`, names nothing of it.
      if member.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == member.id { break }
      path += "." + member.declName.baseName.text
      current = Syntax(member)
      steps += 1
    }
    return BoundMember(type: type, path: path, locks: locks(around: current), given: given(current))
  }

  private static func given(_ expression: Syntax) -> String {
    guard let argument = expression.parent?.as(LabeledExprSyntax.self),
      let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
    else { return "" }
    let callee = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
    return callee + "." + (argument.label?.text ?? "_")
  }

  private static func locks(around expression: Syntax) -> [String] {
    var locks: [String] = []
    var current = expression
    var steps = 0
    while let parent = current.parent, steps < 400 {
      steps += 1
      if let call = parent.as(FunctionCallExprSyntax.self) {
        let modifier = call.calledExpression.as(MemberAccessExprSyntax.self)
        if call.calledExpression.id == current.id {
          if modifier?.declName.baseName.text == "disabled", let flag = call.arguments.first, call.arguments.count == 1
          {
            locks += alternatives(flag.expression)
          }
        } else {
          // What the view around it is told of loading, it shows in place of its content.
          for argument in call.arguments where argument.label?.text.lowercased().contains("loading") == true {
            if let path = path(argument.expression) { locks.append(path) }
          }
        }
      } else if let choice = parent.as(IfExprSyntax.self), choice.conditions.count == 1,
        case .expression(let condition)? = choice.conditions.first?.condition
      {
        if choice.elseBody?.id == current.id {
          locks += alternatives(condition)
        } else if choice.body.id == current.id, let negated = condition.as(PrefixOperatorExprSyntax.self),
          negated.operator.text == "!"
        {
          locks += alternatives(negated.expression)
        }
      } else if parent.is(MemberBlockSyntax.self) {
        break
      }
      current = parent
    }
    return locks
  }

  /// The flags of which each alone is enough: `isSaving || isLoading`.
  private static func alternatives(_ expression: ExprSyntax) -> [String] {
    if let path = path(expression) { return [path] }
    if let inner = expression.as(TupleExprSyntax.self), inner.elements.count == 1, let only = inner.elements.first {
      return alternatives(only.expression)
    }
    guard let sequence = expression.as(SequenceExprSyntax.self) else { return [] }
    let operators = sequence.elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
    guard !operators.isEmpty, operators.count * 2 + 1 == sequence.elements.count,
      operators.allSatisfy({ $0 == "||" })
    else { return [] }
    return sequence.elements.compactMap { path($0) }
  }

  /// `isSaving`, `model.isSaving`, `self.isSaving`.
  private static func path(_ expression: ExprSyntax) -> String? {
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text { return name == "self" ? nil : name }
    guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base else { return nil }
    let name = member.declName.baseName.text
    if SourceWords.isSelf(base) { return name }
    return path(base).map { $0 + "." + name }
  }
}
