/// Arguments and closures: what a callee is given, and where and when each closure among it runs.
import MainstayFindings
import SwiftSyntax

/// What is known of the call around an argument.
struct ArgumentPlace {
  var callee: String
  var base: String
  var isImmediate: Bool
  var isSpawn = false
  /// The argument's label as it is written.
  var label: String?
  /// The parameter's type as its declaration says it.
  var parameter: String?
  /// Whether a member keeps what is given.
  var isKept = false
  /// Whether the callee is a framework's that calls its handlers on any thread.
  var callsAnywhere = false
}

extension SyntaxLowering {
  /// Calls whose closures leave every actor, by the callee's last word.
  private static let leaving: Set<String> = [
    "addTask", "addTaskUnlessCancelled", "detached", "dataTask", "uploadTask", "downloadTask", "concurrentPerform",
    "detachNewThread", "performBackgroundTask", "async", "asyncAfter", "setEventHandler", "setCancelHandler",
    "performChanges", "requestDataAndOrientation",
  ]

  /// Calls whose closures are async whether or not they await.
  private static let asynchronous: Set<String> = ["addTask", "addTaskUnlessCancelled"]

  /// The arguments in the order of the callee's parameters when it is known, and as they are written otherwise.
  func arguments(
    _ node: FunctionCallExprSyntax, _ place: ArgumentPlace, _ match: Match?, of made: String? = nil
  ) -> [Argument] {
    let (wasAwaiting, wasTrying) = (isAwaiting, isTrying)
    defer { (isAwaiting, isTrying) = (wasAwaiting, wasTrying) }
    var expressions = node.arguments.map(\.expression)
    var labels = node.arguments.map(\.label?.text)
    if let trailing = node.trailingClosure {
      expressions.append(ExprSyntax(trailing))
      labels.append(nil)
    }
    for more in node.additionalTrailingClosures {
      expressions.append(ExprSyntax(more.closure))
      labels.append(more.label.text)
    }
    var written: [Argument] = []
    for (position, expression) in expressions.enumerated() {
      var place = place
      place.label = labels[position]
      if let match {
        place.parameter = match.function.parameters[match.places[position]].type
      } else if let made, let label = labels[position] {
        place.parameter = index.type(made)?.members[label]
        place.isKept = true
      }
      written.append(argument(expression, place))
    }
    guard let match else { return written }
    var ordered = Array(repeating: Argument(), count: match.function.parameters.count)
    for (argument, position) in zip(written, match.places) {
      ordered[position].origins.formUnion(argument.origins)
      ordered[position].root = argument.root
      ordered[position].literal = argument.literal
      ordered[position].closure += argument.closure
    }
    return ordered
  }

  private func argument(_ expression: ExprSyntax, _ place: ArgumentPlace) -> Argument {
    if let node = expression.as(ClosureExprSyntax.self) {
      let known = place.parameter.flatMap { ClosureType($0, globalActors: index.globalActors) }
      var isolation = function.isolation
      if place.isSpawn, place.callee.hasSuffix("etached") { isolation = .nonisolated }
      if SyntaxLowering.leaving.contains(place.callee) || place.base == "DispatchQueue" && place.callee != "sync"
        || place.base == "OperationQueue" || place.base == "NotificationCenter" || known?.isSendable == true
        || place.callsAnywhere
      {
        isolation = .nonisolated
      }
      if let actor = known?.actor { isolation = .globalActor(actor) }
      if let stated = statedIsolation(of: node) { isolation = stated }
      if place.base == "MainActor" { isolation = .mainActor }
      let isAsync =
        place.isSpawn || known?.isAsync == true || SyntaxLowering.asynchronous.contains(place.callee)
      // `map(getter: { … }, setter: { … })`: what sets is kept for when somebody does so.
      let isSetter = place.label == "set" || place.label == "setter"
      let escapes = isSetter || place.isKept || known?.escapes ?? (place.parameter != nil || !place.isImmediate)
      return Argument(closure: [closure(node, isolation: isolation, isAsync: isAsync, escapes: escapes)])
    }
    if runsLater(place) { return Argument(closure: [delayed(expression, isolation: function.isolation)]) }
    if let named = namedFunction(expression) {
      let known = place.parameter.flatMap { ClosureType($0, globalActors: index.globalActors) }
      let escapes = place.isKept || known?.escapes ?? !place.isImmediate
      return Argument(closure: [ClosureValue(function: named.key, escapes: escapes, captures: [Argument(root: "self")])]
      )
    }
    let value = lower(expression)
    var literal = value.literal
    // What is encoded is as large as its type lets it be.
    if place.callee == "encode", literal == nil, let name = value.typeName { literal = name + ".self" }
    if ["data", "encode"].contains(place.callee), let parts = value.parts {
      literal = "(" + parts.joined(separator: ", ") + ").self"
    }
    if literal == nil { literal = constant(expression, value) }
    return Argument(
      origins: value.origins, root: value.root, literal: literal, closure: value.closure.map { [$0] } ?? [])
  }

  /// What some rules ask an argument for: C's constants, as `LOCK_UN`, and the time that is now.
  private func constant(_ expression: ExprSyntax, _ value: SyntaxValue) -> String? {
    if let call = expression.as(FunctionCallExprSyntax.self), call.arguments.isEmpty {
      return [".now", "DispatchTime.now"].contains(call.calledExpression.trimmedDescription) ? ".now()" : nil
    }
    guard value.origins.isEmpty, let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text,
      name.contains("_"), name.allSatisfy({ $0.isUppercase || $0.isNumber || $0 == "_" })
    else { return nil }
    return name
  }

  /// An expression that is kept, and evaluated once or never: `StateObject(wrappedValue: Model())`.
  private func runsLater(_ place: ArgumentPlace) -> Bool {
    if place.callee == "StateObject" || place.base == "StateObject" { return true }
    guard let known = place.parameter.flatMap({ ClosureType($0, globalActors: index.globalActors) }) else {
      return false
    }
    return known.isAutoclosure && known.escapes
  }

  /// `@MainActor in`, `@concurrent in`, `@Sendable in`.
  func statedIsolation(of node: ClosureExprSyntax) -> Isolation? {
    guard let attributes = node.signature?.attributes else { return nil }
    let names = SourceWords.names(attributes)
    return index.stated(names, [], isAsync: false) ?? (names.contains("Sendable") ? .nonisolated : nil)
  }

  /// A function that is passed by its name: `blobs.map(parse)`.
  private func namedFunction(_ expression: ExprSyntax) -> SyntaxFunction? {
    guard let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text, local(name) == nil else { return nil }
    if let type {
      if index.member(name, of: type) != nil { return nil }
      let own = index.methods(name, of: type).filter { !$0.isRequirement }
      if own.count == 1 { return own[0] }
    }
    let free = index.functions[name] ?? []
    return free.count == 1 ? free[0] : nil
  }

  // MARK: Kept closures

  /// Notes that a member holds a function from now on, if the value is one.
  func keep(_ value: SyntaxValue, in member: String) {
    if let closure = value.closure { keep(.closure(closure.function), in: member) }
    guard let position = value.origins.soleParameter else { return }
    if function.parameters.indices.contains(position), function.parameters[position].name == value.root {
      keep(.parameter(position), in: member)
    }
  }

  private func keep(_ origin: FunctionFacts.KeptClosure.Origin, in member: String) {
    let kept = FunctionFacts.KeptClosure(member: member, origin: origin)
    if !function.keptClosures.contains(kept) { function.keptClosures.append(kept) }
  }

  /// A memberwise initialiser puts its arguments into the members that its labels name.
  func keepMembers(_ node: FunctionCallExprSyntax, _ arguments: [Argument], of made: String) {
    guard index.type(made)?.kind == .struct else { return }
    for (argument, known) in zip(node.arguments, arguments) {
      guard let label = argument.label?.text else { continue }
      for closure in known.closure { keep(.closure(closure.function), in: "\(made).\(label)") }
    }
    // A closure behind the brackets is for the member that is one and has not been given.
    guard node.trailingClosure != nil, node.additionalTrailingClosures.isEmpty, let type = index.type(made) else {
      return
    }
    let given = Set(node.arguments.compactMap(\.label?.text))
    let open = type.members.filter { name, type in
      type.contains("->") && !given.contains(name) && index.type(made)?.computed.contains(name) != true
        && index.type(made)?.statics.contains(name) != true
    }
    guard open.count == 1, let name = open.keys.first, arguments.count > node.arguments.count else { return }
    for closure in arguments[node.arguments.count].closure { keep(.closure(closure.function), in: "\(made).\(name)") }
  }

  // MARK: Closures

  /// A closure that a name keeps: its type says where it runs, and otherwise it inherits.
  func closure(_ node: ClosureExprSyntax, keptAs type: String?) -> ClosureValue {
    let known = type.flatMap { ClosureType(stored: $0, globalActors: index.globalActors) }
    var isolation = known?.isSendable == true ? .nonisolated : function.isolation
    if let actor = known?.actor { isolation = .globalActor(actor) }
    if let stated = statedIsolation(of: node) { isolation = stated }
    return closure(node, isolation: isolation, isAsync: known?.isAsync == true, escapes: true)
  }

  private func body(
    _ node: some SyntaxProtocol, isolation: Isolation, isAsync: Bool, parameters: [FunctionFacts.Parameter]
  ) -> FunctionFacts {
    closures += 1
    return FunctionFacts(
      name: "\(function.name)U\(closures)", display: "closure #\(closures) in \(function.display)",
      module: function.module, location: location(node), isolation: isolation,
      flags: isAsync ? [.isClosure, .isAsync] : .isClosure, parameters: parameters, blocks: [], events: [],
      source: .syntax)
  }

  /// The child task of an `async let`: neither `try` nor `await` is written where it starts.
  func child(_ value: ExprSyntax) -> ClosureValue { delayed(value, isolation: .nonisolated, isAsync: true) }

  /// A closure that is written as its only expression.
  private func delayed(_ value: ExprSyntax, isolation: Isolation, isAsync: Bool = false) -> ClosureValue {
    let body = body(value, isolation: isolation, isAsync: isAsync, parameters: [])
    let lowering = SyntaxLowering(body, type: type, index: index, converter: converter, outer: self)
    lowering.isAwaiting = isAsync
    lowering.isOutermost = isAsync
    _ = lowering.lower(value)
    inner += lowering.finish()
    return ClosureValue(function: body.name, escapes: true, captures: lowering.captures)
  }

  func closure(_ node: ClosureExprSyntax, isolation: Isolation, isAsync: Bool, escapes: Bool) -> ClosureValue {
    let body = body(
      node, isolation: isolation, isAsync: isAsync || AwaitFinder.holdsAwait(node),
      parameters: closureParameters(node))
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
    let isUnowned = item.specifier?.specifier.text == "unowned"
    let name = item.name.text
    if name == "self" {
      captureSelf()
      lowering.function.parameters.append(.init(name: "self", isCapture: true, isWeak: isWeak || isUnowned))
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
