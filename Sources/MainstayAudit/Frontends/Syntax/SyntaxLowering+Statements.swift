/// Statements: how control goes through a body, as the source lays it out.
import MainstayFindings
import SwiftSyntax

extension SyntaxLowering {
  /// A block: what it puts off runs at its end.
  func lower(_ statements: CodeBlockItemListSyntax) {
    let outer = deferred.count
    lowerItems(of: statements)
    lowerDeferred(since: outer)
    deferred.removeSubrange(outer...)
  }

  private func lowerItems(of statements: CodeBlockItemListSyntax) {
    for statement in statements {
      // What stands behind a `return` never runs; a function that is declared there may.
      if !reachable.contains(current), statement.item.as(DeclSyntax.self)?.is(FunctionDeclSyntax.self) != true {
        continue
      }
      switch statement.item {
      case .decl(let declaration): lower(declaration)
      case .stmt(let statement): lower(statement)
      case .expr(let expression): _ = lowerKept(expression, as: statements.count == 1 ? result : nil)
      @unknown default: break
      }
    }
  }

  private func lower(_ declaration: DeclSyntax) {
    if let inner = declaration.as(FunctionDeclSyntax.self) { return lowerLocalFunction(inner) }
    if let condition = declaration.as(IfConfigDeclSyntax.self) {
      for clause in condition.clauses {
        if case .statements(let statements)? = clause.elements { lowerItems(of: statements) }
      }
      return
    }
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return }
    let isChild = variable.modifiers.contains { $0.name.text == "async" }
    for binding in variable.bindings {
      guard let value = binding.initializer?.value else {
        if let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
          locals[name] = SyntaxValue(
            root: name,
            typeName: (binding.typeAnnotation?.type.trimmedDescription).map { index.resolved($0, in: type) })
        }
        continue
      }
      let annotated = binding.typeAnnotation?.type.trimmedDescription
      var known = isChild ? startChild(value) : lowerKept(value, as: annotated)
      if let annotated { known.typeName = index.resolved(annotated, in: type) }
      if variable.bindingSpecifier.text == "var" { known = copy(known) }
      bind(binding.pattern, to: known)
    }
  }

  /// `async let`: the value is made by a child task, off every actor.
  private func startChild(_ value: ExprSyntax) -> SyntaxValue {
    let made = child(value)
    let call = Call(
      callee: .unknown, display: "async let", isAsync: false, executor: .own, arguments: [Argument(closure: [made])],
      receiver: nil)
    var origins = Origins(event: emit(.call(call), value))
    for capture in made.captures { origins.formUnion(capture.origins) }
    return SyntaxValue(origins: origins, isPending: true)
  }

  /// A value that a name of a known type keeps: a closure runs where that type says.
  func lowerKept(_ value: ExprSyntax, as type: String?) -> SyntaxValue {
    if let node = value.as(ClosureExprSyntax.self) { return SyntaxValue(closure: closure(node, keptAs: type)) }
    if let made = value.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self),
      made.base == nil, made.declName.baseName.text == "init"
    {
      implied = type.map { SyntaxModuleIndex.bare($0) }
    }
    return lower(value)
  }

  /// A `var` of a value's type is a value of its own: a change of it changes nothing else.
  private func copy(_ value: SyntaxValue) -> SyntaxValue {
    guard let name = value.typeName, index.isValue(name) else { return value }
    var copy = value
    copy.root = nil
    return copy
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
    } else {
      // `case .loaded(let rows)`: every name in it depends on the whole.
      bindNames(in: Syntax(pattern), to: SyntaxValue(origins: value.origins))
    }
  }

  private func bindNames(in node: Syntax, to value: SyntaxValue) {
    if let name = node.as(IdentifierPatternSyntax.self)?.identifier.text {
      locals[name] = SyntaxValue(origins: value.origins, root: name)
      return
    }
    for child in node.children(viewMode: .sourceAccurate) { bindNames(in: child, to: value) }
  }

  func lower(_ statement: StmtSyntax, label: String? = nil) {
    if let node = statement.as(LabeledStmtSyntax.self) {
      lower(node.statement, label: node.label.text)
    } else if let node = statement.as(ExpressionStmtSyntax.self) {
      _ = lower(node.expression)
    } else if let node = statement.as(GuardStmtSyntax.self) {
      lower(node)
    } else if let node = statement.as(WhileStmtSyntax.self) {
      lower(node, label)
    } else if let node = statement.as(ForStmtSyntax.self) {
      lower(node, label)
    } else if let node = statement.as(RepeatStmtSyntax.self) {
      lower(node, label)
    } else if let node = statement.as(DoStmtSyntax.self) {
      lower(node)
    } else if let node = statement.as(DeferStmtSyntax.self) {
      deferred.append(node.body.statements)
    } else if let node = statement.as(ReturnStmtSyntax.self) {
      if let value = node.expression { _ = lowerKept(value, as: result) }
      leaveBlocks(since: 0)
      // In a block that was put off it is no Swift: the block goes on.
      if !isDeferring { begin(from: []) }
    } else if let node = statement.as(ThrowStmtSyntax.self) {
      _ = lower(node.expression)
      leaveBlocks(since: handlers.last?.deferred ?? 0)
      if !handlers.isEmpty { handlers[handlers.count - 1].blocks.append(current) }
      begin(from: [])
    } else if let node = statement.as(BreakStmtSyntax.self) {
      leave(node.label?.text, isBreak: true)
    } else if let node = statement.as(ContinueStmtSyntax.self) {
      leave(node.label?.text, isBreak: false)
    } else {
      for child in statement.children(viewMode: .sourceAccurate) {
        if let expression = child.as(ExprSyntax.self) { _ = lower(expression) }
      }
    }
  }

  /// What `defer` put off since there was so much of it, the last first.
  private func lowerDeferred(since count: Int) {
    let outer = (deferred, isDeferring)
    for block in deferred[count...].reversed() {
      isDeferring = true
      lower(block)
      (deferred, isDeferring) = outer
    }
  }

  /// Leaves blocks before their end. What is put off runs first, once for each way out; to leave what was put off itself
  /// before its end is rare, and mostly no Swift: it would be read again and again.
  private func leaveBlocks(since count: Int) {
    if !isDeferring { lowerDeferred(since: count) }
  }

  private func leave(_ label: String?, isBreak: Bool) {
    let target = loops.indices.last { index in
      label.map { loops[index].label == $0 } ?? (isBreak || loops[index].head >= 0)
    }
    if let target {
      leaveBlocks(since: loops[target].deferred)
      if isBreak {
        loops[target].breaks.append(current)
      } else {
        successors[current, default: []].append(loops[target].head)
      }
    }
    begin(from: [])
  }

  private func lower(_ node: GuardStmtSyntax) {
    let heads = branch(on: node.conditions, node)
    let bound = locals
    let head = current
    begin(from: heads)
    lower(node.body.statements)
    locals = bound
    begin(from: [head])
  }

  private func lower(_ node: WhileStmtSyntax, _ label: String?) {
    let before = current
    begin(from: [before])
    let head = current
    let isForever =
      node.conditions.count == 1 && node.conditions.first?.condition.trimmedDescription == "true"
    if !isForever { emit(.branch(conditions(node.conditions)), node) }
    loop(node.body.statements, head: head, label: label, hasExit: !isForever)
  }

  private func lower(_ node: ForStmtSyntax, _ label: String?) {
    let sequence = lower(node.sequence)
    let before = current
    begin(from: [before])
    let head = current
    let isAsync = node.awaitKeyword != nil
    let call = Call(
      callee: .unknown, display: isAsync ? "AsyncIterator.next()" : "IndexingIterator.next()", isAsync: isAsync,
      executor: .own, arguments: [Argument(origins: sequence.origins, root: sequence.root)], receiver: 0,
      isThrowing: node.tryKeyword != nil)
    let next = emit(.call(call), node)
    emit(.branch(Origins(event: next)), node)
    let element = SyntaxModuleIndex.element(sequence.typeName).map { index.resolved($0, in: type) }
    bind(node.pattern, to: SyntaxValue(origins: Origins(event: next), typeName: element))
    if let filter = node.whereClause {
      let branch = current
      begin(from: [branch])
      emit(.branch(lower(filter.condition).origins), filter)
    }
    loop(node.body.statements, head: head, label: label, hasExit: true)
  }

  /// A loop whose head ends in a branch: into the body, and out.
  private func loop(_ body: CodeBlockItemListSyntax, head: Int, label: String?, hasExit: Bool) {
    let branch = current
    loops.append((label, head, [], deferred.count))
    begin(from: [branch])
    lower(body)
    successors[current, default: []].append(head)
    let breaks = loops.removeLast().breaks
    begin(from: (hasExit ? [branch] : []) + breaks)
  }

  private func lower(_ node: RepeatStmtSyntax, _ label: String?) {
    let before = current
    begin(from: [before])
    let head = current
    loops.append((label, head, [], deferred.count))
    lower(node.body.statements)
    let isForever = node.condition.trimmedDescription == "true"
    if !isForever { emit(.branch(lower(node.condition).origins), node) }
    successors[current, default: []].append(head)
    let breaks = loops.removeLast().breaks
    begin(from: (isForever ? [] : [current]) + breaks)
  }

  private func lower(_ node: DoStmtSyntax) {
    if node.catchClauses.isEmpty { return lower(node.body.statements) }
    handlers.append(([], deferred.count))
    let head = current
    lower(node.body.statements)
    var sources = handlers.removeLast().blocks
    if sources.isEmpty { sources = [head] }
    var ends = [current]
    let calls = sources.compactMap { block -> Int32? in
      let end = block + 1 < starts.count ? starts[block + 1] : function.events.count
      guard end > starts[block] else { return nil }
      if case .branch(let origins) = function.events[end - 1].kind, origins.members.count == 1 {
        return origins.members[0]
      }
      return Int32(end - 1)
    }
    if node.catchClauses.count > 1 {
      // Whatever was thrown comes to one place, which chooses among the clauses.
      begin(from: sources)
      emit(.branch(Origins()), node)
      sources = [current]
    }
    for clause in node.catchClauses {
      begin(from: sources)
      locals["error"] = SyntaxValue(origins: Origins(members: Array(calls.prefix(16))), root: "error")
      for item in clause.catchItems {
        if let pattern = item.pattern { bind(pattern, to: locals["error"] ?? SyntaxValue()) }
      }
      lower(clause.body.statements)
      ends.append(current)
    }
    begin(from: ends)
  }

  /// Lowers the conditions of an `if` or a `guard`; gives the blocks that are left when one does not hold, the last one of
  /// them the current block, which is left when all do, too. What is awaited is awaited when the conditions before hold:
  /// they decide for themselves.
  func branch(on list: ConditionElementListSyntax, _ node: some SyntaxProtocol) -> [Int] {
    var heads: [Int] = []
    var origins = Origins()
    for (position, element) in list.enumerated() {
      if position > 0, element.tokens(viewMode: .sourceAccurate).contains(where: { $0.tokenKind == .keyword(.await) }) {
        emit(.branch(origins), node)
        heads.append(current)
        begin(from: [current])
        origins = Origins()
      }
      origins.formUnion(condition(element))
    }
    emit(.branch(origins), node)
    return heads + [current]
  }

  private func conditions(_ list: ConditionElementListSyntax) -> Origins {
    var origins = Origins()
    for element in list { origins.formUnion(condition(element)) }
    return origins
  }

  private func condition(_ element: ConditionElementSyntax) -> Origins {
    var origins = Origins()
    switch element.condition {
    case .expression(let expression): origins.formUnion(lower(expression).origins)
    case .optionalBinding(let binding):
      let bound = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
      var value: SyntaxValue
      if let initializer = binding.initializer {
        value = lower(initializer.value)
      } else {
        value = bound.map { name($0, binding.pattern) } ?? SyntaxValue()
      }
      origins.formUnion(value.origins)
      // From here on it is strong.
      if bound == "self" { isSelfWeak = false }
      if binding.bindingSpecifier.text == "var" { value = copy(value) }
      if value.root == nil { value.root = bound }
      if bound != "self" { bind(binding.pattern, to: value) }
    case .matchingPattern(let match):
      let value = lower(match.initializer.value)
      origins.formUnion(value.origins)
      bind(match.pattern, to: value)
    case .availability: break
    @unknown default: break
    }
    return origins
  }
}
