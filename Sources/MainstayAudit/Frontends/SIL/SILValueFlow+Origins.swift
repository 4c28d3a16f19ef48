/// What values depend on and what they stand for: origins, roots, closures, executors.
import MainstayFindings

extension SILValueFlow {
  func primary(_ position: Int) -> Int32 { Int32(position * 4) }
  func secondary(_ position: Int) -> Int32 { Int32(position * 4 + 1) }
  func origins(_ number: Int32) -> Origins { Origins(members: [number]) }

  func renumbered(_ origins: Origins) -> Origins {
    var members: [Int32] = []
    for member in origins.members {
      let renamed = member < 0 ? member : eventOfOrigin[member].map { Int32($0) }
      if let renamed, !members.contains(renamed) { members.append(renamed) }
    }
    members.sort()
    return Origins(members: members)
  }

  func renumber(_ argument: inout Argument) {
    argument.origins = renumbered(argument.origins)
    for closure in argument.closure.indices {
      for capture in argument.closure[closure].captures.indices {
        renumber(&argument.closure[closure].captures[capture])
      }
    }
  }

  func renumber(_ kind: inout Event.Kind) {
    switch kind {
    case .call(var call):
      for index in call.arguments.indices { renumber(&call.arguments[index]) }
      kind = .call(call)
    case .write(var write):
      write.origins = renumbered(write.origins)
      kind = .write(write)
    case .branch(let origins):
      kind = .branch(renumbered(origins))
    case .hop, .read, .executorCheck, .retain: break
    }
  }

  /// What a value depends on, with what was stored in the memory it leads to.
  func fullOrigins(_ value: Int32) -> Origins {
    let known = values[Int(value)]
    var origins = known.origins
    if known.memory >= 0 { origins.formUnion(memory[Int(known.memory)].origins) }
    return origins
  }

  func argument(_ value: Int32) -> Argument {
    let known = values[Int(value)]
    let stored = known.memory >= 0 ? memory[Int(known.memory)] : nil
    var closures = known.closures.isEmpty ? stored?.closures ?? [] : known.closures
    if closures.isEmpty, known.target == .function {
      closures = [ClosureValue(function: symbols.string(known.symbol), escapes: !known.isNoescape, captures: [])]
    }
    let root = known.root ?? stored?.root ?? known.place.map { $0.root + "." + SILValueFlow.memberName($0.member) }
    return Argument(
      origins: fullOrigins(value), root: root, literal: known.literal ?? stored?.literal, closure: closures)
  }

  // MARK: Values

  mutating func forward(_ source: Int32, to result: Int32) {
    values[Int(result)] = values[Int(source)]
  }

  mutating func passThrough(_ operands: ArraySlice<Int32>, _ results: ArraySlice<Int32>) {
    guard let first = operands.first else { return }
    for result in results {
      forward(first, to: result)
      if results.count > 1 { values[Int(result)].literal = nil }
      for operand in operands.dropFirst() { values[Int(result)].origins.formUnion(fullOrigins(operand)) }
    }
  }

  mutating func merge(_ source: Int32, into target: Int) {
    let known = argument(source)
    let isFirst = values[target].origins.isEmpty && values[target].root == nil && values[target].literal == nil
    values[target].origins.formUnion(known.origins)
    if values[target].root == nil { values[target].root = known.root }
    if values[target].closures.isEmpty { values[target].closures = known.closure }
    if isFirst {
      values[target].literal = known.literal
    } else if values[target].literal != known.literal {
      values[target].literal = nil
    }
    if values[target].place == nil { values[target].place = values[Int(source)].place }
    if values[target].memory < 0 { values[target].memory = values[Int(source)].memory }
    if values[target].executor == nil { values[target].executor = values[Int(source)].executor }
    if values[target].field == nil { values[target].field = values[Int(source)].field }
    if values[target].target == .none {
      values[target].target = values[Int(source)].target
      values[target].symbol = values[Int(source)].symbol
    }
  }

  func executor(of value: Int32) -> Executor {
    let known = values[Int(value)]
    if let executor = known.executor {
      switch executor {
      case .globalActor(let actor) where isolation == .globalActor(actor): return .own
      case .generic where !isolation.isActor: return .own
      default: return executor
      }
    }
    let root = argument(value).root ?? "?"
    switch isolation {
    case .selfActor where root == "self": return .own
    case .parameter(let name) where root == name: return .own
    default: break
    }
    if root.hasSuffix(".shared") {
      let type = String(root.dropLast(".shared".count).split(separator: ".").last ?? "")
      return isolation == .globalActor(type) ? .own : .globalActor(type)
    }
    return .instance(root)
  }
}
