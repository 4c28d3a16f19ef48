/// Calls: which declaration a name may mean, where it runs, and which closures it is given.
import MainstayFindings
import SwiftSyntax

extension SyntaxLowering {
  /// Functions that run their closure before they return.
  static let immediate: Set<String> = [
    "map", "compactMap", "flatMap", "filter", "forEach", "reduce", "sorted", "sort", "first", "contains", "allSatisfy",
    "withLock", "sync", "withAnimation", "run", "assumeIsolated", "withUnsafeBytes", "withCheckedContinuation",
    "withCheckedThrowingContinuation", "min", "max", "removeAll", "firstIndex", "autoreleasepool",
  ]

  func call(_ node: FunctionCallExprSyntax) -> SyntaxValue {
    var receiver = SyntaxValue()
    var base = ""
    var name = ""
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
      name = member.declName.baseName.text
      if let expression = member.base {
        receiver = lower(expression)
        base = receiver.typeName ?? ""
      }
    } else {
      name = node.calledExpression.trimmedDescription
    }
    base = String(base.drop { $0 == "(" }.prefix { $0 != "<" && $0 != "?" && $0 != "!" })
    if base.hasPrefix("any ") || base.hasPrefix("some ") { base = String(base.drop { $0 != " " }.dropFirst()) }
    let isType = base.isEmpty && name.first?.isUppercase == true
    let targets: [SyntaxFunction]
    if node.calledExpression.is(DeclReferenceExprSyntax.self) {
      targets = type.flatMap { index.types[$0]?.methods[name] } ?? index.functions[name] ?? []
    } else {
      targets = index.types[base]?.methods[name] ?? []
    }
    let labels = node.arguments.map { ($0.label?.text ?? "_") + ":" }.joined()
    var display = isType ? "\(name).init(\(labels))" : (base.isEmpty ? name : "\(base).\(name)") + "(\(labels))"
    if isType, name == "Task" { display = "Task.init(priority:operation:)" }
    let target =
      targets.count == 1 ? targets.first : targets.first { $0.display.hasSuffix("\(name)(\(labels))") } ?? targets.first
    let isSpawn = isType && name == "Task" || base == "Task" && name == "detached"
    let isImmediate = SyntaxLowering.immediate.contains(name)
    var arguments: [Argument] = []
    for argument in node.arguments { arguments.append(self.argument(argument.expression, isSpawn, base, isImmediate)) }
    if let trailing = node.trailingClosure {
      arguments.append(self.argument(ExprSyntax(trailing), isSpawn, base, isImmediate))
    }
    for more in node.additionalTrailingClosures {
      arguments.append(self.argument(ExprSyntax(more.closure), isSpawn, base, isImmediate))
    }
    let isMethod =
      node.calledExpression.is(MemberAccessExprSyntax.self) || target.map { $0.display.contains(".") } == true
    let root = receiver.root ?? (node.calledExpression.is(DeclReferenceExprSyntax.self) ? "self" : nil)
    if isMethod { arguments.append(Argument(origins: receiver.origins, root: root)) }
    // A lower-case name that nobody here declares may be a C function.
    let isGlobal =
      node.calledExpression.is(DeclReferenceExprSyntax.self) && name.first?.isLowercase == true && locals[name] == nil
    let other = target.map { self.executor(of: $0, root: root) } ?? .own
    let isAsync = target?.isAsync ?? (isAwaiting && !isType && other == .own)
    let event = emit(
      .call(
        Call(
          callee: target.map { .function($0.key) } ?? (isGlobal ? .function(name) : .unknown),
          display: target?.display ?? display, isAsync: isAsync,
          executor: isAsync ? .own : other, arguments: arguments, receiver: isMethod ? arguments.count - 1 : nil)), node
    )
    mutate(node, name, event, arguments)
    return SyntaxValue(origins: Origins(event: event), root: nil, typeName: isType ? name : nil)
  }

  func executor(of target: SyntaxFunction, root: String?) -> Executor {
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
    "toggle", "subtract", "sort", "popLast", "popFirst",
  ]

  /// `items.append(x)` changes `items`.
  func mutate(_ node: FunctionCallExprSyntax, _ name: String, _ event: Int, _ arguments: [Argument]) {
    guard SyntaxLowering.mutating.contains(name),
      let base = node.calledExpression.as(MemberAccessExprSyntax.self)?.base,
      let place = place(of: base)?.place
    else { return }
    var origins = Origins(event: event)
    for argument in arguments.dropLast() { origins.formUnion(argument.origins) }
    emit(.write(Write(place: place, origins: origins, literal: nil, isPartial: true)), node)
  }

  func argument(_ expression: ExprSyntax, _ isSpawn: Bool, _ base: String, _ isImmediate: Bool) -> Argument {
    if let node = expression.as(ClosureExprSyntax.self) {
      var isolation = function.isolation
      if isSpawn, base == "Task" { isolation = .nonisolated }
      if let stated = node.signature?.attributes,
        let actor = SyntaxModuleIndex.attributes(stated).first(where: { index.globalActors.contains($0) })
      {
        isolation = .globalActor(actor)
      }
      if base == "MainActor" { isolation = .mainActor }
      let made = closure(node, isolation: isolation, isAsync: isSpawn, escapes: !isImmediate)
      return Argument(closure: [made])
    }
    let value = lower(expression)
    return Argument(origins: value.origins, root: value.root, literal: value.literal)
  }

  func closure(_ node: ClosureExprSyntax, isolation: Isolation, isAsync: Bool, escapes: Bool) -> ClosureValue {
    closures += 1
    let display = "closure #\(closures) in \(function.display)"
    var flags: FunctionFacts.Flags = .isClosure
    if isAsync { flags.insert(.isAsync) }
    let body = FunctionFacts(
      name: "\(function.name)U\(closures)", display: display, module: function.module, location: location(node),
      isolation: isolation, flags: flags, parameters: [.init(name: "self", isCapture: true)], blocks: [], events: [],
      source: .syntax)
    let lowering = SyntaxLowering(body, type: type, index: index, converter: converter)
    for (name, value) in locals { lowering.locals[name] = SyntaxValue(root: value.root, typeName: value.typeName) }
    lowering.lower(node.statements)
    inner += lowering.finish()
    return ClosureValue(function: body.name, escapes: escapes, captures: [Argument(root: "self")])
  }
}
