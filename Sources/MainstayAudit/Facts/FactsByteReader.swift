/// Reads facts from bytes, and trusts none of them: what does not fit ends the reading.
import MainstayFindings

struct FactsByteReader {
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

  mutating func number() -> Int {
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

  mutating func string() -> String {
    let index = number()
    guard strings.indices.contains(index) else {
      isBroken = true
      return ""
    }
    return strings[index]
  }

  mutating func optional() -> String? { number() == 1 ? string() : nil }

  mutating func list<T>(_ read: (inout FactsByteReader) -> T) -> [T] {
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

  mutating func location() -> SourceLocation {
    SourceLocation(file: string(), line: number(), column: number())
  }

  mutating func isolation() -> Isolation {
    switch number() {
    case 1: .nonisolated
    case 2: .caller
    case 3: .globalActor(string())
    case 4: .selfActor
    case 5: .parameter(string())
    default: .unknown
    }
  }

  mutating func executor() -> Executor {
    switch number() {
    case 1: .generic
    case 2: .globalActor(string())
    case 3: .instance(string())
    default: .own
    }
  }

  mutating func origins() -> Origins { Origins(members: list { Int32(truncatingIfNeeded: $0.number()) }) }
  mutating func place() -> Place { Place(root: string(), member: string()) }

  mutating func argument() -> Argument {
    Argument(
      origins: origins(), root: optional(), literal: optional(),
      closure: list { reader in
        ClosureValue(
          function: reader.string(), escapes: reader.number() == 1, captures: reader.list { $0.argument() })
      })
  }

  mutating func event() -> Event {
    let location = location()
    switch number() {
    case 0:
      let callee: Callee
      switch number() {
      case 0: callee = .function(string())
      case 1: callee = .method(string())
      case 2: callee = .witness(string())
      case 3: callee = .parameter(number())
      case 4: callee = .member(string())
      default: callee = .unknown
      }
      let display = string()
      let isAsync = number() == 1
      let executor = executor()
      let arguments = list { $0.argument() }
      let receiver = number()
      let flags = number()
      return Event(
        kind: .call(
          Call(
            callee: callee, display: display, isAsync: isAsync, executor: executor, arguments: arguments,
            receiver: receiver < 0 ? nil : receiver, isThrowing: flags & 1 != 0, isDiscarded: flags & 2 != 0,
            hasIsolatedTypeArgument: flags & 4 != 0)),
        location: location)
    case 1: return Event(kind: .hop(executor()), location: location)
    case 2: return Event(kind: .read(place()), location: location)
    case 3:
      return Event(
        kind: .write(Write(place: place(), origins: origins(), literal: optional(), isPartial: number() == 1)),
        location: location)
    case 4: return Event(kind: .branch(origins()), location: location)
    case 5: return Event(kind: .executorCheck, location: location)
    case 6: return Event(kind: .retain(string()), location: location)
    default:
      isBroken = true
      return Event(kind: .executorCheck, location: location)
    }
  }

  mutating func function() -> FunctionFacts {
    let name = string()
    let display = string()
    let module = string()
    let location = location()
    let isolation = isolation()
    let flags = FunctionFacts.Flags(rawValue: UInt16(truncatingIfNeeded: number()))
    let parameters = list { reader in
      let name = reader.string()
      let flags = reader.number()
      return FunctionFacts.Parameter(name: name, isCapture: flags & 1 != 0, isWeak: flags & 2 != 0)
    }
    var start = 0
    let blocks = list { reader in
      let count = max(0, reader.number())
      let block = FunctionFacts.Block(
        events: start..<(start + min(count, 1 << 30)), successors: reader.list { $0.number() })
      start = block.events.upperBound
      return block
    }
    let events = list { $0.event() }
    let kept = list { reader in
      FunctionFacts.KeptClosure(
        member: reader.string(),
        origin: reader.number() == 0 ? .closure(reader.string()) : .parameter(reader.number()))
    }
    let source = FactSource(rawValue: UInt8(truncatingIfNeeded: number())) ?? .syntax
    if start != events.count || blocks.contains(where: { $0.successors.contains { $0 < 0 || $0 >= blocks.count } }) {
      isBroken = true
    }
    var function = FunctionFacts(
      name: name, display: display, module: module, location: location, isolation: isolation, flags: flags,
      parameters: parameters, blocks: blocks, events: events, source: source)
    function.keptClosures = kept
    return function
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
    facts.declared = list { $0.source() }.first
    facts.outline = list { $0.outline() }.first
    return facts
  }
}
