/// Statements: how control goes through a body, as the source lays it out.
import MainstayFindings
import SwiftSyntax

extension SyntaxLowering {
  func lower(_ statements: CodeBlockItemListSyntax) {
    for statement in statements {
      switch statement.item {
      case .decl(let declaration): lower(declaration)
      case .stmt(let statement): lower(statement)
      case .expr(let expression): _ = lower(expression)
      @unknown default: break
      }
    }
  }

  func lower(_ declaration: DeclSyntax) {
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return }
    for binding in variable.bindings {
      guard let value = binding.initializer?.value else { continue }
      var known = lower(value)
      if let annotated = binding.typeAnnotation?.type.trimmedDescription { known.typeName = annotated }
      bind(binding.pattern, to: known)
    }
  }

  func bind(_ pattern: PatternSyntax, to value: SyntaxValue) {
    if let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
      var known = value
      if known.root == nil { known.root = name }
      locals[name] = known
    } else if let tuple = pattern.as(TuplePatternSyntax.self) {
      for element in tuple.elements { bind(element.pattern, to: SyntaxValue(origins: value.origins)) }
    } else if let binding = pattern.as(ValueBindingPatternSyntax.self) {
      bind(binding.pattern, to: value)
    }
  }

  func lower(_ statement: StmtSyntax) {
    if let node = statement.as(ExpressionStmtSyntax.self) {
      _ = lower(node.expression)
    } else if let node = statement.as(GuardStmtSyntax.self) {
      let origins = conditions(node.conditions)
      emit(.branch(origins), node)
      let head = current
      begin(from: [head])
      lower(node.body.statements)
      begin(from: [head])
    } else if let node = statement.as(WhileStmtSyntax.self) {
      let before = current
      begin(from: [before])
      let head = current
      emit(.branch(conditions(node.conditions)), node)
      loop(node.body.statements, head: head)
    } else if let node = statement.as(ForStmtSyntax.self) {
      let sequence = lower(node.sequence)
      let before = current
      begin(from: [before])
      let head = current
      let next = emit(
        .call(
          Call(
            callee: .unknown, display: node.awaitKeyword == nil ? "IndexingIterator.next()" : "AsyncIterator.next()",
            isAsync: node.awaitKeyword != nil, executor: .own, arguments: [Argument(origins: sequence.origins)],
            receiver: 0)), node)
      emit(.branch(Origins(event: next)), node)
      bind(node.pattern, to: SyntaxValue(origins: Origins(event: next)))
      loop(node.body.statements, head: head)
    } else if let node = statement.as(RepeatStmtSyntax.self) {
      let before = current
      begin(from: [before])
      let head = current
      lower(node.body.statements)
      emit(.branch(lower(node.condition).origins), node)
      successors[current, default: []].append(head)
      begin(from: [current])
    } else if let node = statement.as(DoStmtSyntax.self) {
      let before = current
      lower(node.body.statements)
      var ends = [current]
      for clause in node.catchClauses {
        begin(from: [before])
        lower(clause.body.statements)
        ends.append(current)
      }
      begin(from: ends)
    } else if let node = statement.as(DeferStmtSyntax.self) {
      deferred.append(node.body.statements)
    } else if let node = statement.as(ReturnStmtSyntax.self) {
      if let value = node.expression { _ = lower(value) }
      for block in deferred.reversed() { lower(block) }
      begin(from: [])
    } else if let node = statement.as(ThrowStmtSyntax.self) {
      _ = lower(node.expression)
      begin(from: [])
    } else {
      for child in statement.children(viewMode: .sourceAccurate) {
        if let expression = child.as(ExprSyntax.self) { _ = lower(expression) }
      }
    }
  }

  func loop(_ body: CodeBlockItemListSyntax, head: Int) {
    let branch = current
    begin(from: [branch])
    lower(body)
    successors[current, default: []].append(head)
    begin(from: [branch])
  }

  func conditions(_ list: ConditionElementListSyntax) -> Origins {
    var origins = Origins()
    for element in list {
      switch element.condition {
      case .expression(let expression): origins.formUnion(lower(expression).origins)
      case .optionalBinding(let binding):
        let value: SyntaxValue
        if let initializer = binding.initializer {
          value = lower(initializer.value)
        } else {
          value = binding.pattern.as(IdentifierPatternSyntax.self).map { name($0.identifier.text, $0) } ?? SyntaxValue()
        }
        origins.formUnion(value.origins)
        bind(binding.pattern, to: value)
      case .matchingPattern(let match):
        let value = lower(match.initializer.value)
        origins.formUnion(value.origins)
      case .availability: break
      @unknown default: break
      }
    }
    return origins
  }
}
