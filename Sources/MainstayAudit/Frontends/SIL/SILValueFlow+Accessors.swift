/// Getters, setters and addressors: calls that read or write a member, told by their names.

extension SILValueFlow {
  static func memberName(_ member: String) -> Substring {
    var parts = member.split(separator: ".", omittingEmptySubsequences: true)
    if parts.count > 1 { parts.removeFirst() }
    return parts.last ?? Substring(member)
  }

  enum Accessor {
    case read(Place)
    case write(Place)
  }

  /// `Form.busy!setter: (Form) -> …` as a person reads it.
  static func display(ofKey key: String) -> String {
    let member = key.prefix { $0 != ":" }
    return String(member.map { $0 == "!" ? "." : $0 })
  }

  static func accessorMember(_ display: String) -> String? {
    for suffix in [
      ".getter", ".setter", ".modify", ".read", ".modify2", ".read2", ".unsafeMutableAddressor", ".unsafeAddressor",
    ]
    where display.hasSuffix(suffix) {
      var member = String(display.dropLast(suffix.count))
      if member.hasPrefix("static ") { member.removeFirst("static ".count) }
      return member
    }
    return nil
  }

  /// The name of a global or static stored property that a call gives access to.
  static func globalMember(_ display: String) -> String? {
    if display.hasSuffix(".unsafeMutableAddressor") || display.hasPrefix("static ") { return accessorMember(display) }
    return nil
  }

  func accessor(_ display: String, _ callee: Callee, receiver: Argument?) -> Accessor? {
    guard let member = SILValueFlow.accessorMember(display), member.contains("."), !display.contains(".subscript.")
    else { return nil }
    if case .function(let name) = callee {
      for prefix in SILDialect.foreignPrefixes where name.hasPrefix(prefix) { return nil }
    }
    let isStatic = display.hasPrefix("static ")
    let place = Place(root: isStatic ? "global" : receiver?.root ?? "?", member: member)
    if display.hasSuffix(".getter") || display.hasSuffix(".read") || display.hasSuffix(".read2") { return .read(place) }
    if display.hasSuffix(".setter") || display.hasSuffix(".modify") || display.hasSuffix(".modify2") {
      return .write(place)
    }
    return nil
  }
}
