/// Which arguments of a call the callee may write to, read from the callee's lowered type.
struct SILConventions {
  private var writable: [Bool]
  private var results = 0

  /// - Parameters:
  ///   - range: the text of an `apply`, which ends in the callee's type.
  ///   - count: the number of arguments passed, indirect results first.
  init(_ text: SILText, _ range: Range<Int>, count: Int) {
    writable = Array(repeating: true, count: count)
    guard let typeStart = text.find(") : $", in: range) else { return }
    // The parameter list is the first parenthesis of the type that generics and attributes do not hold.
    var at = typeStart + 5
    let end = range.upperBound
    var depth = 0
    var open: Int?
    while at < end {
      let byte = text.bytes[at]
      if byte == UInt8(ascii: "<") { depth += 1 }
      if byte == UInt8(ascii: ">"), text.bytes[at - 1] != UInt8(ascii: "-") { depth -= 1 }
      if byte == UInt8(ascii: "("), depth == 0 {
        let isAttribute = at > typeStart + 5 && text.bytes[at - 1] != 32
        if !isAttribute {
          open = at
          break
        }
        at = SILConventions.skip(text, at, end)
        continue
      }
      at += 1
    }
    guard let open else { return }
    var parameters: [Range<Int>] = []
    var start = open + 1
    at = start
    while at < end {
      let byte = text.bytes[at]
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        at = SILConventions.skip(text, at, end)
        continue
      }
      if byte == UInt8(ascii: "<") { depth += 1 }
      if byte == UInt8(ascii: ">"), text.bytes[at - 1] != UInt8(ascii: "-") { depth -= 1 }
      if depth <= 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ")") {
        if at > start { parameters.append(start..<at) }
        start = at + 1
        if byte == UInt8(ascii: ")") { break }
      }
      at += 1
    }
    results = max(0, count - parameters.count)
    for (index, parameter) in parameters.enumerated() where results + index < count {
      writable[results + index] =
        text.find("@inout", in: parameter) != nil || text.find("@pack_inout", in: parameter) != nil
    }
  }

  func mayWrite(_ index: Int) -> Bool { writable[index] }
  func isResult(_ index: Int) -> Bool { index < results }

  /// The offset after the bracket that closes the one at `open`.
  private static func skip(_ text: SILText, _ open: Int, _ end: Int) -> Int {
    var depth = 0
    var at = open
    while at < end {
      let byte = text.bytes[at]
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
        if depth == 0 { return at + 1 }
      }
      at += 1
    }
    return end
  }
}
