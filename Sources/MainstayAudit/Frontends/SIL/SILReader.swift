/// Reads the SIL text of one source file into facts: headers, tables and scopes here, bodies in `SILFunctionReader`.
import MainstayFindings

struct SILReader {
  /// Why a text is not what this reader knows.
  struct Failure: Error, CustomStringConvertible {
    var reason: String
    var description: String { reason }
  }

  private let module: String
  private var body: SILFunctionReader
  private var facts = FileFacts()
  private var conformances: [String: Set<String>] = [:]

  /// - Parameter module: the module that the text was emitted for.
  init(module: String) {
    self.module = module
    body = SILFunctionReader(module: module)
  }

  /// Reads a whole text.
  ///
  /// - Throws: `Failure` when the text does not begin as canonical SIL does.
  static func read(_ bytes: UnsafeRawBufferPointer, module: String) throws -> FileFacts {
    var reader = SILReader(module: module)
    try reader.read(SILText(bytes))
    return reader.facts
  }

  static func read(_ text: String, module: String) throws -> FileFacts {
    var text = text
    return try text.withUTF8 { try read(UnsafeRawBufferPointer($0), module: module) }
  }

  private mutating func read(_ text: SILText) throws {
    let end = text.bytes.count
    guard text.hasPrefix("sil_stage canonical", at: 0, end: end) else {
      throw Failure(reason: "the compiler's output does not begin with 'sil_stage canonical'")
    }
    var offset = 0
    var header: Range<Int>?
    var isolation: Range<Int>?
    var table: Table?
    while offset < end {
      let lineEnd = text.first(10, in: offset..<end) ?? end
      let line = offset..<lineEnd
      offset = lineEnd + 1
      if line.isEmpty {
        header = nil
        isolation = nil
        continue
      }
      if let open = table {
        if text.bytes[line.lowerBound] == UInt8(ascii: "}") {
          table = nil
        } else {
          readEntry(text, line, of: open)
        }
        continue
      }
      switch text.bytes[line.lowerBound] {
      case UInt8(ascii: "/"):
        if text.hasPrefix("// Isolation: ", at: line.lowerBound, end: lineEnd) {
          isolation = (line.lowerBound + 14)..<lineEnd
        } else if header == nil {
          header = line
        }
      case UInt8(ascii: "s"):
        if text.hasPrefix("sil @", at: line.lowerBound, end: lineEnd)
          || text.hasPrefix("sil ", at: line.lowerBound, end: lineEnd)
        {
          offset = readFunction(text, line, header: header, isolation: isolation, next: offset)
        } else if text.hasPrefix("sil_scope ", at: line.lowerBound, end: lineEnd) {
          body.readScope(text, line)
        } else if text.hasPrefix("sil_vtable ", at: line.lowerBound, end: lineEnd) {
          if text.bytes[lineEnd - 1] == UInt8(ascii: "{") { table = .methods }
        } else if text.hasPrefix("sil_witness_table ", at: line.lowerBound, end: lineEnd) {
          readConformance(text, line)
          if text.bytes[lineEnd - 1] == UInt8(ascii: "{") { table = .witnesses }
        } else if text.hasPrefix("sil_default_witness_table ", at: line.lowerBound, end: lineEnd)
          || text.hasPrefix("sil_moveonlydeinit ", at: line.lowerBound, end: lineEnd)
        {
          if text.bytes[lineEnd - 1] == UInt8(ascii: "{") { table = .ignored }
        }
        header = nil
        isolation = nil
      default:
        break
      }
    }
    facts.types = conformances.sorted { $0.key < $1.key }.map {
      TypeFacts(name: $0.key, module: module, conformances: $0.value)
    }
    facts.unknown = body.unknown.sorted()
  }

  private enum Table { case methods, witnesses, ignored }

  // MARK: Functions

  /// Reads a declaration or a definition; returns the offset to go on from.
  private mutating func readFunction(
    _ text: SILText, _ line: Range<Int>, header: Range<Int>?, isolation: Range<Int>?, next: Int
  ) -> Int {
    guard let at = text.find(" @", in: line), let colon = text.find(" : $", in: at..<line.upperBound) else {
      return next
    }
    let nameRange = (at + 2)..<colon
    let isolationText = isolation.map { text.string($0) } ?? "unspecified"
    let known = SILDialect.isolation(isolationText)
    if known == nil { body.unknown.insert("isolation '\(isolationText)'") }
    let isolation = known ?? .unknown
    let trailer = header.map { text.trailer($0) }
    var display = ""
    if let header, let trailer {
      display = text.string((header.lowerBound + 3)..<max(trailer.bodyEnd, header.lowerBound + 3))
    }
    let definition = text.bytes[line.upperBound - 1] == UInt8(ascii: "{")
    guard definition else {
      if isolation != .unknown {
        facts.imported.append(
          ImportedFunction(name: text.string(nameRange), display: display, isolation: isolation))
      }
      return next
    }
    let type = (colon + 4)..<line.upperBound
    let typePrefixEnd = text.find(" (", in: type) ?? type.upperBound
    var flags: FunctionFacts.Flags = []
    if text.find("@async", in: type.lowerBound..<typePrefixEnd) != nil { flags.insert(.isAsync) }
    let attributes = line.lowerBound..<at
    if text.find("[thunk]", in: attributes) != nil { flags.insert(.isThunk) }
    if text.find("[global_init", in: attributes) != nil { flags.insert(.isGlobalInitializer) }
    var location = SourceLocation(file: "", line: 0, column: 0)
    if let trailer, let file = trailer.file {
      location = SourceLocation(file: text.string(file), line: trailer.line, column: trailer.column)
    }
    let result = body.read(
      text, from: next, name: text.string(nameRange), display: display, isolation: isolation, flags: flags,
      location: location, scope: trailer?.scope)
    if let function = result.function { facts.functions.append(function) }
    return result.next
  }

  // MARK: Tables

  /// `  #Account.pay: (isolated Account) -> (Int) async -> () : @symbol`, with `method ` before it for witnesses.
  private mutating func readEntry(_ text: SILText, _ line: Range<Int>, of table: Table) {
    guard table != .ignored, let hash = text.first(UInt8(ascii: "#"), in: line),
      let at = text.find(": @", in: hash..<line.upperBound)
    else { return }
    var symbolEnd = at + 3
    while symbolEnd < line.upperBound, text.bytes[symbolEnd] != 9, text.bytes[symbolEnd] != 32 { symbolEnd += 1 }
    guard let key = SILReader.key(text, (hash + 1)..<at) else { return }
    let entry = DispatchEntry(key: key, function: text.string((at + 3)..<symbolEnd))
    switch table {
    case .methods: facts.methods.append(entry)
    case .witnesses: facts.witnesses.append(entry)
    case .ignored: break
    }
  }

  /// `Account.pay : (isolated Account) -> …` as one spelling, whatever the spaces around the first colon.
  static func key(_ text: SILText, _ range: Range<Int>) -> String? {
    guard let colon = text.first(UInt8(ascii: ":"), in: range) else { return text.string(range) }
    var nameEnd = colon
    while nameEnd > range.lowerBound, text.bytes[nameEnd - 1] == 32 { nameEnd -= 1 }
    var start = colon + 1
    while start < range.upperBound, text.bytes[start] == 32 { start += 1 }
    var end = range.upperBound
    while end > start, text.bytes[end - 1] == 32 { end -= 1 }
    return text.string(range.lowerBound..<nameEnd) + ": " + text.string(start..<end)
  }

  /// `sil_witness_table hidden <T> Box<T>: View module App {`
  private mutating func readConformance(_ text: SILText, _ line: Range<Int>) {
    guard let module = text.find(" module ", in: line), let colon = text.find(": ", in: line.lowerBound..<module) else {
      return
    }
    let conformance = text.string((colon + 2)..<module)
    var type = text.string(line.lowerBound..<colon)
    if let generic = type.firstIndex(of: "<") {
      // `<T> Box<T>` after the linkage, or `Box<T>`: the name is the last word before its own parameters.
      let head = type[..<generic]
      if head.last == " " || head.hasSuffix("sil_witness_table") {
        var depth = 0
        var index = generic
        while index < type.endIndex {
          if type[index] == "<" { depth += 1 }
          if type[index] == ">" { depth -= 1 }
          index = type.index(after: index)
          if depth == 0 { break }
        }
        type = String(type[index...].drop { $0 == " " })
        if let own = type.firstIndex(of: "<") { type = String(type[..<own]) }
      } else {
        type = String(head)
      }
    }
    let name = type.split(separator: " ").last.map(String.init) ?? type
    conformances[name, default: []].insert(conformance)
  }
}
