/// What an instruction works on, by its kind: values, symbols, types and the blocks that it goes to.
extension SILFunctionReader {
  /// `Note` of `%7<Note>(%5)`: a type argument that stands alone and is a name.
  private static func firstTypeArgument(_ text: SILText, in range: Range<Int>) -> Range<Int>? {
    guard let open = text.first(UInt8(ascii: "<"), in: range) else { return nil }
    var end = open + 1
    while end < range.upperBound, end - open < 80 {
      let byte = text.bytes[end]
      if byte == UInt8(ascii: ">") { return end > open + 1 ? (open + 1)..<end : nil }
      let isName = (byte | 32) >= 97 && (byte | 32) <= 122 || byte >= 48 && byte <= 57 || byte == 46 || byte == 95
      guard isName else { return nil }
      end += 1
    }
    return nil
  }

  mutating func readOperands(
    _ text: SILText, _ rest: Range<Int>, _ instruction: inout SILInstruction, comment: Range<Int>?
  ) {
    switch instruction.operation {
    case .functionReference, .dynamicFunctionReference, .previousFunctionReference, .globalAddress:
      guard let at = text.first(UInt8(ascii: "@"), in: rest) else { return }
      var end = at + 1
      while end < rest.upperBound, text.bytes[end] != 32 { end += 1 }
      instruction.symbol = symbols.intern(text.slice((at + 1)..<end))
      if let comment, displays[instruction.symbol] == nil {
        var display = text.string(comment)
        if display.hasPrefix("specialized ") { display.removeFirst("specialized ".count) }
        displays[instruction.symbol] = display
      }
    case .classMethod, .superMethod, .objcMethod, .objcSuperMethod, .witnessMethod:
      appendValues(text, in: rest)
      guard let hash = text.first(UInt8(ascii: "#"), in: rest) else { return }
      let tail = hash..<rest.upperBound
      let end =
        text.find(", $@convention(", in: tail) ?? text.find(" : $@convention(", in: tail)
        ?? text.find(", $", in: tail) ?? rest.upperBound
      var keyEnd = end
      if instruction.operation == .witnessMethod, let opened = text.find(", %", in: hash..<end) { keyEnd = opened }
      if let key = SILReader.key(text, (hash + 1)..<keyEnd) { instruction.symbol = symbols.intern(key) }
    case .apply, .tryApply, .beginApply:
      // Types hold no values, so operands end where the callee's type begins.
      let typeStart = text.find(") : $", in: rest) ?? rest.upperBound
      appendValues(text, in: rest.lowerBound..<typeStart)
      let typeEnd = text.find(" (", in: min(typeStart + 5, rest.upperBound)..<rest.upperBound) ?? rest.upperBound
      let head = min(typeStart, typeEnd)..<typeEnd
      instruction.isAsync = text.find("@async", in: head) != nil
      instruction.isMethod =
        text.find("@convention(method)", in: head) != nil || text.find("@convention(witness_method", in: head) != nil
        || text.find("@convention(objc_method)", in: head) != nil
      if let argument = Self.firstTypeArgument(text, in: rest.lowerBound..<typeStart) {
        instruction.symbol = symbols.intern(text.slice(argument))
      }
      instruction.hasIsolatedTypeArgument = Self.namesGlobalActor(text, in: rest.lowerBound..<typeStart)
      if instruction.operation == .tryApply, let normal = text.find(", normal bb", in: typeStart..<rest.upperBound) {
        appendLabels(text, in: normal..<rest.upperBound, &instruction)
      }
    case .keyPath:
      // The getter of the first computed component: `id @$s3App4PageV4textSSvg : …`.
      if let id = text.find("id @", in: rest) {
        var end = id + 4
        while end < rest.upperBound, text.bytes[end] != 32 { end += 1 }
        instruction.symbol = symbols.intern(text.slice((id + 4)..<end))
      }
    case .partialApply:
      let typeStart = text.find(") : $", in: rest) ?? rest.upperBound
      appendValues(text, in: rest.lowerBound..<typeStart)
      instruction.isNoescape = text.find("[on_stack]", in: rest.lowerBound..<typeStart) != nil
    case .thinToThick, .convertFunction, .convertEscape:
      appendValues(text, in: rest)
      if let to = text.find(" to ", in: rest) {
        let target = to..<min(to + 40, rest.upperBound)
        instruction.isNoescape = text.find("@noescape", in: target) != nil
      }
    case .debugValue, .allocStack, .allocBox:
      if instruction.operation == .debugValue {
        let typeEnd = text.first(UInt8(ascii: ","), in: rest) ?? rest.upperBound
        appendValues(text, in: rest.lowerBound..<typeEnd)
      }
      if let name = text.find(", name \"", in: rest),
        let close = text.first(34, in: (name + 8)..<rest.upperBound)
      {
        instruction.symbol = symbols.intern(text.slice((name + 8)..<close))
      }
    case .beginAccess:
      appendValues(text, in: rest)
      instruction.isModify =
        text.find("[modify]", in: rest) != nil || text.find("[init]", in: rest) != nil
    case .refElementAddress, .structElementAddress, .structExtract:
      appendValues(text, in: rest)
      if let hash = text.first(UInt8(ascii: "#"), in: rest) {
        instruction.symbol = symbols.intern(text.slice((hash + 1)..<rest.upperBound))
      }
    case .enumeration, .injectEnumAddress:
      appendValues(text, in: rest)
      if let hash = text.first(UInt8(ascii: "#"), in: rest) {
        var end = hash + 1
        while end < rest.upperBound, text.bytes[end] != UInt8(ascii: "!"), text.bytes[end] != UInt8(ascii: ",") {
          end += 1
        }
        instruction.symbol = symbols.intern(text.slice((hash + 1)..<end))
      }
    case .integerLiteral, .floatLiteral, .stringLiteral:
      instruction.symbol = symbols.intern(text.slice(rest))
    case .structure, .initExistentialAddress:
      appendValues(text, in: rest)
      if let dollar = text.first(UInt8(ascii: "$"), in: rest) {
        var end = dollar + 1
        while end < rest.upperBound, text.bytes[end] != 32, text.bytes[end] != UInt8(ascii: "<") { end += 1 }
        instruction.symbol = symbols.intern(text.slice((dollar + 1)..<end))
      }
    case .builtin:
      let typeStart = text.find(") : $", in: rest) ?? rest.upperBound
      appendValues(text, in: rest.lowerBound..<typeStart)
      if let open = text.first(34, in: rest), let close = text.first(34, in: (open + 1)..<rest.upperBound) {
        instruction.symbol = symbols.intern(text.slice((open + 1)..<close))
      }
    case .branch, .conditionalBranch, .switchEnum, .switchEnumAddress, .switchValue, .checkedCastBranch,
      .checkedCastAddressBranch, .dynamicMethodBranch, .awaitContinuation, .yield:
      appendValues(text, in: rest)
      appendLabels(text, in: rest, &instruction)
    default:
      appendValues(text, in: rest)
      appendLabelsIfAny(text, rest, &instruction)
    }
  }

  /// Whether an attribute of a type is a global actor: of the others only `@Sendable` is written with a capital.
  private static func namesGlobalActor(_ text: SILText, in range: Range<Int>) -> Bool {
    var rest = range
    while let at = text.first(UInt8(ascii: "@"), in: rest), at + 1 < range.upperBound {
      rest = (at + 1)..<range.upperBound
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text.bytes[at + 1])
      if isCapital, text.find("Sendable", in: (at + 1)..<min(at + 9, range.upperBound)) == nil { return true }
    }
    return false
  }

  mutating func appendValues(_ text: SILText, in range: Range<Int>) {
    var at = range.lowerBound
    while let percent = text.first(UInt8(ascii: "%"), in: at..<range.upperBound) {
      if let value = text.number(at: percent + 1, end: range.upperBound) {
        content.values.append(Int32(truncatingIfNeeded: value.value))
        note(value: value.value)
        at = value.end
      } else {
        at = percent + 1
      }
    }
  }

  /// An instruction this dialect does not know may still end a block: its successors keep the graph connected.
  private mutating func appendLabelsIfAny(_ text: SILText, _ rest: Range<Int>, _ instruction: inout SILInstruction) {
    if instruction.operation == .unknown { appendLabels(text, in: rest, &instruction) }
  }

  private mutating func appendLabels(_ text: SILText, in range: Range<Int>, _ instruction: inout SILInstruction) {
    let start = content.labels.count
    var at = range.lowerBound
    while let found = text.find("bb", in: at..<range.upperBound) {
      at = found + 2
      guard found == range.lowerBound || text.bytes[found - 1] == 32,
        let label = text.number(at: found + 2, end: range.upperBound)
      else { continue }
      at = label.end
      let after = at < range.upperBound ? text.bytes[at] : 44
      if after == 44 || after == 32 || after == UInt8(ascii: "(") {
        content.labels.append(Int32(truncatingIfNeeded: label.value))
      }
    }
    instruction.successors = start..<content.labels.count
  }
}
