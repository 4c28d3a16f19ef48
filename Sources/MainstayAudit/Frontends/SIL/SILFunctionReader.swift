/// Reads the body of one function of SIL text into instructions, and gives them to the value flow.
import MainstayFindings

struct SILFunctionReader {
  let module: String
  var unknown: Set<String> = []

  let symbols = SILSymbolTable()
  private let files = SILSymbolTable()
  /// What a person calls a function, by symbol, from the comments beside references.
  var displays: [Int32: String] = [:]
  private var operations: [Int32: SILDialect.Operation] = [:]
  private var exits: Set<Int32> = []
  private var scopes: [Int: Scope] = [:]
  var content = SILBody()

  private struct Scope {
    var file: Int32
    var line: Int32
    var column: Int32
    var outer: Int?
    var inlinedAt: Int?
  }

  init(module: String) {
    self.module = module
    for operation in SILDialect.Operation.allCases where operation != .unknown && operation != .other {
      operations[symbols.intern(operation.rawValue)] = operation
    }
    for name in SILDialect.plain.sorted() { operations[symbols.intern(name)] = .other }
    for name in SILDialect.exits.sorted() { exits.insert(symbols.intern(name)) }
  }

  // MARK: Scopes

  /// `sil_scope 12 { loc "file":1:2 parent 11 inlined_at 9 }`
  mutating func readScope(_ text: SILText, _ line: Range<Int>) {
    guard let id = text.number(at: line.lowerBound + 10, end: line.upperBound)?.value else { return }
    var scope = Scope(file: -1, line: 0, column: 0)
    if let open = text.first(34, in: line), let close = text.first(34, in: (open + 1)..<line.upperBound) {
      scope.file = files.intern(text.slice((open + 1)..<close))
      if let number = text.number(at: close + 2, end: line.upperBound) {
        scope.line = Int32(truncatingIfNeeded: number.value)
        scope.column = Int32(truncatingIfNeeded: text.number(at: number.end + 1, end: line.upperBound)?.value ?? 0)
      }
    }
    if let parent = text.find(" parent ", in: line) {
      scope.outer = text.number(at: parent + 8, end: line.upperBound)?.value
    }
    if let inlined = text.find(" inlined_at ", in: line) {
      scope.inlinedAt = text.number(at: inlined + 12, end: line.upperBound)?.value
    }
    scopes[id] = scope
  }

  /// Code that a macro wrote stands where the macro was used.
  private func resolve(scope: Int?) -> (file: Int32, line: Int32, column: Int32)? {
    var current = scope
    var steps = 0
    while let id = current, let scope = scopes[id], steps < 24 {
      steps += 1
      if scope.inlinedAt == nil, scope.file >= 0, !isSynthetic(scope.file) {
        return (scope.file, scope.line, scope.column)
      }
      current = scope.inlinedAt ?? scope.outer
    }
    return nil
  }

  private func isSynthetic(_ file: Int32) -> Bool {
    let name = files.string(file)
    return name.hasPrefix("@__") || name.hasPrefix("<compiler-generated>") || name.isEmpty
  }

  // MARK: Bodies

  mutating func read(
    _ text: SILText, from start: Int, name: String, display: String, isolation: Isolation,
    flags: FunctionFacts.Flags, location: SourceLocation, scope: Int?
  ) -> (function: FunctionFacts?, next: Int) {
    content.reset()
    var offset = start
    let end = text.bytes.count
    var comment: Range<Int>?
    var lastFile: (range: Range<Int>, symbol: Int32)?
    while offset < end {
      let lineEnd = text.first(10, in: offset..<end) ?? end
      let line = offset..<lineEnd
      offset = lineEnd + 1
      guard !line.isEmpty else { continue }
      let first = text.bytes[line.lowerBound]
      if first == UInt8(ascii: "}") { break }
      if first == UInt8(ascii: "b"), text.hasPrefix("bb", at: line.lowerBound, end: lineEnd) {
        readBlock(text, line)
        continue
      }
      guard first == 32, !content.blocks.isEmpty else { continue }
      var at = line.lowerBound
      while at < lineEnd, text.bytes[at] == 32 { at += 1 }
      if at >= lineEnd { continue }
      if text.bytes[at] == UInt8(ascii: "/") {
        comment = text.hasPrefix("// function_ref ", at: at, end: lineEnd) ? (at + 16)..<lineEnd : comment
        continue
      }
      readInstruction(text, at..<lineEnd, comment: comment, lastFile: &lastFile)
      comment = nil
    }
    guard !content.blocks.isEmpty else { return (nil, offset) }
    closeBlock()
    linkBlocks()
    var location = location
    if location.file.hasPrefix("@__") || location.line == 0, let place = resolve(scope: scope) {
      location = SourceLocation(file: files.string(place.file), line: Int(place.line), column: Int(place.column))
    }
    var flags = flags
    if !InnerFunction(display).isDisjoint(with: .anyClosure) { flags.insert(.isClosure) }
    // A closure of an initialiser may run at any time after it.
    if !flags.contains(.isClosure),
      [".init(", ".init<", ".__allocating_init(", ".__allocating_init<"].contains(where: { display.contains($0) })
    {
      flags.insert(.isInitializer)
    }
    if display.hasSuffix(".deinit") || display.hasSuffix(".__deallocating_deinit")
      || display.hasSuffix(".__isolated_deallocating_deinit")
    {
      flags.insert(.isDeinitializer)
    }
    if display.hasPrefix("thunk for ") || display.hasPrefix("reabstraction thunk") { flags.insert(.isThunk) }
    var isolation = isolation
    if case .parameter = isolation, content.entry.contains(where: \.isMainActor) { isolation = .mainActor }
    var flow = SILValueFlow(
      text: text, body: content, symbols: symbols, files: files, displays: displays, display: display,
      isolation: isolation, isAsync: flags.contains(.isAsync), fallback: location)
    flow.run()
    // `isolated (any Actor)?` is whatever the caller runs on.
    if case .parameter(let name) = isolation,
      zip(flow.parameters, content.entry).contains(where: { $0.name == name && $1.isCallerActor })
    {
      isolation = .caller
    }
    var function = FunctionFacts(
      name: name, display: display.isEmpty ? name : display, module: module, location: location,
      isolation: isolation, flags: flags, parameters: flow.parameters, blocks: flow.blocks, events: flow.events,
      source: .compiler)
    function.keptClosures = flow.keptClosures
    return (function, offset)
  }

  /// `bb2(%1 : $Int, %2 : @closureCapture $Form):`
  private mutating func readBlock(_ text: SILText, _ line: Range<Int>) {
    closeBlock()
    let label = text.number(at: line.lowerBound + 2, end: line.upperBound)
    var block = SILBody.Block(label: label?.value ?? content.blocks.count)
    let isEntry = content.blocks.isEmpty
    var at = label?.end ?? line.upperBound
    while let percent = text.first(UInt8(ascii: "%"), in: at..<line.upperBound),
      let value = text.number(at: percent + 1, end: line.upperBound)
    {
      note(value: value.value)
      block.arguments.append(value.value)
      let typeEnd = text.first(UInt8(ascii: "%"), in: value.end..<line.upperBound) ?? line.upperBound
      if isEntry {
        let type = value.end..<typeEnd
        content.entry.append(
          SILBody.EntryArgument(
            value: value.value, isCapture: text.find("@closureCapture", in: type) != nil,
            isCallerActor: text.find("Builtin.ImplicitActor", in: type) != nil
              && text.find("-> ", in: type) == nil
              || text.find("$Optional<any Actor>", in: type) != nil,
            isAddress: text.find("$*", in: type) != nil, isFunction: text.find("@callee_", in: type) != nil,
            isMainActor: text.find(": $MainActor", in: type) != nil,
            isWeak: text.find("@sil_weak", in: type) != nil || text.find("@sil_unowned", in: type) != nil))
      }
      at = typeEnd
    }
    block.instructions = content.instructions.count..<content.instructions.count
    content.blocks.append(block)
  }

  private mutating func closeBlock() {
    guard let last = content.blocks.indices.last else { return }
    content.blocks[last].instructions = content.blocks[last].instructions.lowerBound..<content.instructions.count
  }

  private mutating func linkBlocks() {
    var index: [Int: Int] = [:]
    for (position, block) in content.blocks.enumerated() { index[block.label] = position }
    for position in content.blocks.indices {
      guard let last = content.blocks[position].instructions.last else { continue }
      var successors: [Int] = []
      for label in content.labels[content.instructions[last].successors] {
        if let target = index[Int(label)], !successors.contains(target) { successors.append(target) }
      }
      content.blocks[position].successors = successors
    }
  }

  mutating func note(value: Int) {
    if value >= content.valueCount, value < 10_000_000 { content.valueCount = value + 1 }
  }

  private mutating func readInstruction(
    _ text: SILText, _ range: Range<Int>, comment: Range<Int>?,
    lastFile: inout (range: Range<Int>, symbol: Int32)?
  ) {
    var at = range.lowerBound
    let trailer = text.trailer(range)
    let end = trailer.bodyEnd
    let resultsStart = content.values.count
    if text.bytes[at] == UInt8(ascii: "%") || text.bytes[at] == UInt8(ascii: "("),
      let equals = text.find(" = ", in: at..<end)
    {
      appendValues(text, in: at..<equals)
      at = equals + 3
    }
    let results = resultsStart..<content.values.count
    var nameEnd = at
    while nameEnd < end, text.bytes[nameEnd] != 32, text.bytes[nameEnd] != UInt8(ascii: "(") { nameEnd += 1 }
    guard nameEnd > at else { return }
    let nameSymbol = symbols.intern(text.slice(at..<nameEnd))
    let operation = operations[nameSymbol] ?? .unknown
    let rest = nameEnd..<max(end, nameEnd)
    if operation == .unknown { unknown.insert("instruction '\(text.string(at..<nameEnd))'") }
    var instruction = SILInstruction(
      operation: operation, results: results, operands: results, successors: 0..<0, text: rest)
    let operandsStart = content.values.count
    readOperands(text, rest, &instruction, comment: comment)
    instruction.operands = operandsStart..<content.values.count
    instruction.isTerminator = exits.contains(nameSymbol)
    // Where it stands: the line's own location, or the scope's when a macro or nobody wrote it.
    if let file = trailer.file {
      if let last = lastFile, last.range.count == file.count,
        text.slice(last.range).elementsEqual(text.slice(file))
      {
        instruction.file = last.symbol
      } else {
        let symbol = files.intern(text.slice(file))
        instruction.file = symbol
        lastFile = (file, symbol)
      }
      instruction.line = Int32(truncatingIfNeeded: trailer.line)
      instruction.column = Int32(truncatingIfNeeded: trailer.column)
      if text.bytes[file.lowerBound] == UInt8(ascii: "@") || text.bytes[file.lowerBound] == UInt8(ascii: "<") {
        instruction.file = -1
      }
    }
    if instruction.file < 0, let place = resolve(scope: trailer.scope) {
      instruction.file = place.file
      instruction.line = place.line
      instruction.column = place.column
    }
    content.instructions.append(instruction)
  }
}
