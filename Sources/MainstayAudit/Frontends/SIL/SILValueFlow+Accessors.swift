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

  /// A property that a wrapper keeps, where its accessor was written out in place of being called, as it is for what is
  /// private: `State.wrappedValue.setter` of `Form._isBusy` sets `Form.isBusy`.
  func wrappedProperty(_ display: String, wrapper: Int32?) -> (display: String, accessor: Accessor)? {
    guard let wrapper, let kept = SILValueFlow.accessorMember(display), kept.hasSuffix(".wrappedValue") else {
      return nil
    }
    let known = values[Int(wrapper)]
    guard let field = known.field ?? known.place?.member, let dot = field.lastIndex(of: "."),
      field[field.index(after: dot)...].hasPrefix("_")
    else { return nil }
    let root = known.place.map(\.root) ?? known.loaded.map(\.place.root) ?? argument(wrapper).root
    let name = field[field.index(dot, offsetBy: 2)...]
    let place = Place(root: root ?? "?", member: "\(field[..<dot]).\(name)")
    let accessor = display.dropFirst(kept.count)
    let isRead = [".getter", ".read", ".read2"].contains { accessor == $0 }
    return (place.member + accessor, isRead ? .read(place) : .write(place))
  }
}
