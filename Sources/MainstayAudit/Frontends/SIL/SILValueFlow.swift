/// Follows values through one function's SIL and turns its instructions into events: reads, writes, calls, branches.
import MainstayFindings

/// What is known of one SIL value. Values stay inside the reader: rules see events and origins only.
struct SILValue {
  enum Target { case none, function, method, witness, parameter }

  var origins = Origins()
  /// The member that an address leads to.
  var place: Place?
  /// The object that a value is, as a path from a name in scope.
  var root: String?
  var literal: String?
  var closures: [ClosureValue] = []
  var target = Target.none
  /// The symbol of the function or key that `target` means, or the parameter's index.
  var symbol: Int32 = -1
  /// The value whose memory an address leads into.
  var memory: Int32 = -1
  /// The open write access that an address belongs to.
  var access: Int32 = -1
  var isElement = false
  var executor: Executor?
  var isNoescape = false
  /// The state that was loaded as a whole to make this value, and the origin number of that read.
  var loaded: (place: Place, origin: Int32)?
}

struct SILValueFlow {
  private let text: SILText
  private let body: SILBody
  private let symbols: SILSymbolTable
  private let files: SILSymbolTable
  private let displays: [Int32: String]
  private let isolation: Isolation
  private let isAsync: Bool
  private let fallback: SourceLocation

  private(set) var parameters: [FunctionFacts.Parameter] = []
  private(set) var blocks: [FunctionFacts.Block] = []
  private(set) var events: [Event] = []

  private var values: [SILValue] = []
  /// What was stored into the memory that a value owns.
  private var memory: [SILValue] = []
  /// Memory that this function owns: what happens there is nobody else's business.
  private var isStackMemory: Set<Int32> = []
  private var pending: [PendingWrite] = []
  private var accessOfToken: [Int32: Int32] = [:]
  private var executors: [Executor?] = []
  private var current: Executor = .own
  private var block = 0
  /// The event that an origin number means: four numbers per instruction.
  private var eventOfOrigin: [Int32: Int] = [:]

  private struct PendingWrite {
    var place: Place
    var location: SourceLocation
    var writes: [Write] = []
  }

  init(
    text: SILText, body: SILBody, symbols: SILSymbolTable, files: SILSymbolTable, displays: [Int32: String],
    isolation: Isolation, isAsync: Bool, fallback: SourceLocation
  ) {
    self.text = text
    self.body = body
    self.symbols = symbols
    self.files = files
    self.displays = displays
    self.isolation = isolation
    self.isAsync = isAsync
    self.fallback = fallback
  }

  mutating func run() {
    values = Array(repeating: SILValue(), count: body.valueCount)
    memory = values
    readParameters()
    let hasLoop = body.blocks.enumerated().contains { index, block in block.successors.contains { $0 <= index } }
    // A loop brings values back to its head: the second pass knows what the first one learnt.
    for _ in 0..<(hasLoop ? 2 : 1) { pass() }
    for index in events.indices { renumber(&events[index].kind) }
  }

  private mutating func readParameters() {
    var names: [Int: String] = [:]
    if let entry = body.blocks.first {
      for instruction in body.instructions[entry.instructions] where instruction.operation == .debugValue {
        if let operand = body.values[instruction.operands].first, instruction.symbol >= 0, names[Int(operand)] == nil {
          names[Int(operand)] = symbols.string(instruction.symbol)
        }
      }
    }
    for (index, argument) in body.entry.enumerated() {
      let name = names[argument.value] ?? ""
      parameters.append(FunctionFacts.Parameter(name: name, isCapture: argument.isCapture))
      values[argument.value].origins = Origins(parameter: index)
      values[argument.value].root = name.isEmpty ? "$\(index)" : name
      values[argument.value].target = .parameter
      values[argument.value].symbol = Int32(index)
      if argument.isCallerActor { values[argument.value].executor = .own }
      if argument.isAddress { values[argument.value].memory = Int32(argument.value) }
    }
  }

  private mutating func pass() {
    events.removeAll(keepingCapacity: true)
    blocks.removeAll(keepingCapacity: true)
    eventOfOrigin.removeAll(keepingCapacity: true)
    pending.removeAll()
    accessOfToken.removeAll()
    if executors.isEmpty { executors = Array(repeating: nil, count: body.blocks.count) }
    for (index, block) in body.blocks.enumerated() {
      let start = events.count
      self.block = index
      current = executors[index] ?? .own
      for position in block.instructions { step(position) }
      for target in block.successors where executors[target] == nil { executors[target] = current }
      blocks.append(FunctionFacts.Block(events: start..<events.count, successors: block.successors))
    }
  }

  // MARK: Events and origins

  private func location(_ instruction: SILInstruction) -> SourceLocation {
    guard instruction.file >= 0, instruction.line > 0 else { return fallback }
    return SourceLocation(
      file: files.string(instruction.file), line: Int(instruction.line), column: Int(instruction.column))
  }

  private mutating func emit(_ kind: Event.Kind, _ instruction: SILInstruction, origin: Int32? = nil) {
    if let origin { eventOfOrigin[origin] = events.count }
    events.append(Event(kind: kind, location: location(instruction)))
  }

  private func primary(_ position: Int) -> Int32 { Int32(position * 4) }
  private func secondary(_ position: Int) -> Int32 { Int32(position * 4 + 1) }
  private func origins(_ number: Int32) -> Origins { Origins(members: [number]) }

  private func renumbered(_ origins: Origins) -> Origins {
    var members: [Int32] = []
    for member in origins.members {
      let renamed = member < 0 ? member : eventOfOrigin[member].map { Int32($0) }
      if let renamed, !members.contains(renamed) { members.append(renamed) }
    }
    members.sort()
    return Origins(members: members)
  }

  private func renumber(_ argument: inout Argument) {
    argument.origins = renumbered(argument.origins)
    for closure in argument.closure.indices {
      for capture in argument.closure[closure].captures.indices {
        renumber(&argument.closure[closure].captures[capture])
      }
    }
  }

  private func renumber(_ kind: inout Event.Kind) {
    switch kind {
    case .call(var call):
      for index in call.arguments.indices { renumber(&call.arguments[index]) }
      kind = .call(call)
    case .write(var write):
      write.origins = renumbered(write.origins)
      kind = .write(write)
    case .branch(let origins):
      kind = .branch(renumbered(origins))
    case .hop, .read, .executorCheck: break
    }
  }

  /// What a value depends on, with what was stored in the memory it leads to.
  private func fullOrigins(_ value: Int32) -> Origins {
    let known = values[Int(value)]
    var origins = known.origins
    if known.memory >= 0 { origins.formUnion(memory[Int(known.memory)].origins) }
    return origins
  }

  private func argument(_ value: Int32) -> Argument {
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

  static func memberName(_ member: String) -> Substring {
    var parts = member.split(separator: ".", omittingEmptySubsequences: true)
    if parts.count > 1 { parts.removeFirst() }
    return parts.last ?? Substring(member)
  }

  // MARK: Instructions

  private mutating func step(_ position: Int) {
    let instruction = body.instructions[position]
    let operands = body.values[instruction.operands]
    let results = body.values[instruction.results]
    let first = operands.first
    switch instruction.operation {
    case .functionReference, .dynamicFunctionReference, .previousFunctionReference:
      guard let result = results.first else { return }
      values[Int(result)].target = .function
      values[Int(result)].symbol = instruction.symbol
      if let display = displays[instruction.symbol],
        SILDialect.executorChecks.contains(where: { display.hasPrefix($0) })
      {
        emit(.executorCheck, instruction)
      }
    case .classMethod, .superMethod, .objcMethod, .objcSuperMethod:
      guard let result = results.first else { return }
      values[Int(result)].target = .method
      values[Int(result)].symbol = instruction.symbol
    case .witnessMethod:
      guard let result = results.first else { return }
      values[Int(result)].target = .witness
      values[Int(result)].symbol = instruction.symbol
    case .debugValue:
      guard let first, instruction.symbol >= 0 else { return }
      let name = symbols.string(instruction.symbol)
      if values[Int(first)].root == nil || values[Int(first)].root?.hasPrefix("$") == true {
        values[Int(first)].root = name
      }
    case .allocStack, .allocBox:
      guard let result = results.first else { return }
      values[Int(result)].memory = result
      isStackMemory.insert(result)
      if instruction.symbol >= 0 { values[Int(result)].root = symbols.string(instruction.symbol) }
    case .apply, .tryApply, .beginApply:
      call(instruction, position, operands, results)
    case .builtin:
      builtin(instruction, position, operands, results)
    case .partialApply:
      partialApply(instruction, operands, results)
    case .store, .assign, .copyAddress, .storeBorrow:
      guard operands.count >= 2 else { return }
      if instruction.operation == .copyAddress { readIfPlace(operands[operands.startIndex], instruction, position) }
      store(operands[operands.startIndex], to: operands[operands.startIndex + 1], instruction)
      if let result = results.first { forward(operands[operands.startIndex + 1], to: result) }
    case .injectEnumAddress:
      guard let first else { return }
      if values[Int(first)].memory >= 0, instruction.symbol >= 0 {
        memory[Int(values[Int(first)].memory)].literal = literal(ofCase: symbols.string(instruction.symbol))
      } else if let place = values[Int(first)].place {
        record(
          Write(
            place: place, origins: Origins(), literal: literal(ofCase: symbols.string(instruction.symbol)),
            isPartial: false),
          through: first, instruction)
      }
    case .load, .loadBorrow:
      guard let first, let result = results.first else { return }
      load(first, to: result, instruction, position)
    case .beginAccess:
      guard let first, let result = results.first else { return }
      beginAccess(first, result, instruction, position)
    case .endAccess, .endApply, .abortApply:
      guard let first else { return }
      let access = instruction.operation == .endAccess ? values[Int(first)].access : accessOfToken[first] ?? -1
      flush(access, instruction)
    case .refElementAddress:
      guard let first, let result = results.first else { return }
      let member = instruction.symbol >= 0 ? symbols.string(instruction.symbol) : "?"
      values[Int(result)] = SILValue()
      values[Int(result)].place = Place(root: argument(first).root ?? "?", member: member)
      values[Int(result)].origins = values[Int(first)].origins
    case .structElementAddress, .tupleElementAddress:
      guard let first, let result = results.first else { return }
      forward(first, to: result)
      if let place = values[Int(first)].place, instruction.symbol >= 0 {
        let field = symbols.string(instruction.symbol)
        let name = SILValueFlow.memberName(field)
        if !name.hasPrefix("_") {
          values[Int(result)].place = Place(root: place.root, member: place.member + "." + name)
        }
      }
    case .structExtract:
      guard let first, let result = results.first else { return }
      forward(first, to: result)
      values[Int(result)].literal = nil
      values[Int(result)].loaded = nil
      if let loaded = values[Int(first)].loaded, instruction.symbol >= 0 {
        // One field of a whole that was loaded: what depends on it depends on that field.
        let name = SILValueFlow.memberName(symbols.string(instruction.symbol))
        if !name.hasPrefix("_") {
          let field = Place(root: loaded.place.root, member: loaded.place.member + "." + name)
          emit(.read(field), instruction, origin: primary(position))
          values[Int(result)].origins.remove(loaded.origin)
          values[Int(result)].origins.formUnion(origins(primary(position)))
          values[Int(result)].loaded = (field, primary(position))
        }
      }
      if let root = values[Int(first)].root, instruction.symbol >= 0 {
        let name = SILValueFlow.memberName(symbols.string(instruction.symbol))
        values[Int(result)].root = name.hasPrefix("_") ? root : root + "." + name
      }
    case .globalAddress:
      guard let result = results.first, instruction.symbol >= 0 else { return }
      values[Int(result)].place = Place(
        root: "global", member: displays[instruction.symbol] ?? symbols.string(instruction.symbol))
    case .hop:
      guard let first else { return }
      let executor = executor(of: first)
      if executor != current || executor != .own { emit(.hop(executor), instruction) }
      current = executor
    case .integerLiteral:
      guard let result = results.first, instruction.symbol >= 0 else { return }
      let literal = symbols.string(instruction.symbol)
      values[Int(result)].literal = literal.split(separator: ",").last.map {
        let number = String($0.drop { $0 == " " })
        return literal.contains("Int1,") ? (number == "0" ? "false" : "true") : number
      }
    case .floatLiteral, .stringLiteral:
      if let result = results.first { values[Int(result)].literal = "literal" }
    case .enumeration:
      guard let result = results.first, instruction.symbol >= 0 else { return }
      let name = symbols.string(instruction.symbol)
      if name == "Optional.some", let first {
        forward(first, to: result)
      } else {
        values[Int(result)].literal = literal(ofCase: name)
        for operand in operands { values[Int(result)].origins.formUnion(fullOrigins(operand)) }
        if name == "Optional.none" { values[Int(result)].executor = .generic }
      }
    case .structure:
      guard let result = results.first else { return }
      if operands.count == 1, let first {
        forward(first, to: result)
      } else {
        for operand in operands { values[Int(result)].origins.formUnion(fullOrigins(operand)) }
      }
    case .branch:
      guard let target = targets.first else { return }
      for (index, operand) in operands.enumerated() where index < body.blocks[target].arguments.count {
        merge(operand, into: body.blocks[target].arguments[index])
      }
    case .conditionalBranch, .switchEnum, .switchEnumAddress, .switchValue, .checkedCastBranch,
      .checkedCastAddressBranch, .dynamicMethodBranch:
      branch(instruction, operands)
    case .awaitContinuation:
      let call = Call(
        callee: .unknown, display: "withUnsafeContinuation", isAsync: true, executor: .own, arguments: [],
        receiver: nil)
      emit(.call(call), instruction, origin: primary(position))
      for target in targets {
        for argument in body.blocks[target].arguments { values[argument].origins.formUnion(origins(primary(position))) }
      }
    case .convertFunction, .convertEscape, .thinToThick:
      guard let first, let result = results.first else { return }
      forward(first, to: result)
      if instruction.isNoescape {
        values[Int(result)].isNoescape = true
        for index in values[Int(result)].closures.indices { values[Int(result)].closures[index].escapes = false }
      }
    case .initBlockStorage:
      // The first operand is the storage whose closure the block runs; the second is how.
      guard let first, let result = results.first else { return }
      values[Int(result)].closures = argument(first).closure
      values[Int(result)].origins = fullOrigins(first)
    case .yield, .other, .unknown, .refTailAddress, .projectBox, .projectBlockStorage:
      passThrough(operands, results)
    }
  }

  /// Where the block that is being read may go, in the order in which its terminator says so.
  private var targets: [Int] { body.blocks[block].successors }

  private func literal(ofCase name: String) -> String {
    if name == "Optional.none" { return "nil" }
    return "." + (name.split(separator: ".").last.map(String.init) ?? name)
  }

  // MARK: Values

  private mutating func forward(_ source: Int32, to result: Int32) {
    values[Int(result)] = values[Int(source)]
  }

  private mutating func passThrough(_ operands: ArraySlice<Int32>, _ results: ArraySlice<Int32>) {
    guard let first = operands.first else { return }
    for result in results {
      forward(first, to: result)
      if results.count > 1 { values[Int(result)].literal = nil }
      for operand in operands.dropFirst() { values[Int(result)].origins.formUnion(fullOrigins(operand)) }
    }
  }

  private mutating func merge(_ source: Int32, into target: Int) {
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
    if values[target].target == .none {
      values[target].target = values[Int(source)].target
      values[target].symbol = values[Int(source)].symbol
    }
  }

  private func executor(of value: Int32) -> Executor {
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

  // MARK: Memory

  private mutating func load(_ address: Int32, to result: Int32, _ instruction: SILInstruction, _ position: Int) {
    let known = values[Int(address)]
    values[Int(result)] = SILValue()
    values[Int(result)].origins = fullOrigins(address)
    if let place = known.place {
      values[Int(result)].root =
        place.root == "global" ? place.member : place.root + "." + SILValueFlow.memberName(place.member)
      if known.access < 0, !known.isElement, readOfAccess[address] == nil {
        values[Int(result)].origins.formUnion(read(place, instruction, position))
        values[Int(result)].loaded = (place, primary(position))
      }
    } else if known.memory >= 0 {
      let stored = memory[Int(known.memory)]
      values[Int(result)].root = stored.root ?? known.root
      values[Int(result)].literal = stored.literal
      values[Int(result)].closures = stored.closures
      values[Int(result)].target = stored.target
      values[Int(result)].symbol = stored.symbol
      values[Int(result)].executor = stored.executor
    } else {
      values[Int(result)].root = known.root
      values[Int(result)].closures = known.closures
    }
  }

  /// Notes a read. On another actor's executor it is a visit to that actor too, as a getter's call would be.
  private mutating func read(_ place: Place, _ instruction: SILInstruction, _ position: Int) -> Origins {
    emit(.read(place), instruction, origin: primary(position))
    guard current != .own, current != .generic else { return origins(primary(position)) }
    let call = Call(
      callee: .unknown, display: place.member + ".getter", isAsync: false, executor: current,
      arguments: [Argument(root: place.root)], receiver: 0)
    emit(.call(call), instruction, origin: secondary(position))
    return Origins(members: [primary(position), secondary(position)])
  }

  /// State that is passed by address is read by the call.
  private mutating func readArguments(_ passed: [Int32], _ instruction: SILInstruction, _ position: Int) {
    var number = Int32(position * 4 + 2)
    for value in passed {
      let known = values[Int(value)]
      guard let place = known.place, known.access < 0, !known.isElement, readOfAccess[value] == nil,
        number < Int32(position * 4 + 4)
      else { continue }
      emit(.read(place), instruction, origin: number)
      values[Int(value)].origins.formUnion(origins(number))
      number += 1
    }
  }

  private mutating func readIfPlace(_ address: Int32, _ instruction: SILInstruction, _ position: Int) {
    let known = values[Int(address)]
    guard let place = known.place, known.access < 0, !known.isElement, readOfAccess[address] == nil else { return }
    values[Int(address)].origins.formUnion(read(place, instruction, position))
  }

  /// Addresses whose access was already recorded as a read.
  private var readOfAccess: [Int32: Bool] = [:]

  private mutating func beginAccess(
    _ source: Int32, _ result: Int32, _ instruction: SILInstruction, _ position: Int
  ) {
    forward(source, to: result)
    guard let place = values[Int(source)].place, !values[Int(source)].isElement else { return }
    // What is read through a read access is known when it is loaded: perhaps one field of it.
    if instruction.isModify {
      values[Int(result)].origins.formUnion(read(place, instruction, position))
      readOfAccess[result] = true
      values[Int(result)].access = Int32(pending.count)
      pending.append(PendingWrite(place: place, location: location(instruction)))
    }
  }

  private mutating func store(_ source: Int32, to address: Int32, _ instruction: SILInstruction) {
    let known = argument(source)
    let target = values[Int(address)]
    if let place = target.place {
      record(
        Write(
          place: place, origins: target.isElement ? joined(known.origins, target.origins) : known.origins,
          literal: target.isElement ? nil : known.literal, isPartial: target.isElement),
        through: address, instruction)
    }
    guard target.memory >= 0 else { return }
    let slot = Int(target.memory)
    let isFirst = memory[slot].origins.isEmpty && memory[slot].literal == nil
    memory[slot].origins.formUnion(known.origins)
    memory[slot].literal = isFirst || memory[slot].literal == known.literal ? known.literal : nil
    if memory[slot].root == nil { memory[slot].root = known.root }
    if memory[slot].closures.isEmpty { memory[slot].closures = known.closure }
    if memory[slot].target == .none {
      memory[slot].target = values[Int(source)].target
      memory[slot].symbol = values[Int(source)].symbol
    }
    if memory[slot].executor == nil { memory[slot].executor = values[Int(source)].executor }
  }

  private func joined(_ left: Origins, _ right: Origins) -> Origins {
    var result = left
    result.formUnion(right)
    return result
  }

  /// Notes a write; it becomes an event when its access ends, or now when there is none.
  private mutating func record(_ write: Write, through address: Int32, _ instruction: SILInstruction) {
    let access = values[Int(address)].access
    if access >= 0, Int(access) < pending.count {
      if let index = pending[Int(access)].writes.firstIndex(where: { $0.place == write.place }) {
        pending[Int(access)].writes[index].origins.formUnion(write.origins)
        if pending[Int(access)].writes[index].literal != write.literal {
          pending[Int(access)].writes[index].literal = nil
        }
        pending[Int(access)].writes[index].isPartial = pending[Int(access)].writes[index].isPartial && write.isPartial
      } else {
        pending[Int(access)].writes.append(write)
      }
    } else {
      emit(.write(write), instruction)
    }
  }

  private mutating func flush(_ access: Int32, _ instruction: SILInstruction) {
    guard access >= 0, Int(access) < pending.count else { return }
    let open = pending[Int(access)]
    pending[Int(access)].writes.removeAll()
    for write in open.writes { events.append(Event(kind: .write(write), location: open.location)) }
  }

  private mutating func branch(_ instruction: SILInstruction, _ operands: ArraySlice<Int32>) {
    guard let first = operands.first else { return }
    let origins = fullOrigins(first)
    emit(.branch(origins), instruction)
    for target in targets {
      for argument in body.blocks[target].arguments {
        values[argument].origins.formUnion(origins)
        if values[argument].root == nil { values[argument].root = self.argument(first).root }
        if values[argument].executor == nil { values[argument].executor = values[Int(first)].executor }
        if values[argument].closures.isEmpty { values[argument].closures = values[Int(first)].closures }
        if values[argument].target == .none {
          values[argument].target = values[Int(first)].target
          values[argument].symbol = values[Int(first)].symbol
        }
      }
    }
  }

  // MARK: Calls

  private mutating func partialApply(
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
    } else if known.target == .none {
      value.closures = known.closures
    }
    values[Int(result)] = value
  }

  /// An argument without the closures inside it: captures of captures are not followed.
  private func plain(_ value: Int32) -> Argument {
    var argument = argument(value)
    argument.closure = []
    return argument
  }

  private mutating func call(
    _ instruction: SILInstruction, _ position: Int, _ operands: ArraySlice<Int32>, _ results: ArraySlice<Int32>
  ) {
    guard let function = operands.first else { return }
    let passed = Array(operands.dropFirst())
    let known = values[Int(function)]
    var (callee, display) = describe(known)
    readArguments(passed, instruction, position)
    let arguments = passed.map { argument($0) }
    if case .unknown = callee, known.closures.count == 1 {
      // A closure made here and called here.
      callee = .function(known.closures[0].function)
      display = "closure"
    }
    let receiver = instruction.isMethod && !passed.isEmpty ? passed.count - 1 : nil
    let call = Call(
      callee: callee, display: display, isAsync: instruction.isAsync, executor: current, arguments: arguments,
      receiver: receiver)
    var result = origins(primary(position))
    let isLocal = receiver.map { isStackMemory.contains(values[Int(passed[$0])].memory) } ?? false
    let accessor = isLocal ? nil : accessor(display, callee, receiver: receiver.map { arguments[$0] })
    if case .read(let place)? = accessor {
      emit(.read(place), instruction, origin: secondary(position))
      result.formUnion(origins(secondary(position)))
    }
    emit(.call(call), instruction, origin: primary(position))
    if case .write(let place)? = accessor, instruction.operation != .beginApply {
      let value = arguments.first ?? Argument()
      emit(
        .write(Write(place: place, origins: value.origins, literal: value.literal, isPartial: false)), instruction)
    }
    touchMemory(passed, arguments, instruction, position)
    let executor = executor(ofResult: display)
    var root = receiver.flatMap { arguments[$0].root }.flatMap { root in
      SILValueFlow.accessorMember(display).map { root + "." + SILValueFlow.memberName($0) }
    }
    if let global = SILValueFlow.globalMember(display) { root = global }
    // Literals of the standard library are values, not calls.
    let literal = display.hasPrefix("String.init(_builtinStringLiteral") ? "literal" : nil
    for value in results {
      values[Int(value)] = SILValue()
      values[Int(value)].origins = literal == nil ? result : Origins()
      values[Int(value)].literal = literal
      values[Int(value)].root = root
      values[Int(value)].executor = executor
      if case .read(let place)? = accessor { values[Int(value)].loaded = (place, secondary(position)) }
    }
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

  /// Results that lead into state: addressors of globals, and coroutines that lend a member for changing.
  private mutating func describeAddressResult(
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

  private enum Accessor {
    case read(Place)
    case write(Place)
  }

  private func describe(_ value: SILValue) -> (Callee, String) {
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

  /// `Form.busy!setter: (Form) -> …` as a person reads it.
  static func display(ofKey key: String) -> String {
    let member = key.prefix { $0 != ":" }
    return String(member.map { $0 == "!" ? "." : $0 })
  }

  static func accessorMember(_ display: String) -> String? {
    for suffix in [
      ".getter", ".setter", ".modify", ".read", ".modify2", ".read2", ".unsafeMutableAddressor", ".unsafeAddressor",
    ]
    where display.hasSuffix(suffix) {
      var member = String(display.dropLast(suffix.count))
      if member.hasPrefix("static ") { member.removeFirst("static ".count) }
      return member
    }
    return nil
  }

  /// The name of a global or static stored property that a call gives access to.
  static func globalMember(_ display: String) -> String? {
    if display.hasSuffix(".unsafeMutableAddressor") || display.hasPrefix("static ") { return accessorMember(display) }
    return nil
  }

  private func accessor(_ display: String, _ callee: Callee, receiver: Argument?) -> Accessor? {
    guard let member = SILValueFlow.accessorMember(display), member.contains("."), !display.contains(".subscript.")
    else { return nil }
    if case .function(let name) = callee {
      for prefix in SILDialect.foreignPrefixes where name.hasPrefix(prefix) { return nil }
    }
    let isStatic = display.hasPrefix("static ")
    let place = Place(root: isStatic ? "global" : receiver?.root ?? "?", member: member)
    if display.hasSuffix(".getter") || display.hasSuffix(".read") || display.hasSuffix(".read2") { return .read(place) }
    if display.hasSuffix(".setter") || display.hasSuffix(".modify") || display.hasSuffix(".modify2") {
      return .write(place)
    }
    return nil
  }

  private func executor(ofResult display: String) -> Executor? {
    guard display.hasPrefix("static "), display.hasSuffix(".shared.getter") else { return nil }
    let type = display.dropFirst("static ".count).dropLast(".shared.getter".count)
    return .globalActor(String(type.split(separator: ".").last ?? type))
  }

  /// A call may store into every address that it is given for changing.
  private mutating func touchMemory(
    _ passed: [Int32], _ arguments: [Argument], _ instruction: SILInstruction, _ position: Int
  ) {
    guard passed.contains(where: { values[Int($0)].memory >= 0 || values[Int($0)].access >= 0 }) else { return }
    let conventions = SILConventions(text, instruction.text, count: passed.count)
    for (index, value) in passed.enumerated() where conventions.mayWrite(index) {
      let known = values[Int(value)]
      if known.memory >= 0 {
        memory[Int(known.memory)].origins.formUnion(origins(primary(position)))
        if conventions.isResult(index) { memory[Int(known.memory)].literal = nil }
      }
      if known.access >= 0, let place = known.place {
        var all = origins(primary(position))
        for (other, argument) in arguments.enumerated() where other != index { all.formUnion(argument.origins) }
        record(Write(place: place, origins: all, literal: nil, isPartial: true), through: value, instruction)
      } else if let place = known.place, !known.isElement {
        record(
          Write(place: place, origins: origins(primary(position)), literal: nil, isPartial: true), through: value,
          instruction)
      }
    }
  }

  private mutating func builtin(
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
}
