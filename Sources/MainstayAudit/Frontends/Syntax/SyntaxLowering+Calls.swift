/// Calls: which declaration a name may mean, where it runs, and which closures it is given.
import MainstayFindings
import SwiftSyntax

extension SyntaxLowering {
  /// Functions that run their closure before they return.
  static let immediate: Set<String> = [
    "map", "compactMap", "flatMap", "filter", "forEach", "reduce", "sorted", "sort", "first", "contains", "allSatisfy",
    "withLock", "sync", "withAnimation", "run", "assumeIsolated", "withUnsafeBytes", "withCheckedContinuation",
    "withCheckedThrowingContinuation", "min", "max", "removeAll", "firstIndex", "autoreleasepool", "withTaskGroup",
    "withThrowingTaskGroup", "withDiscardingTaskGroup", "withThrowingDiscardingTaskGroup",
    "withTaskCancellationHandler",
    "withUnsafeContinuation", "withUnsafeThrowingContinuation", "withLockUnchecked", "withCriticalRegion",
    "transaction",
    "write", "performAndWait", "measure", "drop", "prefix", "partition", "last", "lastIndex", "mapValues",
    "compactMapValues", "withExtendedLifetime", "withUnsafeMutableBytes", "withUTF8", "withObservationTracking",
    "locked",
  ]

  /// Calls whose closures leave every actor, by the callee's last word and, where it matters, its type.
  private static let leaving: Set<String> = [
    "addTask", "addTaskUnlessCancelled", "detached", "dataTask", "concurrentPerform",
  ]

  /// Receivers that only one type's method of that name can have.
  private static let typicalReceiver: [String: String] = [
    "waitUntilExit": "Process", "readDataToEndOfFile": "FileHandle", "readToEnd": "FileHandle",
    "contentsOfDirectory": "FileManager", "copyItem": "FileManager", "moveItem": "FileManager",
    "removeItem": "FileManager", "jpegData": "UIImage", "pngData": "UIImage",
  ]

  func call(_ node: FunctionCallExprSyntax) -> SyntaxValue {
    let isOutermost = isOutermost
    self.isOutermost = false
    var receiver = SyntaxValue()
    var base = ""
    var name = ""
    var isStatic = false
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
      name = member.declName.baseName.text
      if let expression = member.base {
        isStatic = SourceWords.isTypeName(expression)
        receiver = lower(expression)
        base = receiver.typeName ?? ""
      }
    } else if let reference = node.calledExpression.as(DeclReferenceExprSyntax.self) {
      name = reference.baseName.text
    } else if let generic = node.calledExpression.as(GenericSpecializationExprSyntax.self) {
      name = generic.expression.trimmedDescription
    } else if let closure = node.calledExpression.as(ClosureExprSyntax.self) {
      let made = self.closure(closure, isolation: function.isolation, isAsync: isAwaiting, escapes: false)
      return emitCall(made, node, arguments: arguments(node, isSpawn: false, base: "", isImmediate: true), isOutermost)
    } else {
      let called = lower(node.calledExpression)
      receiver = called
      name = ""
    }
    base = SyntaxModuleIndex.bare(base)
    if base.isEmpty, let typical = SyntaxLowering.typicalReceiver[name] { base = typical }
    let isDirect = !node.calledExpression.is(MemberAccessExprSyntax.self)
    let isType = base.isEmpty && isDirect && name.first?.isUppercase == true
    let isSpawn =
      isType && name == "Task" || base == "Task" && ["detached", "immediate", "immediateDetached"].contains(name)
    let isImmediate = SyntaxLowering.immediate.contains(name) || callsAtOnce(name, base)
    if isDirect, !isType, let closure = local(name)?.closure {
      return emitCall(
        closure, node, arguments: arguments(node, isSpawn: false, base: "", isImmediate: false), isOutermost)
    }
    var arguments = arguments(node, isSpawn: isSpawn, base: base, isImmediate: isImmediate, callee: name)
    let labels = callLabels(node)
    let target = target(name, base, labels, isDirect: isDirect, isType: isType)
    var display = isType ? "\(name).init\(labels)" : (base.isEmpty ? name : "\(base).\(name)") + labels
    if isType, name == "Task" { display = "Task.init(priority:operation:)" }
    let isMember = !isDirect || target.map { $0.display.contains(".") && !isType } == true
    var root = receiver.root
    if isDirect, isMember {
      captureSelf()
      root = "self"
    }
    let isMethod = isMember && (!isStatic || receiver.root != nil)
    if isMethod { arguments.append(Argument(origins: receiver.origins, root: root)) }
    // A closure that was passed in.
    if isDirect, !isType, target == nil, let known = local(name) {
      var result = Origins()
      let parameter = known.origins.members.first.flatMap { $0 < 0 ? Int(-$0) - 1 : nil }
      let event = emit(
        .call(
          Call(
            callee: parameter.map { .parameter($0) } ?? .unknown, display: "closure parameter",
            isAsync: isAwaiting && isOutermost,
            executor: .own, arguments: arguments, receiver: nil, isThrowing: isTrying)), node)
      if isTrying { splitForThrow() }
      result.formUnion(Origins(event: event))
      return SyntaxValue(origins: result)
    }
    // A lower-case name that nobody here declares may be a C function.
    let isGlobal = isDirect && name.first?.isLowercase == true && target == nil
    let other = target.map { executor(of: $0, root: root) } ?? .own
    let isAsync = target.map { $0.isAsync && isAwaiting } ?? (isAwaiting && isOutermost && !isType)
    let requirement = !base.isEmpty && index.isRequirement(name, of: base)
    let callee: Callee =
      target.map { .function($0.key) }
      ?? (requirement ? .witness("\(base).\(name)\(labels)") : isGlobal ? .function(name) : .unknown)
    let event = emit(
      .call(
        Call(
          callee: callee, display: target?.display ?? display, isAsync: isAsync, executor: isAsync ? .own : other,
          arguments: arguments, receiver: isMethod ? arguments.count - 1 : nil, isThrowing: isTrying,
          isDiscarded: isSpawn && isStatement(node))), node)
    mutate(node, name, event, arguments)
    if isTrying { splitForThrow() }
    let made = isType ? name : target.map { SyntaxModuleIndex.bare($0.result) } ?? ""
    return SyntaxValue(origins: Origins(event: event), root: nil, typeName: made.isEmpty ? nil : made)
  }

  private func emitCall(
    _ closure: ClosureValue, _ node: FunctionCallExprSyntax, arguments: [Argument], _ isOutermost: Bool
  ) -> SyntaxValue {
    let call = Call(
      callee: .function(closure.function), display: "closure", isAsync: isAwaiting && isOutermost, executor: .own,
      arguments: arguments + closure.captures, receiver: nil, isThrowing: isTrying)
    let event = emit(.call(call), node)
    if isTrying { splitForThrow() }
    return SyntaxValue(origins: Origins(event: event))
  }

  private func callLabels(_ node: FunctionCallExprSyntax) -> String {
    var labels = node.arguments.map { ($0.label?.text ?? "_") + ":" }
    for more in node.additionalTrailingClosures { labels.append(more.label.text + ":") }
    return "(" + labels.joined() + ")"
  }

  /// The declaration that a call means: by its labels, and otherwise the only one of that name.
  private func target(_ name: String, _ base: String, _ labels: String, isDirect: Bool, isType: Bool) -> SyntaxFunction?
  {
    var candidates: [SyntaxFunction] = []
    if isType {
      candidates = index.type(name)?.methods["init"] ?? []
    } else if isDirect {
      candidates = type.map { index.methods(name, of: $0) } ?? []
      if candidates.isEmpty { candidates = index.functions[name] ?? [] }
    } else if !base.isEmpty {
      candidates = index.methods(name, of: base)
    }
    return candidates.first { $0.display.hasSuffix(name + labels) } ?? (isType ? nil : candidates.first)
  }

  /// Whether a function of this module calls its closure before it returns: its parameter is not marked as escaping.
  private func callsAtOnce(_ name: String, _ base: String) -> Bool { base == "MainActor" && name == "run" }

  /// Whether nobody looks at an expression's value: it is a statement, or given to `_`.
  private func isStatement(_ node: FunctionCallExprSyntax) -> Bool {
    var current = Syntax(node)
    while let parent = current.parent {
      if let list = parent.as(CodeBlockItemSyntax.self)?.parent?.as(CodeBlockItemListSyntax.self) {
        // The only expression of a body may be its value.
        guard list.count == 1, let holder = list.parent else { return true }
        if let block = holder.as(CodeBlockSyntax.self), let declaration = block.parent?.as(FunctionDeclSyntax.self) {
          return declaration.signature.returnClause == nil
        }
        if holder.is(AccessorBlockSyntax.self) { return false }
        if let closure = holder.as(ClosureExprSyntax.self) { return closure.signature?.returnClause == nil }
        return true
      }
      if let sequence = parent.as(SequenceExprSyntax.self) {
        return sequence.elements.first?.is(DiscardAssignmentExprSyntax.self) == true && sequence.elements.count == 3
      }
      guard parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self) || parent.is(ExprListSyntax.self) else {
        return false
      }
      current = parent
    }
    return false
  }

  private func executor(of target: SyntaxFunction, root: String?) -> Executor {
    guard isAwaiting, target.isolation != function.isolation || target.isolation == .selfActor && root != "self" else {
      return .own
    }
    switch target.isolation {
    case .globalActor(let name): return .globalActor(name)
    case .selfActor: return .instance(root ?? "?")
    default: return .own
    }
  }

  static let mutating: Set<String> = [
    "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeValue", "updateValue", "formUnion",
    "toggle", "subtract", "sort", "popLast", "popFirst", "reserveCapacity", "merge", "swapAt", "reverse", "shuffle",
  ]

  /// `items.append(x)` changes `items`.
  private func mutate(_ node: FunctionCallExprSyntax, _ name: String, _ event: Int, _ arguments: [Argument]) {
    guard SyntaxLowering.mutating.contains(name),
      let base = node.calledExpression.as(MemberAccessExprSyntax.self)?.base,
      let place = place(of: base)?.place
    else { return }
    // What was there before is no source: it is read when the change is made.
    var origins = Origins()
    for argument in arguments.dropLast() { origins.formUnion(argument.origins) }
    emit(.write(Write(place: place, origins: origins, literal: nil, isPartial: true)), node)
  }

  // MARK: Arguments

  private func arguments(
    _ node: FunctionCallExprSyntax, isSpawn: Bool, base: String, isImmediate: Bool, callee: String = ""
  ) -> [Argument] {
    let (wasAwaiting, wasTrying) = (isAwaiting, isTrying)
    defer { (isAwaiting, isTrying) = (wasAwaiting, wasTrying) }
    var expressions = node.arguments.map(\.expression)
    if let trailing = node.trailingClosure { expressions.append(ExprSyntax(trailing)) }
    expressions += node.additionalTrailingClosures.map { ExprSyntax($0.closure) }
    return expressions.map { argument($0, isSpawn: isSpawn, base: base, isImmediate: isImmediate, callee: callee) }
  }

  private func argument(
    _ expression: ExprSyntax, isSpawn: Bool, base: String, isImmediate: Bool, callee: String
  ) -> Argument {
    if let node = expression.as(ClosureExprSyntax.self) {
      var isolation = function.isolation
      if isSpawn, callee.hasSuffix("etached") { isolation = .nonisolated }
      if SyntaxLowering.leaving.contains(callee) || base == "DispatchQueue" && callee != "sync"
        || base == "OperationQueue"
      {
        isolation = .nonisolated
      }
      if let stated = node.signature?.attributes,
        let actor = index.stated(SourceWords.names(stated), [], isAsync: false)
      {
        isolation = actor
      }
      if base == "MainActor" { isolation = .mainActor }
      let made = closure(node, isolation: isolation, isAsync: isSpawn, escapes: !isImmediate)
      return Argument(closure: [made])
    }
    let value = lower(expression)
    return Argument(
      origins: value.origins, root: value.root, literal: value.literal, closure: value.closure.map { [$0] } ?? [])
  }

  func closure(_ node: ClosureExprSyntax, isolation: Isolation, isAsync: Bool, escapes: Bool) -> ClosureValue {
    closures += 1
    let display = "closure #\(closures) in \(function.display)"
    var flags: FunctionFacts.Flags = .isClosure
    if isAsync || AwaitFinder.holdsAwait(node) { flags.insert(.isAsync) }
    let body = FunctionFacts(
      name: "\(function.name)U\(closures)", display: display, module: function.module, location: location(node),
      isolation: isolation, flags: flags, parameters: closureParameters(node), blocks: [], events: [], source: .syntax)
    let lowering = SyntaxLowering(body, type: type, index: index, converter: converter, outer: self)
    for item in node.signature?.capture?.items ?? [] { capture(item, lowering) }
    lowering.lower(node.statements)
    let functions = lowering.finish()
    inner += functions
    return ClosureValue(function: body.name, escapes: escapes, captures: lowering.captures)
  }

  private func closureParameters(_ node: ClosureExprSyntax) -> [FunctionFacts.Parameter] {
    switch node.signature?.parameterClause {
    case .simpleInput(let names): return names.map { .init(name: $0.name.text, isCapture: false) }
    case .parameterClause(let clause):
      return clause.parameters.map { .init(name: ($0.secondName ?? $0.firstName).text, isCapture: false) }
    case nil: return [.init(name: "$0", isCapture: false), .init(name: "$1", isCapture: false)]
    @unknown default: return []
    }
  }

  /// `[weak self, values]`, `[rows = model.rows]`.
  private func capture(_ item: ClosureCaptureSyntax, _ lowering: SyntaxLowering) {
    let isWeak = item.specifier?.specifier.text == "weak"
    let name = item.name.text
    if name == "self" {
      captureSelf()
      lowering.function.parameters.append(.init(name: "self", isCapture: true, isWeak: isWeak))
      lowering.captures.append(Argument(root: "self"))
      lowering.isSelfWeak = isWeak
      return
    }
    let value = item.initializer.map { lower($0.value) } ?? self.name(name, item)
    let position = lowering.function.parameters.count
    lowering.function.parameters.append(.init(name: name, isCapture: true, isWeak: isWeak))
    lowering.captures.append(Argument(origins: value.origins, root: value.root, literal: value.literal))
    lowering.locals[name] = SyntaxValue(
      origins: Origins(parameter: position), root: value.root ?? name, typeName: value.typeName)
  }

  /// A function inside a body: a closure with a name.
  func lowerLocalFunction(_ node: FunctionDeclSyntax) {
    guard let block = node.body else { return }
    let isAsync = node.signature.effectSpecifiers?.asyncSpecifier != nil
    let display = "\(SourceWords.display(nil, node.name.text, node.signature.parameterClause)) in \(function.display)"
    let stated = index.stated(SourceWords.names(node.attributes), SourceWords.names(node.modifiers), isAsync: isAsync)
    let body = FunctionFacts(
      name: "\(function.name)L\(node.name.text)\(closures)", display: display, module: function.module,
      location: location(node.name), isolation: stated ?? function.isolation, flags: isAsync ? .isAsync : [],
      parameters: node.signature.parameterClause.parameters.map {
        .init(name: ($0.secondName ?? $0.firstName).text, isCapture: false)
      }, blocks: [], events: [], source: .syntax)
    closures += 1
    // Its own name first, so that it may call itself.
    locals[node.name.text] = SyntaxValue(closure: ClosureValue(function: body.name, escapes: false, captures: []))
    let lowering = SyntaxLowering(body, type: type, index: index, converter: converter, outer: self)
    lowering.lower(block.statements)
    inner += lowering.finish()
    locals[node.name.text]?.closure?.captures = lowering.captures
  }
}

/// Whether a closure awaits: itself, not in a closure inside it.
private final class AwaitFinder: SyntaxVisitor {
  private var found = false

  static func holdsAwait(_ closure: ClosureExprSyntax) -> Bool {
    let finder = AwaitFinder(viewMode: .sourceAccurate)
    finder.walk(closure.statements)
    return finder.found
  }

  override func visit(_ node: AwaitExprSyntax) -> SyntaxVisitorContinueKind {
    found = true
    return .skipChildren
  }
  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    if node.awaitKeyword != nil { found = true }
    return .visitChildren
  }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
