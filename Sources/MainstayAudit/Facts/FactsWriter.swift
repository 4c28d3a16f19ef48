/// Writes facts as bytes.
import MainstayFindings

struct FactsWriter {
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

  mutating func number(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value << 1 ^ value >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func string(_ value: String) {
    if let index = strings[value] {
      number(index)
    } else {
      strings[value] = order.count
      number(order.count)
      order.append(value)
    }
  }

  mutating func optional(_ value: String?) {
    number(value == nil ? 0 : 1)
    if let value { string(value) }
  }

  mutating func list<T>(_ values: [T], _ write: (inout FactsWriter, T) -> Void) {
    number(values.count)
    for value in values { write(&self, value) }
  }

  mutating func location(_ value: SourceLocation) {
    string(value.file)
    number(value.line)
    number(value.column)
  }

  mutating func isolation(_ value: Isolation) {
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

  mutating func executor(_ value: Executor) {
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

  mutating func origins(_ value: Origins) { list(value.members) { $0.number(Int($1)) } }

  mutating func place(_ value: Place) {
    string(value.root)
    string(value.member)
  }

  mutating func argument(_ value: Argument) {
    origins(value.origins)
    optional(value.root)
    optional(value.literal)
    list(value.closure) { writer, closure in
      writer.string(closure.function)
      writer.number(closure.escapes ? 1 : 0)
      writer.list(closure.captures) { $0.argument($1) }
    }
  }

  mutating func event(_ value: Event) {
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
      case .member(let name):
        number(4)
        string(name)
      case .unknown: number(5)
      }
      string(call.display)
      number(call.isAsync ? 1 : 0)
      executor(call.executor)
      list(call.arguments) { $0.argument($1) }
      number(call.receiver ?? -1)
      number((call.isThrowing ? 1 : 0) + (call.isDiscarded ? 2 : 0) + (call.hasIsolatedTypeArgument ? 4 : 0))
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
    case .retain(let name):
      number(6)
      string(name)
    }
  }

  private mutating func kept(_ value: FunctionFacts.KeptClosure) {
    string(value.member)
    switch value.origin {
    case .closure(let name):
      number(0)
      string(name)
    case .parameter(let index):
      number(1)
      number(index)
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
        $0.number(($1.isCapture ? 1 : 0) + ($1.isWeak ? 2 : 0))
      }
      writer.list(function.blocks) {
        $0.number($1.events.count)
        $0.list($1.successors) { $0.number($1) }
      }
      writer.list(function.events) { $0.event($1) }
      writer.list(function.keptClosures) { $0.kept($1) }
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
    list(facts.declared.map { [$0] } ?? []) { $0.source($1) }
    list(facts.outline.map { [$0] } ?? []) { $0.outline($1) }
  }
}
