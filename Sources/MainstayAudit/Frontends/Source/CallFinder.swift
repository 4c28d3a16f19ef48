/// Whether evaluating an expression calls something, beyond making closures.
import SwiftSyntax

final class CallFinder: SyntaxVisitor {
  private var found = false

  static func isIn(_ expression: ExprSyntax?) -> Bool {
    guard let expression else { return false }
    if expression.is(StringLiteralExprSyntax.self) || expression.is(ClosureExprSyntax.self) { return false }
    let finder = CallFinder(viewMode: .sourceAccurate)
    finder.walk(expression)
    return finder.found
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    found = true
    return .skipChildren
  }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
