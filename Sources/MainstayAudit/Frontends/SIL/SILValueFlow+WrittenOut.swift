/// Collections that are written out: the types of what they are made of, so that their size is known.
import MainstayFindings

extension SILValueFlow {
  /// Follows a collection from its parts to the value: `_allocateUninitializedArray`, its elements, and what turns the
  /// array into a dictionary.
  mutating func followWrittenOut(
    _ display: String, _ passed: [Int32], _ results: ArraySlice<Int32>, _ instruction: SILInstruction
  ) {
    guard let result = results.first else { return }
    if display.hasPrefix("_allocateUninitializedArray<") {
      values[Int(result)].writtenOut = result
      // Of `(String, Any)` each value says what it is; of `(String, Int)` all are the same.
      let element = elementType(of: instruction)
      parts[result] = element.map { $0.isEmpty || $0 == "Any" ? [] : [$0] }
    } else if display.hasPrefix("_finalizeUninitializedArray<")
      || display.hasPrefix("Dictionary.init(dictionaryLiteral:"),
      let first = passed.first
    {
      let slot = values[Int(first)].writtenOut
      values[Int(result)].writtenOut = slot
      if let known = elements[slot] { values[Int(result)].origins.formUnion(known) }
      if display.hasPrefix("_finalize") { values[Int(result)].literal = LiteralText.list }
    }
  }

  /// `Any` of `%7<(String, Any)>(%6)`, `Int` of `%7<Int>(%6)`.
  private func elementType(of instruction: SILInstruction) -> String? {
    guard let open = text.first(UInt8(ascii: "<"), in: instruction.text),
      let close = text.find(">(%", in: open..<instruction.text.upperBound)
    else { return nil }
    var type = text.string((open + 1)..<close)
    if type.hasPrefix("("), type.hasSuffix(")"), let comma = type.firstRange(of: ", ") {
      type = String(type[comma.upperBound...].dropLast())
    }
    return type
  }

  /// An element of any type gets one: `init_existential_addr %16, $Int32`.
  mutating func notePart(_ address: Int32?, _ instruction: SILInstruction) {
    guard let address, values[Int(address)].writtenOut >= 0, instruction.symbol >= 0 else { return }
    let type = symbols.string(instruction.symbol)
    parts[values[Int(address)].writtenOut]?.append(type)
  }

  /// An element that is a collection itself, written out like the one around it: its parts stand in for its type.
  mutating func notePart(_ source: Int32, storedIn address: Int32) {
    let (inner, outer) = (values[Int(source)].writtenOut, values[Int(address)].writtenOut)
    guard inner >= 0, outer >= 0, inner != outer, let within = parts[inner], var around = parts[outer],
      !around.isEmpty
    else { return }
    around.removeLast()
    parts[outer] = around + within
  }

  /// The tuple of what a value was made of, when it was written out: `(Int32, String).self`.
  func writtenOutType(_ value: Int32) -> String? {
    var slot = values[Int(value)].writtenOut
    if slot < 0, values[Int(value)].memory >= 0 { slot = memory[Int(values[Int(value)].memory)].writtenOut }
    guard slot >= 0, let parts = parts[slot] else { return nil }
    return "(" + parts.joined(separator: ", ") + ").self"
  }
}
