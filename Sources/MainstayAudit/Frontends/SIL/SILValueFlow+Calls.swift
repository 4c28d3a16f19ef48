/// Calls and closures: what is called, what it is given, and what its results lead into.
import MainstayFindings

extension SILValueFlow {
  mutating func partialApply(
    _ instruction: SILInstruction, _ operands: ArraySlice<Int32>, _ results: ArraySlice<Int32>
  ) {
    guard let function = operands.first, let result = results.first else { return }
    let captured = operands.dropFirst()
    var value = SILValue()
    for operand in captured { value.origins.formUnion(fullOrigins(operand)) }
    let known = values[Int(function)]
    if known.target == .function {
      let name = symbols.string(known.symbol)
      let display = displays[known.symbol] ?? ""
      if display.hasPrefix("thunk for ") || display.hasPrefix("reabstraction thunk"), let inner = captured.first,
        !argument(inner).closure.isEmpty
      {
        value.closures = argument(inner).closure
        if instruction.isNoescape { for index in value.closures.indices { value.closures[index].escapes = false } }
      } else {
        value.closures = [
          ClosureValue(function: name, escapes: !instruction.isNoescape, captures: captured.map { plain($0) })
        ]
      }
      // A thunk around a function that comes from elsewhere is still that function.
      if display.hasPrefix("thunk for ") || display.hasPrefix("reabstraction thunk"), let inner = captured.first {
        value.field = values[Int(inner)].field
        if values[Int(inner)].target == .parameter {
          value.target = .parameter
          value.symbol = values[Int(inner)].symbol
        }
      }
    } else if known.target == .none {
      value.closures = known.closures
      value.field = known.field
    }
    // `map(\.text)`: the closure applies the key path, which runs its getter.
    for operand in captured {
      guard let getter = values[Int(operand)].keyPathGetter else { continue }
      value.closures.append(ClosureValue(function: getter, escapes: !instruction.isNoescape, captures: []))
    }
    values[Int(result)] = value
  }

  /// An argument without the closures inside it: captures of captures are not followed.
  func plain(_ value: Int32) -> Argument {
    var argument = argument(value)
    argument.closure = []
    return argument
  }

  mutating func call(
    _ instruction: SILInstruction, _ position: Int, _ operands: ArraySlice<Int32>, _ results: ArraySlice<Int32>
  ) {
    guard let function = operands.first else { return }
    let passed = Array(operands.dropFirst())
    let known = values[Int(function)]
    var (callee, display) = describe(known)
    let wrapped = wrappedProperty(display, wrapper: passed.last)
    if let wrapped { display = wrapped.display }
    readArguments(passed, instruction, position)
    var arguments = passed.map { argument($0) }
    if instruction.symbol >= 0, !arguments.isEmpty,
      display.contains("coder.encode") || display.contains("coder.decode")
    {
      // How much is coded depends on the type: `Note.self`.
      arguments[0].literal = symbols.string(instruction.symbol) + ".self"
    }
    if !passed.isEmpty, display.contains("JSONSerialization.data(withJSONObject:"),
      let type = writtenOutType(passed[0])
    {
      arguments[0].literal = type
    }
    if case .unknown = callee, known.closures.count == 1 {
      // A closure made here and called here.
      callee = .function(known.closures[0].function)
      display = "closure"
    } else if case .unknown = callee, let field = known.field {
      callee = .member(field)
      display = field
    }
    let receiver = instruction.isMethod && !passed.isEmpty ? passed.count - 1 : nil
    let call = Call(
      callee: callee, display: display, isAsync: instruction.isAsync, executor: current, arguments: arguments,
      receiver: receiver, isThrowing: instruction.operation == .tryApply,
      isDiscarded: Spawn.isTask(display) && isDiscarded(results),
      hasIsolatedTypeArgument: instruction.hasIsolatedTypeArgument)
    var result = origins(primary(position))
    let isLocal = receiver.map { isStackMemory.contains(values[Int(passed[$0])].memory) } ?? false
    let accessor =
      isLocal ? nil : wrapped?.accessor ?? accessor(display, callee, receiver: receiver.map { arguments[$0] })
    if case .read(let place)? = accessor {
      emit(.read(place), instruction, origin: secondary(position))
      result.formUnion(origins(secondary(position)))
    }
    emit(.call(call), instruction, origin: primary(position))
    if case .write(let place)? = accessor, instruction.operation != .beginApply {
      let value = arguments.first ?? Argument()
      if let first = passed.first { keep(first, in: place.member) }
      emit(
        .write(Write(place: place, origins: value.origins, literal: value.literal, isPartial: false)), instruction)
    }
    // The wrapper belongs to the property that it wraps.
    if wrapped == nil { touchMemory(passed, arguments, display, result, instruction, position) }
    let executor = executor(ofResult: display)
    var root = receiver.flatMap { arguments[$0].root }.flatMap { root in
      SILValueFlow.accessorMember(display).map { root + "." + SILValueFlow.memberName($0) }
    }
    if let global = SILValueFlow.globalMember(display) { root = global }
    // Literals of the standard library are values, not calls.
    let literal =
      display.hasPrefix("String.init(_builtinStringLiteral") ? arguments.first?.literal ?? LiteralText.any : nil
    for value in results {
      values[Int(value)] = SILValue()
      values[Int(value)].origins = literal == nil ? result : Origins()
      values[Int(value)].literal = literal
      values[Int(value)].root = root
      values[Int(value)].executor = executor
      if case .read(let place)? = accessor {
        values[Int(value)].loaded = (place, secondary(position))
        values[Int(value)].field = place.member
      }
    }
    followWrittenOut(display, passed, results, instruction)
    if literal == nil, let value = results.first {
      describeAddressResult(
        value, display: display, accessor: accessor, arguments: passed, instruction, position, results)
    }
    if instruction.operation == .tryApply {
      if !instruction.isAsync { emit(.branch(origins(primary(position))), instruction) }
      for target in targets {
        for argument in body.blocks[target].arguments {
          values[argument].origins.formUnion(result)
          if values[argument].root == nil { values[argument].root = root }
          if values[argument].executor == nil { values[argument].executor = executor }
        }
      }
    }
  }

  func describe(_ value: SILValue) -> (Callee, String) {
    switch value.target {
    case .function:
      let name = symbols.string(value.symbol)
      return (.function(name), displays[value.symbol] ?? name)
    case .method:
      let key = symbols.string(value.symbol)
      return (.method(key), SILValueFlow.display(ofKey: key))
    case .witness:
      let key = symbols.string(value.symbol)
      return (.witness(key), SILValueFlow.display(ofKey: key))
    case .parameter: return (.parameter(Int(value.symbol)), "closure parameter")
    case .none: return (.unknown, "")
    }
  }

  /// Results that lead into state: addressors of globals, and coroutines that lend a member for changing.
  mutating func describeAddressResult(
    _ value: Int32, display: String, accessor: Accessor?, arguments: [Int32], _ instruction: SILInstruction,
    _ position: Int, _ results: ArraySlice<Int32>
  ) {
    if let global = SILValueFlow.globalMember(display), display.hasSuffix(".unsafeMutableAddressor") {
      values[Int(value)].place = Place(root: "global", member: global)
      values[Int(value)].origins = Origins()
      return
    }
    guard instruction.operation == .beginApply else { return }
    if case .write(let place)? = accessor {
      let access = Int32(pending.count)
      pending.append(PendingWrite(place: place, location: location(instruction)))
      values[Int(value)].place = place
      values[Int(value)].access = access
      values[Int(value)].origins = origins(primary(position))
      for token in results.dropFirst() { accessOfToken[token] = access }
      return
    }
    // A subscript of something being changed: the element belongs to the same access.
    for argument in arguments where values[Int(argument)].access >= 0 {
      values[Int(value)].place = values[Int(argument)].place
      values[Int(value)].access = values[Int(argument)].access
      values[Int(value)].isElement = true
      for other in arguments { values[Int(value)].origins.formUnion(fullOrigins(other)) }
      return
    }
  }

  func executor(ofResult display: String) -> Executor? {
    guard display.hasPrefix("static "), display.hasSuffix(".shared.getter") else { return nil }
    let type = display.dropFirst("static ".count).dropLast(".shared.getter".count)
    return .globalActor(String(type.split(separator: ".").last ?? type))
  }

  /// A call may store into every address that it is given for changing.
  mutating func touchMemory(
    _ passed: [Int32], _ arguments: [Argument], _ display: String, _ result: Origins, _ instruction: SILInstruction,
    _ position: Int
  ) {
    if display.hasPrefix("swift_asyncLet_get") {
      // What the child task made is in its buffer now.
      for value in passed where values[Int(value)].memory >= 0 {
        memory[Int(values[Int(value)].memory)].origins.formUnion(origins(primary(position)))
      }
    }
    guard passed.contains(where: { values[Int($0)].memory >= 0 || values[Int($0)].access >= 0 }) else { return }
    let conventions = SILConventions(text, instruction.text, count: passed.count)
    for (index, value) in passed.enumerated() where conventions.mayWrite(index) {
      let known = values[Int(value)]
      if known.memory >= 0 {
        memory[Int(known.memory)].origins.formUnion(conventions.isResult(index) ? result : origins(primary(position)))
        if conventions.isResult(index) { memory[Int(known.memory)].literal = nil }
        memory[Int(known.memory)].writtenOut = -1
      }
      if known.access >= 0, let place = known.place {
        var all = origins(primary(position))
        for (other, argument) in arguments.enumerated() where other != index { all.formUnion(argument.origins) }
        // `toggle()` gives the whole a new value.
        let isNegated = display == "Bool.toggle()"
        record(
          Write(place: place, origins: all, literal: isNegated ? "!" : nil, isPartial: !isNegated), through: value,
          instruction)
      } else if let place = known.place, !known.isElement {
        record(
          Write(place: place, origins: origins(primary(position)), literal: nil, isPartial: true), through: value,
          instruction)
      }
    }
  }

  mutating func builtin(
    _ instruction: SILInstruction, _ position: Int, _ operands: ArraySlice<Int32>, _ results: ArraySlice<Int32>
  ) {
    let name = instruction.symbol >= 0 ? symbols.string(instruction.symbol) : ""
    if name.hasPrefix("once") {
      // The initialiser of a global runs here, on whoever asks first.
      for operand in operands where values[Int(operand)].target == .function {
        let symbol = values[Int(operand)].symbol
        let call = Call(
          callee: .function(symbols.string(symbol)), display: displays[symbol] ?? symbols.string(symbol),
          isAsync: false, executor: current, arguments: [], receiver: nil)
        emit(.call(call), instruction)
      }
      return
    }
    if name.hasPrefix("startAsyncLet") || name.hasPrefix("createAsyncTask") || name.hasPrefix("createTask") {
      let call = Call(
        callee: .unknown, display: name, isAsync: false, executor: current,
        arguments: operands.map { argument($0) }, receiver: nil)
      emit(.call(call), instruction, origin: primary(position))
      for result in results { values[Int(result)].origins = origins(primary(position)) }
      return
    }
    var all = Origins()
    for operand in operands {
      all.formUnion(fullOrigins(operand))
    }
    for result in results {
      values[Int(result)] = SILValue()
      values[Int(result)].origins = all
    }
  }

  /// Whether results are let go without a look: named for the debugger, released, and nothing else.
  private func isDiscarded(_ results: ArraySlice<Int32>) -> Bool {
    guard let result = results.first else { return true }
    for instruction in body.instructions where body.values[instruction.operands].contains(result) {
      if instruction.operation == .debugValue { continue }
      guard instruction.operation == .other, SILDialect.releases.contains(where: { isNamed($0, instruction) }) else {
        return false
      }
    }
    return true
  }

  private func isNamed(_ name: StaticString, _ instruction: SILInstruction) -> Bool {
    let start = instruction.text.lowerBound - name.utf8CodeUnitCount
    return start >= 0 && text.hasPrefix(name, at: start, end: instruction.text.lowerBound)
  }
}
