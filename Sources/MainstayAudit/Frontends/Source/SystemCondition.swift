/// Which clauses of `#if` no compiler on this system takes, by what they ask about the system alone.
import SwiftSyntax

enum SystemCondition {
  /// Whether a clause is for other systems: its own condition fails here, or one before it surely holds.
  static func isForOtherSystems(_ clause: IfConfigClauseSyntax) -> Bool {
    if let condition = clause.condition, value(condition) == false { return true }
    guard let clauses = clause.parent?.as(IfConfigClauseListSyntax.self) else { return false }
    return clauses.prefix { $0.id != clause.id }.contains { $0.condition.flatMap { value($0) } == true }
  }

  /// Modules that come with one system's C library, by whether Linux has them. Others may be anywhere.
  private static let modules: [String: Bool] = [
    "Glibc": true, "Darwin": false, "ObjectiveC": false, "Musl": false, "Bionic": false, "Android": false,
    "WinSDK": false, "CRT": false, "ucrt": false, "WASILibc": false, "wasi_pthread": false,
  ]

  /// What a condition comes to here, or nil when it asks about anything else.
  private static func value(_ condition: ExprSyntax) -> Bool? {
    if let call = condition.as(FunctionCallExprSyntax.self) { return value(of: call) }
    if let tuple = condition.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return value(only.expression)
    }
    if let prefix = condition.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
      return value(prefix.expression).map { !$0 }
    }
    guard let sequence = condition.as(SequenceExprSyntax.self) else { return nil }
    // `&&` binds more tightly than `||`.
    var alternatives: [[ExprSyntax]] = [[]]
    for element in sequence.elements {
      guard let sign = element.as(BinaryOperatorExprSyntax.self) else {
        alternatives[alternatives.count - 1].append(element)
        continue
      }
      if sign.operator.text == "||" { alternatives.append([]) } else if sign.operator.text != "&&" { return nil }
    }
    return any(alternatives.map { all($0.map { value($0) }) })
  }

  private static func value(of call: FunctionCallExprSyntax) -> Bool? {
    guard call.arguments.count == 1, let word = call.arguments.first?.expression.trimmedDescription else { return nil }
    switch call.calledExpression.trimmedDescription {
    case "os": return word == "Linux"
    case "canImport": return modules[word]
    default: return nil
    }
  }

  private static func all(_ values: [Bool?]) -> Bool? {
    values.contains(false) ? false : values.contains(nil) ? nil : true
  }

  private static func any(_ values: [Bool?]) -> Bool? {
    values.contains(true) ? true : values.contains(nil) ? nil : false
  }
}
