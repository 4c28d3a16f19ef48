/// Facts of a file as bytes, for the cache: variable-length numbers and one table of strings.
import MainstayFindings

enum FactsCodec {
  /// Changes whenever the bytes or the meaning of facts change: older entries are then read anew.
  static let version = 12

  static func encode(_ facts: FileFacts) -> [UInt8] {
    var writer = FactsWriter()
    writer.write(facts)
    return writer.finish()
  }

  /// The facts, or nil when the bytes are not what `encode` writes.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> FileFacts? {
    guard var reader = FactsByteReader(bytes) else { return nil }
    let facts = reader.facts()
    return reader.isBroken ? nil : facts
  }
}

private struct FactsWriter {
  private var bytes: [UInt8] = []
  private var strings: [String: Int] = [:]
  private var order: [String] = []

  func finish() -> [UInt8] {
    var head = FactsWriter()
    head.number(FactsCodec.version)
    head.number(order.count)
    for string in order {
      head.number(string.utf8.count)
      head.bytes.append(contentsOf: string.utf8)
    }
    return head.bytes + bytes
  }

  private mutating func number(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value << 1 ^ value >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func string(_ value: String) {
    if let index = strings[value] {
      number(index)
    } else {
      strings[value] = order.count
      number(order.count)
      order.append(value)
    }
  }

  private mutating func optional(_ value: String?) {
    number(value == nil ? 0 : 1)
    if let value { string(value) }
  }

  private mutating func list<T>(_ values: [T], _ write: (inout FactsWriter, T) -> Void) {
    number(values.count)
    for value in values { write(&self, value) }
  }

  private mutating func location(_ value: SourceLocation) {
    string(value.file)
    number(value.line)
    number(value.column)
  }

  private mutating func isolation(_ value: Isolation) {
    switch value {
    case .unknown: number(0)
    case .nonisolated: number(1)
    case .caller: number(2)
    case .globalActor(let name):
      number(3)
      string(name)
    case .selfActor: number(4)
    case .parameter(let name):
      number(5)
      string(name)
    }
  }

  private mutating func executor(_ value: Executor) {
    switch value {
    case .own: number(0)
    case .generic: number(1)
    case .globalActor(let name):
      number(2)
      string(name)
    case .instance(let root):
      number(3)
      string(root)
    }
  }

  private mutating func origins(_ value: Origins) { list(value.members) { $0.number(Int($1)) } }

  private mutating func place(_ value: Place) {
    string(value.root)
    string(value.member)
  }

  private mutating func argument(_ value: Argument) {
    origins(value.origins)
    optional(value.root)
    optional(value.literal)
    list(value.closure) { writer, closure in
      writer.string(closure.function)
      writer.number(closure.escapes ? 1 : 0)
      writer.list(closure.captures) { $0.argument($1) }
    }
  }

  private mutating func event(_ value: Event) {
    location(value.location)
    switch value.kind {
    case .call(let call):
      number(0)
      switch call.callee {
      case .function(let name):
        number(0)
        string(name)
      case .method(let key):
        number(1)
        string(key)
      case .witness(let key):
        number(2)
        string(key)
      case .parameter(let index):
        number(3)
        number(index)
      case .unknown: number(4)
      }
      string(call.display)
      number(call.isAsync ? 1 : 0)
      executor(call.executor)
      list(call.arguments) { $0.argument($1) }
      number(call.receiver ?? -1)
    case .hop(let target):
      number(1)
      executor(target)
    case .read(let target):
      number(2)
      place(target)
    case .write(let write):
      number(3)
      place(write.place)
      origins(write.origins)
      optional(write.literal)
      number(write.isPartial ? 1 : 0)
    case .branch(let value):
      number(4)
      origins(value)
    case .executorCheck: number(5)
    }
  }

  mutating func write(_ facts: FileFacts) {
    list(facts.functions) { writer, function in
      writer.string(function.name)
      writer.string(function.display)
      writer.string(function.module)
      writer.location(function.location)
      writer.isolation(function.isolation)
      writer.number(Int(function.flags.rawValue))
      writer.list(function.parameters) {
        $0.string($1.name)
        $0.number($1.isCapture ? 1 : 0)
      }
      writer.list(function.blocks) {
        $0.number($1.events.count)
        $0.list($1.successors) { $0.number($1) }
      }
      writer.list(function.events) { $0.event($1) }
      writer.number(Int(function.source.rawValue))
    }
    for entries in [facts.methods, facts.witnesses] {
      list(entries) {
        $0.string($1.key)
        $0.string($1.function)
      }
    }
    list(facts.types) {
      $0.string($1.name)
      $0.string($1.module)
      $0.list($1.conformances.sorted()) { $0.string($1) }
    }
    list(facts.imported) {
      $0.string($1.name)
      $0.string($1.display)
      $0.isolation($1.isolation)
    }
    list(facts.unknown) { $0.string($1) }
  }
}

private struct FactsByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var strings: [String] = []
  private(set) var isBroken = false

  init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    guard number() == FactsCodec.version else { return nil }
    let count = number()
    guard count >= 0, count <= bytes.count else { return nil }
    strings.reserveCapacity(count)
    for _ in 0..<count {
      let length = number()
      guard length >= 0, offset + length <= bytes.count else { return nil }
      strings.append(String(decoding: bytes[offset..<(offset + length)], as: UTF8.self))
      offset += length
    }
    if isBroken { return nil }
  }

  private mutating func number() -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1) }
      shift += 7
    }
    isBroken = true
    return 0
  }

  private mutating func string() -> String {
    let index = number()
    guard strings.indices.contains(index) else {
      isBroken = true
      return ""
    }
    return strings[index]
  }

  private mutating func optional() -> String? { number() == 1 ? string() : nil }

  private mutating func list<T>(_ read: (inout FactsByteReader) -> T) -> [T] {
    let count = number()
    guard count >= 0, count <= bytes.count - offset || count == 0 else {
      isBroken = true
      return []
    }
    var values: [T] = []
    values.reserveCapacity(count)
    for _ in 0..<count where !isBroken { values.append(read(&self)) }
    return values
  }

  private mutating func location() -> SourceLocation {
    SourceLocation(file: string(), line: number(), column: number())
  }

  private mutating func isolation() -> Isolation {
    switch number() {
    case 1: .nonisolated
    case 2: .caller
    case 3: .globalActor(string())
    case 4: .selfActor
    case 5: .parameter(string())
    default: .unknown
    }
  }

  private mutating func executor() -> Executor {
    switch number() {
    case 1: .generic
    case 2: .globalActor(string())
    case 3: .instance(string())
    default: .own
    }
  }

  private mutating func origins() -> Origins { Origins(members: list { Int32(truncatingIfNeeded: $0.number()) }) }
  private mutating func place() -> Place { Place(root: string(), member: string()) }

  private mutating func argument() -> Argument {
    Argument(
      origins: origins(), root: optional(), literal: optional(),
      closure: list { reader in
        ClosureValue(
          function: reader.string(), escapes: reader.number() == 1, captures: reader.list { $0.argument() })
      })
  }

  private mutating func event() -> Event {
    let location = location()
    switch number() {
    case 0:
      let callee: Callee
      switch number() {
      case 0: callee = .function(string())
      case 1: callee = .method(string())
      case 2: callee = .witness(string())
      case 3: callee = .parameter(number())
      default: callee = .unknown
      }
      let display = string()
      let isAsync = number() == 1
      let executor = executor()
      let arguments = list { $0.argument() }
      let receiver = number()
      return Event(
        kind: .call(
          Call(
            callee: callee, display: display, isAsync: isAsync, executor: executor, arguments: arguments,
            receiver: receiver < 0 ? nil : receiver)), location: location)
    case 1: return Event(kind: .hop(executor()), location: location)
    case 2: return Event(kind: .read(place()), location: location)
    case 3:
      return Event(
        kind: .write(Write(place: place(), origins: origins(), literal: optional(), isPartial: number() == 1)),
        location: location)
    case 4: return Event(kind: .branch(origins()), location: location)
    case 5: return Event(kind: .executorCheck, location: location)
    default:
      isBroken = true
      return Event(kind: .executorCheck, location: location)
    }
  }

  private mutating func function() -> FunctionFacts {
    let name = string()
    let display = string()
    let module = string()
    let location = location()
    let isolation = isolation()
    let flags = FunctionFacts.Flags(rawValue: UInt16(truncatingIfNeeded: number()))
    let parameters = list { FunctionFacts.Parameter(name: $0.string(), isCapture: $0.number() == 1) }
    var start = 0
    let blocks = list { reader in
      let count = max(0, reader.number())
      let block = FunctionFacts.Block(
        events: start..<(start + min(count, 1 << 30)), successors: reader.list { $0.number() })
      start = block.events.upperBound
      return block
    }
    let events = list { $0.event() }
    let source = FactSource(rawValue: UInt8(truncatingIfNeeded: number())) ?? .syntax
    if start != events.count || blocks.contains(where: { $0.successors.contains { $0 < 0 || $0 >= blocks.count } }) {
      isBroken = true
    }
    return FunctionFacts(
      name: name, display: display, module: module, location: location, isolation: isolation, flags: flags,
      parameters: parameters, blocks: blocks, events: events, source: source)
  }

  mutating func facts() -> FileFacts {
    var facts = FileFacts()
    facts.functions = list { $0.function() }
    facts.methods = list { DispatchEntry(key: $0.string(), function: $0.string()) }
    facts.witnesses = list { DispatchEntry(key: $0.string(), function: $0.string()) }
    facts.types = list { TypeFacts(name: $0.string(), module: $0.string(), conformances: Set($0.list { $0.string() })) }
    facts.imported = list {
      ImportedFunction(name: $0.string(), display: $0.string(), isolation: $0.isolation())
    }
    facts.unknown = list { $0.string() }
    return facts
  }
}
