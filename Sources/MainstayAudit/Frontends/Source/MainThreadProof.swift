/// Whether the source itself shows that a call is made on the main thread: it was asked before, or the closure around it is
/// sent to the main queue a few lines on.
import SwiftSyntax

enum MainThreadProof {
  static func holds(at call: FunctionCallExprSyntax) -> Bool {
    var current = Syntax(call)
    while let parent = current.parent {
      if parent.is(FunctionDeclSyntax.self) || parent.is(AccessorDeclSyntax.self) { return false }
      if let closure = parent.as(ClosureExprSyntax.self) { return goesToMain(closure) }
      if let list = parent.as(CodeBlockItemListSyntax.self), isAsserted(before: current, in: list) { return true }
      if let sequence = parent.as(ExprListSyntax.self), isAsked(before: current, in: sequence) { return true }
      if let condition = parent.as(IfExprSyntax.self), condition.body.id == current.id,
        condition.conditions.contains(where: { says($0) })
      {
        return true
      }
      current = parent
    }
    return false
  }

  // MARK: What is asked

  /// `Thread.isMainThread && …`, `Thread.isMainThread ? … : …`.
  private static func isAsked(before part: Syntax, in list: ExprListSyntax) -> Bool {
    for element in list {
      if Syntax(element).id == part.id {
        // What stands behind the colon is an element of its own: it runs where the answer was no.
        return element.is(UnresolvedTernaryExprSyntax.self) && list.first.map { isQuestion($0) } ?? false
      }
      if let sign = element.as(BinaryOperatorExprSyntax.self) {
        if sign.operator.text != "&&" { return false }
      } else if isQuestion(element) {
        return true
      }
    }
    return false
  }

  private static func says(_ condition: ConditionElementSyntax) -> Bool {
    guard case .expression(let expression) = condition.condition else { return false }
    return isAnswered(expression)
  }

  /// Whether an expression is true on the main thread only.
  private static func isAnswered(_ expression: ExprSyntax) -> Bool {
    guard let sequence = expression.as(SequenceExprSyntax.self) else { return isQuestion(expression) }
    let signs = sequence.elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator.text }
    return signs.allSatisfy { $0 == "&&" } && sequence.elements.contains { isQuestion($0) }
  }

  /// `Thread.isMainThread`, or a constant that was made from it.
  private static func isQuestion(_ expression: ExprSyntax) -> Bool {
    let text = expression.trimmedDescription
    if text == "Thread.isMainThread" || text == "Thread.current.isMainThread" { return true }
    guard let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text,
      let value = constant(name, before: Syntax(expression))
    else { return false }
    return isAnswered(value)
  }

  /// What a local constant is made of.
  private static func constant(_ name: String, before node: Syntax) -> ExprSyntax? {
    var current = node
    while let parent = current.parent, !parent.is(FunctionDeclSyntax.self) {
      if let list = parent.as(CodeBlockItemListSyntax.self) {
        for item in list.prefix(while: { $0.id != current.id }) {
          guard let variable = item.item.as(VariableDeclSyntax.self), variable.bindingSpecifier.text == "let" else {
            continue
          }
          for binding in variable.bindings where binding.pattern.trimmedDescription == name {
            return binding.initializer?.value
          }
        }
      }
      current = parent
    }
    return nil
  }

  /// A statement before that only the main thread passes.
  private static func isAsserted(before item: Syntax, in list: CodeBlockItemListSyntax) -> Bool {
    list.prefix { $0.id != item.id }.contains { earlier in
      if let guarded = earlier.item.as(GuardStmtSyntax.self) { return guarded.conditions.contains { says($0) } }
      guard let call = earlier.item.as(FunctionCallExprSyntax.self) else { return false }
      switch call.calledExpression.trimmedDescription {
      case "precondition", "assert": return call.arguments.first.map { isAnswered($0.expression) } ?? false
      case "dispatchPrecondition": return call.arguments.trimmedDescription.hasSuffix(".onQueue(.main)")
      case "MainActor.preconditionIsolated", "MainActor.shared.preconditionIsolated", "MainActor.assertIsolated",
        "MainActor.shared.assertIsolated":
        return true
      default: return false
      }
    }
  }

  // MARK: Closures

  private static let senders = [
    "DispatchQueue.main.async", "DispatchQueue.main.asyncAfter", "DispatchQueue.main.sync", "RunLoop.main.perform",
    "OperationQueue.main.addOperation",
  ]

  /// `let body = { … }` that is used for nothing but the main queue, what is given to a constant that is that queue, and
  /// the handler of a source on that queue.
  private static func goesToMain(_ closure: ClosureExprSyntax) -> Bool {
    if let binding = closure.parent?.as(InitializerClauseSyntax.self)?.parent?.as(PatternBindingSyntax.self),
      let variable = binding.parent?.parent?.as(VariableDeclSyntax.self), variable.bindingSpecifier.text == "let",
      let item = variable.parent?.as(CodeBlockItemSyntax.self), let list = item.parent?.as(CodeBlockItemListSyntax.self)
    {
      let uses = list.drop { $0.id != item.id }.dropFirst().flatMap {
        references(to: binding.pattern.trimmedDescription, in: Syntax($0))
      }
      return !uses.isEmpty
        && uses.allSatisfy { use in
          guard let argument = use.parent?.as(LabeledExprSyntax.self),
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
          else { return false }
          return senders.contains(call.calledExpression.trimmedDescription)
        }
    }
    guard let call = closure.parent?.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self)
    else { return false }
    if ["async", "asyncAfter", "sync"].contains(member.declName.baseName.text),
      let queue = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text,
      constant(queue, before: Syntax(call))?.trimmedDescription == "DispatchQueue.main"
    {
      return true
    }
    guard ["setEventHandler", "setCancelHandler", "setRegistrationHandler"].contains(member.declName.baseName.text),
      let source = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text,
      let made = constant(source, before: Syntax(call))?.as(FunctionCallExprSyntax.self)
    else { return false }
    return made.arguments.contains { argument in
      argument.label?.text == "queue"
        && [".main", "DispatchQueue.main"].contains(argument.expression.trimmedDescription)
    }
  }

  private static func references(to name: String, in node: Syntax) -> [DeclReferenceExprSyntax] {
    let finder = ReferenceFinder(name)
    finder.walk(node)
    return finder.found
  }
}

private final class ReferenceFinder: SyntaxVisitor {
  private(set) var found: [DeclReferenceExprSyntax] = []
  private let name: String

  init(_ name: String) {
    self.name = name
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if node.baseName.text == name { found.append(node) }
    return .visitChildren
  }
}
