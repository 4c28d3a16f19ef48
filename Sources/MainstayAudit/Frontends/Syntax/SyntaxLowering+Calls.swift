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
    "locked", "concurrentPerform", "withValue",
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
    let implied = implied
    self.implied = nil
    var receiver = SyntaxValue()
    var base = ""
    var name = ""
    var isStatic = false
    var isType = false
    let called = SyntaxLowering.unwrapped(node.calledExpression)
    let isDirect = !called.is(MemberAccessExprSyntax.self)
    if let member = called.as(MemberAccessExprSyntax.self) {
      name = member.declName.baseName.text
      if let expression = member.base {
        isStatic = SourceWords.isTypeName(expression)
        if isStatic, name.first?.isUppercase == true {
          // A type inside another, or one with its module before it.
          let full = expression.trimmedDescription + "." + name
          name = index.type(full) != nil ? full : name
          isType = true
        } else {
          receiver = lower(expression)
          // What is written out here is as small as it is written.
          if expression.is(ArrayExprSyntax.self) { receiver.literal = LiteralText.list }
          base = receiver.typeName ?? (expression.trimmedDescription == "Self" ? type ?? "" : "")
        }
      } else if name == "init", let implied, implied.first?.isUppercase == true {
        // `let user: User = .init(name)`.
        (name, isType) = (implied, true)
      }
    } else if let reference = called.as(DeclReferenceExprSyntax.self) {
      name = reference.baseName.text
    } else if let generic = called.as(GenericSpecializationExprSyntax.self) {
      name = generic.expression.trimmedDescription
    } else if let closure = called.as(ClosureExprSyntax.self) {
      let made = self.closure(closure, isolation: function.isolation, isAsync: isAwaiting, escapes: false)
      let arguments = arguments(node, ArgumentPlace(callee: "", base: "", isImmediate: true), nil)
      return emitCall(made, node, arguments: arguments, isOutermost)
    } else {
      receiver = lower(called)
    }
    base = SyntaxModuleIndex.bare(base)
    if base.isEmpty, !isType, let typical = SyntaxLowering.typicalReceiver[name] { base = typical }
    if base.isEmpty, isDirect, name.first?.isUppercase == true { isType = true }
    if isType { name = index.resolved(name, in: type) }
    let isSpawn =
      isType && name == "Task" || base == "Task" && ["detached", "immediate", "immediateDetached"].contains(name)
    var place = ArgumentPlace(callee: name, base: base, isImmediate: SyntaxLowering.immediate.contains(name))
    place.isSpawn = isSpawn
    if place.isImmediate, SyntaxLowering.leavesForScheduler(called) { place.isImmediate = false }
    if base == "MainActor", name == "run" { place.isImmediate = true }
    if isDirect, !isType, let closure = local(name)?.closure {
      return emitCall(closure, node, arguments: arguments(node, place, nil), isOutermost)
    }
    let match = target(name, base, node, isDirect: isDirect, isType: isType)
    let target = match?.function
    place.callsAnywhere = target == nil && !isType && SendableHandlers.takes(node, callee: name)
    var arguments = arguments(node, place, match, of: isType ? name : nil)
    if target == nil, isType { keepMembers(node, arguments, of: name) }
    let path = isType ? name + ".init" : base.isEmpty ? name : "\(base).\(name)"
    var display = path + callLabels(node)
    if isType, name == "Task" { display = "Task.init(priority:operation:)" }
    let isMember = !isDirect || target.map { $0.display.contains(".") && !isType } == true
    var root = receiver.root
    if isDirect, isMember {
      captureSelf()
      root = "self"
    }
    let isMethod = isMember && !isType && (!isStatic || receiver.root != nil)
    if isMethod {
      arguments.append(
        Argument(
          origins: receiver.origins, root: root, literal: receiver.literal == LiteralText.list ? receiver.literal : nil)
      )
    }
    if target == nil, let kept = keptClosure(name, base, isDirect: isDirect, isType: isType) {
      return emitClosureCall(kept, node, arguments, isOutermost)
    }
    if let target { emitDefaults(of: target, match, node) }
    if isType { emitInitialValues(of: name, node) }
    // A lower-case name that nobody here declares may be a C function.
    let isGlobal = isDirect && name.first?.isLowercase == true && target == nil
    let other = target.map { executor(of: $0, root: root) } ?? .own
    let isAsync = target.map { $0.isAsync && isAwaiting } ?? (isAwaiting && isOutermost && !isType)
    let callee: Callee = target.map { self.callee(of: $0) } ?? (isGlobal ? .function(name) : .unknown)
    let event = emit(
      .call(
        Call(
          callee: callee, display: target?.display ?? display, isAsync: isAsync, executor: isAsync ? .own : other,
          arguments: arguments, receiver: isMethod ? arguments.count - 1 : nil, isThrowing: isTrying,
          isDiscarded: isSpawn && isStatement(node))), node)
    mutate(node, name, event, arguments, isDeclared: target?.isMutating == true)
    lend(node, event)
    if isTrying {
      splitForThrow(decided: target?.isThrowing == true && !isAsync && other == .own ? (event, node) : nil)
    }
    var made = isType ? name : target.map { index.resolved($0.result, in: SyntaxLowering.owner(of: $0)) } ?? ""
    if name == "init", isStatic, made.isEmpty { made = base }
    return SyntaxValue(origins: Origins(event: event), root: nil, typeName: made.isEmpty ? nil : made)
  }

  /// `requests.observe(on: background).map { … }`: what a chain of values does after that runs where it was told to, and
  /// not before the call returns.
  private static func leavesForScheduler(_ called: ExprSyntax) -> Bool {
    var current = called
    var steps = 0
    while steps < 32 {
      steps += 1
      if let member = current.as(MemberAccessExprSyntax.self), let base = member.base {
        current = base
      } else if let call = current.as(FunctionCallExprSyntax.self) {
        let labels = call.arguments.first?.label?.text
        if let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text, labels == "on",
          ["observe", "receive", "subscribe"].contains(name)
        {
          return true
        }
        current = call.calledExpression
      } else {
        return false
      }
    }
    return false
  }

  /// `handler` for `handler?` and `handler!`.
  static func unwrapped(_ expression: ExprSyntax) -> ExprSyntax {
    if let inner = expression.as(OptionalChainingExprSyntax.self) { return unwrapped(inner.expression) }
    if let inner = expression.as(ForceUnwrapExprSyntax.self) { return unwrapped(inner.expression) }
    return expression
  }

  private static func owner(of target: SyntaxFunction) -> String? {
    let path = target.display.prefix { $0 != "(" }
    return path.lastIndex(of: ".").map { String(path[..<$0]) }
  }

  private func callee(of target: SyntaxFunction) -> Callee {
    if target.isRequirement { return .witness(target.display) }
    if let owner = SyntaxLowering.owner(of: target), let type = index.type(owner), type.kind == .class,
      type.overridden.contains(String(target.display.dropFirst(owner.count + 1)))
    {
      return .method("#" + target.display)
    }
    return .function(target.key)
  }

  /// A closure that is no function here: one that was passed in, or one that a member holds.
  private func keptClosure(_ name: String, _ base: String, isDirect: Bool, isType: Bool) -> Callee? {
    if isType { return nil }
    if isDirect, let known = local(name) {
      let parameter = known.origins.members.first.flatMap(Origins.parameter)
      return parameter.map { .parameter($0) } ?? .unknown
    }
    let holder = isDirect ? type : base.isEmpty ? nil : base
    guard let holder, let member = index.member(name, of: holder) else { return nil }
    return .member("\(member.owner).\(name)")
  }

  private func emitClosureCall(
    _ callee: Callee, _ node: FunctionCallExprSyntax, _ arguments: [Argument], _ isOutermost: Bool
  ) -> SyntaxValue {
    let call = Call(
      callee: callee, display: "closure parameter", isAsync: isAwaiting && isOutermost, executor: .own,
      arguments: arguments, receiver: nil, isThrowing: isTrying)
    let event = emit(.call(call), node)
    if isTrying { splitForThrow() }
    return SyntaxValue(origins: Origins(event: event))
  }

  /// What arguments that are left out call for their values.
  private func emitDefaults(of target: SyntaxFunction, _ match: Match?, _ node: FunctionCallExprSyntax) {
    for (position, parameter) in target.parameters.enumerated()
    where parameter.runsDefault && match?.places.contains(position) != true {
      let display = "default argument \(position) of \(target.display)"
      emit(
        .call(
          Call(
            callee: .function(target.key.replacing("." + target.display, with: "." + display)), display: display,
            isAsync: false, executor: .own, arguments: [], receiver: nil)), node)
    }
  }

  /// What the members of a new object are made of: its initialiser runs on whoever calls it, an actor's as well.
  private func emitInitialValues(of made: String, _ node: FunctionCallExprSyntax) {
    for member in index.madeByInitializer(of: made) {
      let path = "\(made).\(member)"
      emit(
        .call(
          Call(
            callee: .function(index.initialValueKey(path)), display: "initial value of \(path)", isAsync: false,
            executor: .own, arguments: [], receiver: nil)), node)
    }
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

  /// A function, and which of its parameters each argument of a call is for.
  struct Match {
    var function: SyntaxFunction
    var places: [Int]
  }

  /// The declaration that a call means: by its labels, those of its own file first, and otherwise the only one of that
  /// name.
  private func target(
    _ name: String, _ base: String, _ node: FunctionCallExprSyntax, isDirect: Bool, isType: Bool
  ) -> Match? {
    var candidates: [SyntaxFunction] = []
    if isType {
      candidates = index.type(name)?.methods["init"] ?? []
    } else if isDirect {
      candidates = type.map { index.methods(name, of: $0) } ?? []
      if candidates.isEmpty, local(name) == nil { candidates = index.functions[name] ?? [] }
    } else if !base.isEmpty {
      candidates = index.methods(name, of: base)
    }
    let file = function.location.file
    let ordered = candidates.filter { $0.file == file } + candidates.filter { $0.file != file }
    let labels = node.arguments.map { $0.label?.text ?? "_" }
    let more = node.additionalTrailingClosures.map(\.label.text)
    // Of two that differ in nothing else, async code that awaits means the one that can be awaited.
    for candidate in ordered.filter({ $0.isAsync == isAwaiting }) + ordered.filter({ $0.isAsync != isAwaiting }) {
      if let places = SyntaxLowering.places(labels, node.trailingClosure != nil, more, candidate) {
        return Match(function: candidate, places: places)
      }
    }
    return nil
  }

  /// The parameter of each argument, or nil when they do not fit.
  private static func places(
    _ labels: [String], _ hasTrailing: Bool, _ more: [String], _ function: SyntaxFunction
  ) -> [Int]? {
    let parameters = function.parameters
    guard parameters.count == function.labels.count else { return nil }
    var places: [Int] = []
    var next = 0
    func take(_ fits: (Int) -> Bool) -> Bool {
      while next < parameters.count {
        if fits(next) {
          places.append(next)
          next += 1
          return true
        }
        guard parameters[next].hasDefault else { return false }
        next += 1
      }
      return false
    }
    for label in labels {
      if let last = places.last, label == "_", parameters[last].type.hasSuffix("...") {
        places.append(last)
      } else if !take({ function.labels[$0] == label }) {
        return nil
      }
    }
    if hasTrailing, !take({ !parameters[$0].hasDefault || parameters[$0].type.contains("->") }) { return nil }
    for label in more where !take({ function.labels[$0] == label }) { return nil }
    return parameters[next...].allSatisfy(\.hasDefault) ? places : nil
  }

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

  /// Those that give back what they take out.
  private static let taking: Set<String> = [
    "remove", "removeFirst", "removeLast", "removeValue", "popLast", "popFirst",
  ]

  /// `take(3, from: &balance)`: what is given to be changed is changed by the call.
  private func lend(_ node: FunctionCallExprSyntax, _ event: Int) {
    for argument in node.arguments {
      guard let lent = argument.expression.as(InOutExprSyntax.self), let target = place(of: lent.expression) else {
        continue
      }
      if let name = target.local {
        locals[name]?.origins.formUnion(Origins(event: event))
      } else if let place = target.place {
        var origins = target.origins
        origins.formUnion(Origins(event: event))
        emit(.write(Write(place: place, origins: origins, literal: nil, isPartial: true)), node)
        observe(place, node)
      }
    }
  }

  /// `items.append(x)` changes `items`.
  private func mutate(
    _ node: FunctionCallExprSyntax, _ name: String, _ event: Int, _ arguments: [Argument], isDeclared: Bool
  ) {
    guard isDeclared || SyntaxLowering.mutating.contains(name),
      let base = node.calledExpression.as(MemberAccessExprSyntax.self)?.base,
      let place = place(of: base)?.place
    else { return }
    // What was there before is no source: it is read when the change is made.
    var origins = Origins()
    for argument in arguments.dropLast() { origins.formUnion(argument.origins) }
    // The answer of an `insert` that is looked at says whether it was there.
    if isDeclared || SyntaxLowering.taking.contains(name) || name == "insert" && !isStatement(node) {
      origins.formUnion(Origins(event: event))
    }
    let isToggle = name == "toggle"
    emit(
      .write(Write(place: place, origins: origins, literal: isToggle ? "!" : nil, isPartial: !isToggle)), node)
  }
}
