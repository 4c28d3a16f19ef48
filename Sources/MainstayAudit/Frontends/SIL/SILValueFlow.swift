/// Follows values through one function's SIL and turns its instructions into events: reads, writes, calls, branches.
import MainstayFindings

struct SILValueFlow {
  let text: SILText
  let body: SILBody
  let symbols: SILSymbolTable
  let files: SILSymbolTable
  let displays: [Int32: String]
  let display: String
  let isolation: Isolation
  let isAsync: Bool
  let fallback: SourceLocation

  var parameters: [FunctionFacts.Parameter] = []
  var blocks: [FunctionFacts.Block] = []
  var events: [Event] = []
  var keptClosures: [FunctionFacts.KeptClosure] = []

  var values: [SILValue] = []
  /// What was stored into the memory that a value owns.
  var memory: [SILValue] = []
  /// What each written-out collection is made of, by type.
  var parts: [Int32: [String]] = [:]
  /// What the elements of each written-out collection depend on.
  var elements: [Int32: Origins] = [:]
  /// Memory that this function owns: what happens there is nobody else's business.
  var isStackMemory: Set<Int32> = []
  var pending: [PendingWrite] = []
  var accessOfToken: [Int32: Int32] = [:]
  var executors: [Executor?] = []
  var current: Executor = .own
  var block = 0
  /// The event that an origin number means: four numbers per instruction.
  var eventOfOrigin: [Int32: Int] = [:]
  /// Addresses whose access was already recorded as a read.
  var readOfAccess: [Int32: Bool] = [:]
  /// What decided that a block runs, when one branch did.
  var conditions: [Int: Origins] = [:]

  struct PendingWrite {
    var place: Place
    var location: SourceLocation
    var writes: [Write] = []
  }

  init(
    text: SILText, body: SILBody, symbols: SILSymbolTable, files: SILSymbolTable, displays: [Int32: String],
    display: String, isolation: Isolation, isAsync: Bool, fallback: SourceLocation
  ) {
    self.text = text
    self.body = body
    self.symbols = symbols
    self.files = files
    self.displays = displays
    self.display = display
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

  mutating func readParameters() {
    var names: [Int: String] = [:]
    if let entry = body.blocks.first {
      var boxes: [Int32: Int32] = [:]
      for instruction in body.instructions[entry.instructions] {
        guard let operand = body.values[instruction.operands].first else { continue }
        if instruction.operation == .projectBox, let content = body.values[instruction.results].first {
          boxes[content] = operand
        }
        guard instruction.operation == .debugValue, instruction.symbol >= 0 else { continue }
        // What is named is what the box holds: the parameter is the box.
        let named = Int(boxes[operand] ?? operand)
        if names[named] == nil { names[named] = symbols.string(instruction.symbol) }
      }
    }
    for (index, argument) in body.entry.enumerated() {
      let name = names[argument.value] ?? ""
      parameters.append(FunctionFacts.Parameter(name: name, isCapture: argument.isCapture, isWeak: argument.isWeak))
      values[argument.value].origins = Origins(parameter: index)
      values[argument.value].root = name.isEmpty ? "$\(index)" : name
      values[argument.value].target = .parameter
      values[argument.value].symbol = Int32(index)
      if argument.isCallerActor || argument.isMainActor { values[argument.value].executor = .own }
      if argument.isAddress { values[argument.value].memory = Int32(argument.value) }
    }
  }

  mutating func pass() {
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

  // MARK: Events

  func location(_ instruction: SILInstruction) -> SourceLocation {
    guard instruction.file >= 0, instruction.line > 0 else { return fallback }
    return SourceLocation(
      file: files.string(instruction.file), line: Int(instruction.line), column: Int(instruction.column))
  }

  mutating func emit(_ kind: Event.Kind, _ instruction: SILInstruction, origin: Int32? = nil) {
    if let origin { eventOfOrigin[origin] = events.count }
    events.append(Event(kind: kind, location: location(instruction)))
  }

  /// Where the block that is being read may go, in the order in which its terminator says so.
  var targets: [Int] { body.blocks[block].successors }

  func literal(ofCase name: String) -> String {
    if name == "Optional.none" { return "nil" }
    return "." + (name.split(separator: ".").last.map(String.init) ?? name)
  }
}
