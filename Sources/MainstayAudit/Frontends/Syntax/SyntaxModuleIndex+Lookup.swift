/// What a name means: the functions and members of a type and of what it inherits from.
import MainstayFindings

extension SyntaxModuleIndex {
  /// A type's name without what surrounds it: `Feed` for `(any Feed)?`.
  static func bare(_ name: String) -> String {
    var text = Substring(name)
    while let first = text.first, first == "(" || first == " " { text = text.dropFirst() }
    for prefix in ["any ", "some ", "inout ", "borrowing ", "consuming ", "isolated ", "sending ", "@escaping "]
    where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    if text.first == "[" {
      while let last = text.last, "?!) ".contains(last) { text = text.dropLast() }
      return String(text)
    }
    return String(text.prefix { !"<?!) ".contains($0) })
  }

  /// The type of an array's elements, by the array's.
  static func element(_ name: String?) -> String? {
    guard let name, name.hasPrefix("["), name.hasSuffix("]"), !name.contains(":") else { return nil }
    return bare(String(name.dropFirst().dropLast()))
  }

  private var longestScope: Int { 400 }

  /// A type's full name where its short one is used: `Store.Entry` for `Entry` inside `Store`.
  func resolved(_ name: String, in scope: String?) -> String {
    let bare = SyntaxModuleIndex.bare(name)
    // A scope that is longer nests deeper than people write types: each of its levels would be asked for.
    guard var scope, !bare.isEmpty, scope.utf8.count < longestScope else { return bare }
    while true {
      if type(scope + "." + bare) != nil { return scope + "." + bare }
      guard let dot = scope.lastIndex(of: ".") else { return bare }
      scope = String(scope[..<dot])
    }
  }

  /// The functions that a name means on a type: its own, or those of what it inherits from.
  func methods(_ name: String, of typeName: String, depth: Int = 0) -> [SyntaxFunction] {
    guard let type = type(typeName), depth < 8 else { return [] }
    if let own = type.methods[name] {
      // An extension of a protocol has a body where the requirement has none.
      let bodies = own.filter { !$0.isRequirement }
      return bodies.count == own.count || bodies.isEmpty ? own : own.filter(\.isRequirement)
    }
    for base in type.conformances.sorted() {
      let found = methods(name, of: base, depth: depth + 1)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Whether a member of the type is a part of whatever holds the value.
  func isValue(_ name: String) -> Bool {
    [.struct, .enum].contains(type(name)?.kind) && type(name)?.isDeclared == true
  }

  /// The protocols that a type conforms to, those that they inherit from included.
  func protocols(of name: String) -> [String] {
    var result: Set<String> = []
    var work = Array(type(name)?.conformances ?? [])
    while let next = work.popLast(), result.count < 64 {
      guard let type = type(next), type.kind == .protocol, result.insert(next).inserted else { continue }
      work += type.conformances
    }
    return result.sorted()
  }

  /// Whether a protocol asks for a member.
  func asks(_ name: String, for member: MemberDeclaration) -> Bool {
    guard let type = type(name) else { return false }
    switch member.kind {
    case .function:
      return type.methods[member.name]?.contains { $0.isRequirement && $0.display.hasSuffix(member.labels) } == true
    case .subscripting: return !type.subscripts.isEmpty
    default: return type.requirements.contains(member.name)
    }
  }

  /// Whether a type of this module conforms to a protocol and leaves a member to the protocol's extension.
  func relies(on member: MemberDeclaration, of name: String) -> Bool {
    types.contains { _, type in
      guard type.kind != .protocol, type.conformances.contains(name) else { return false }
      switch member.kind {
      case .function: return type.methods[member.name] == nil
      case .subscripting: return type.subscripts.isEmpty
      default: return type.members[member.name] == nil
      }
    }
  }

  /// The members whose initial values an initialiser makes, in the order of their names.
  func madeByInitializer(of name: String) -> [String] {
    guard let type = types[name], type.isDeclared, type.kind != .protocol, type.kind != .enum else { return [] }
    return type.runs.filter { member, runs in
      runs.contains("initial") && !type.statics.contains(member) && !type.lazies.contains(member)
        && type.wrappers[member] == nil
    }.keys.sorted()
  }

  /// The type of a member, and the type that declares it.
  func member(_ name: String, of typeName: String, depth: Int = 0) -> (
    owner: String, type: String, isComputed: Bool, isStatic: Bool
  )? {
    guard let type = type(typeName), depth < 8 else { return nil }
    if let member = type.members[name] {
      return (typeName, member, type.computed.contains(name), type.statics.contains(name))
    }
    for base in type.inherited {
      if let found = member(name, of: base, depth: depth + 1) { return found }
    }
    return nil
  }
}
