/// Constants that need no promise: lists and dictionaries of a file's own functions, which capture nothing and never change.
import SwiftSyntax

enum ConstantTable {
  static func isOfFunctions(_ node: VariableDeclSyntax) -> Bool {
    guard node.bindingSpecifier.text == "let", node.bindings.count == 1,
      let value = node.bindings.first?.initializer?.value
    else { return false }
    var names: [String?] = []
    if let list = value.as(ArrayExprSyntax.self) {
      names = list.elements.map { name($0.expression) }
    } else if let table = value.as(DictionaryExprSyntax.self), case .elements(let elements) = table.content {
      guard elements.allSatisfy({ $0.key.is(StringLiteralExprSyntax.self) || $0.key.is(MemberAccessExprSyntax.self) })
      else { return false }
      names = elements.map { name($0.value) }
    }
    guard !names.isEmpty, let file = node.root.as(SourceFileSyntax.self) else { return false }
    let functions = Set(file.statements.compactMap { $0.item.as(FunctionDeclSyntax.self)?.name.text })
    return names.allSatisfy { $0.map { functions.contains($0) } ?? false }
  }

  private static func name(_ value: ExprSyntax) -> String? { value.as(DeclReferenceExprSyntax.self)?.baseName.text }
}
