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
  static func normalised(_ display: String) -> String {
    var text = Substring(display)
    for prefix in ["@objc ", "static ", "class ", "specialized "] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    var result = ""
    var depth = 0
    for character in text {
      if character == "<" { depth += 1 }
      if depth == 0, character != "`" { result.append(character) }
      if character == ">", depth > 0 { depth -= 1 }
    }
    if let range = result.firstRange(of: "__allocating_init") { result.replaceSubrange(range, with: "init") }
    return result
  }
}

extension Call {
  /// The name of the C function that is called, or nil when it is none.
  var cName: String? { callee.symbol.flatMap { SILDialect.cName(symbol: $0, display: display) } }
}
