/// A callee as a person spells it: `Module.Type.name(labels:)`, the module optional; a C function as `c:name`.
struct CalleePattern: Sendable, Hashable {
  private let isC: Bool
  private let name: String
  private let labels: String?

  init(_ text: String) {
    if text.hasPrefix("c:") {
      isC = true
      name = String(text.dropFirst(2))
      labels = nil
    } else {
      isC = false
      let base = text.prefix { $0 != "(" }
      name = String(base)
      labels = base.endIndex < text.endIndex ? String(text[base.endIndex...]) : nil
    }
  }

  func matches(_ call: Call) -> Bool {
    if isC { return call.cName == name }
    let spelled = CalleePattern.normalised(call.display)
    let base = spelled.prefix { $0 != "(" }
    guard base == name || name.hasSuffix("." + base) && base.contains(".") else { return false }
    guard let labels, base.endIndex < spelled.endIndex else { return true }
    return spelled[base.endIndex...] == labels
  }

  /// A display without what differs between spellings of one callee: `static`, generic parameters, `__allocating_`.
  ///
  /// Asked of every call of a program, several times: so it looks at bytes, and most displays are already as they are
  /// wanted.
  static func normalised(_ display: String) -> String {
    var display = display
    return display.withUTF8 { bytes in
      var start = 0
      for prefix in prefixes where bytes[start...].starts(with: prefix.utf8) { start += prefix.utf8.count }
      let rest = UnsafeBufferPointer(rebasing: bytes[start...])
      let isPlain = !rest.contains { $0 == openAngle || $0 == backtick || $0 == underscore }
      return isPlain ? String(decoding: rest, as: UTF8.self) : stripped(rest)
    }
  }

  private static let prefixes: [StaticString] = ["@objc ", "static ", "class ", "specialized "]
  private static let allocating: StaticString = "__allocating_init"
  private static let openAngle = UInt8(ascii: "<")
  private static let closeAngle = UInt8(ascii: ">")
  private static let backtick = UInt8(ascii: "`")
  private static let underscore = UInt8(ascii: "_")

  private static func stripped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count) { result in
      var count = 0
      var depth = 0
      var hasAllocating = false
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte == openAngle { depth += 1 }
        if depth == 0, byte != backtick {
          if byte == underscore, !hasAllocating, bytes[index...].starts(with: allocating.utf8) {
            hasAllocating = true
            index += allocating.utf8.count - 4  // what is left is `init`
            continue
          }
          result[count] = byte
          count += 1
        }
        if byte == closeAngle, depth > 0 { depth -= 1 }
        index += 1
      }
      return count
    }
  }
}

extension StaticString {
  fileprivate var utf8: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}

extension Call {
  /// The name of the C function that is called, or nil when it is none.
  var cName: String? { callee.symbol.flatMap { SILDialect.cName(symbol: $0, display: display) } }
}
