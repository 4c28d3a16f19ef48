/// The demangler's full text of a symbol, read into a name to show: wrappers, closures and contexts peeled off in turn.

struct DemangledName {
  var display: String
  var kind: FunctionName.Kind
  var enclosing: String?
  var type: String?
  var module: String?
  var isThunk = false
  /// What the wrappers were, the outermost first, each with the text inside it.
  var wrappers: [Wrapper] = []

  struct Wrapper {
    enum Kind { case forwarder, transparent, specialization }
    let kind: Kind
    let inside: String
  }

  init(_ text: String) {
    // Longer than the text of any real function: reading it could take time that grows with its square.
    guard text.utf8.count <= 1 << 14 else {
      self.init(display: text.prefix(120) + "…", kind: .unknown)
      return
    }
    self.init(DemangledText(text: text), isContext: false)
  }

  private init(_ text: DemangledText, isContext: Bool) {
    var rest = text
    var wrappers: [Wrapper] = []
    while let (next, kind) = Self.unwrapped(rest) {
      rest = next
      wrappers.append(Wrapper(kind: kind, inside: rest.string))
    }
    self = Self.named(rest, isContext: isContext)
    isThunk = isThunk || wrappers.contains { $0.kind == .forwarder }
    self.wrappers = wrappers
  }

  private init(display: String, kind: FunctionName.Kind, enclosing: String? = nil) {
    self.display = display
    self.kind = kind
    self.enclosing = enclosing
  }

  // MARK: Wrappers

  private static let forwarders: [StaticString] = [
    "partial apply forwarder for ", "partial apply ObjC forwarder for ", "@objc ", "@nonobjc ", "dispatch thunk of ",
    "curry thunk of ", "back deployment thunk for ", "distributed thunk ", "distributed accessor for ",
    "async function pointer to ", "coroutine function pointer to ", "dynamically replaceable thunk for ",
    "protocol self-conformance witness for ",
  ]
  private static let transparent: [StaticString] = [
    "merged ", "dynamic ", "override ", "back deployment fallback for ", "dynamically replaceable variable for ",
  ]
  private static let specializations: [StaticString] = [
    "generic specialization <", "generic not re-abstracted specialization <", "generic partial specialization <",
    "generic not-reabstracted partial specialization <", "generic pre-specialization <",
    "inlined generic function <", "function signature specialization <",
  ]

  private static func unwrapped(_ text: DemangledText) -> (DemangledText, Wrapper.Kind)? {
    for prefix in forwarders { if let rest = text.after(prefix) { return (rest, .forwarder) } }
    for prefix in transparent { if let rest = text.after(prefix) { return (rest, .transparent) } }
    for prefix in specializations where text.begins(with: prefix) {
      let open = text.startIndex + prefix.utf8CodeUnitCount - 1
      if let rest = text[text.skipping(open)...].after(" of ") { return (rest, .specialization) }
      if let rest = afterUnbalanced(text[open...]) { return (rest, .specialization) }
    }
    if let rest = text.after("vtable thunk for "), let at = rest.firstOutsideBrackets(" dispatching to ") {
      return (rest[(at + 16)...], .forwarder)
    }
    return nil
  }

  /// Arguments such as `[Closure Propagated : $s…, Argument Types : []>` lack a bracket: the printer forgets it.
  private static func afterUnbalanced(_ text: DemangledText) -> DemangledText? {
    for at in text.indices.dropFirst() where text[at] == UInt8(ascii: ">") && text[at - 1] != UInt8(ascii: "-") {
      if let rest = text[at...].after("> of ") { return rest }
    }
    return nil
  }

  // MARK: Names

  private static func named(_ text: DemangledText, isContext: Bool) -> DemangledName {
    if text.begins(with: "reabstraction thunk ") { return DemangledName(thunk: "reabstraction thunk") }
    if let witness = witness(text) { return witness }
    if let found = expression(text, isContext: isContext) { return found }
    if let nested = nested(text) { return nested }
    if let entity = DemangledEntity(text) { return DemangledName(entity, isContext: isContext) }
    // `@_silgen_name` functions under a specialisation: a bare name.
    if text.allSatisfy(isIdentifierByte) { return DemangledName(display: text.string, kind: .function) }
    let isKnown =
      compilerGenerated.contains { text.begins(with: $0) } || text.firstOutsideBrackets(" value witness for ") != nil
    return DemangledName(display: text.unqualified, kind: isKnown ? .compilerGenerated : .unknown)
  }

  private init(thunk: String) {
    self.init(display: thunk, kind: .thunk)
    isThunk = true
  }

  private init(_ entity: DemangledEntity, isContext: Bool = false) {
    self.init(display: entity.display(isContext: isContext), kind: entity.kind)
    type = entity.type
    module = entity.module
  }

  /// `protocol witness for App.Loading.load() -> () in conformance App.Model : App.Loading in App`.
  private static func witness(_ text: DemangledText) -> DemangledName? {
    guard let rest = text.after("protocol witness for "), let at = rest.firstOutsideBrackets(" in conformance "),
      let requirement = DemangledEntity(rest[rest.startIndex..<at])
    else { return nil }
    var conformance = rest[(at + 16)...]
    if conformance.first == UInt8(ascii: "<") {
      conformance = conformance[conformance.skipping(conformance.startIndex)...].trimmed
    }
    guard let colon = conformance.firstOutsideBrackets(" : ") else { return nil }
    let type = conformance[conformance.startIndex..<colon].unqualified
    var name = DemangledName(display: requirement.display(typeName: type), kind: requirement.kind)
    name.type = type
    name.module = conformance.firstOutsideBrackets(" in ").map { conformance[($0 + 4)...].string }
    name.isThunk = true
    return name
  }

  /// Pieces of code that stand for an expression of a declaration: default arguments and initial values.
  private static func expression(_ text: DemangledText, isContext: Bool) -> DemangledName? {
    if let rest = text.after("default argument "), let of = rest.firstOutsideBrackets(" of ") {
      let owner = DemangledName(rest[(of + 4)...], isContext: true)
      let number = rest[rest.startIndex..<of].string
      return owner.owning("default argument \(number) of \(owner.display)", .defaultArgument)
    }
    if let rest = text.after("variable initialization expression of ") {
      let owner = DemangledName(rest, isContext: true)
      return isContext ? owner : owner.owning("initial value of \(owner.display)", .initialValue)
    }
    if let rest = text.after("one-time initialization function for ") {
      return DemangledName(display: "initial value of \(rest.string)", kind: .initialValue, enclosing: rest.string)
    }
    if let rest = text.after("property wrapper backing initializer of ")
      ?? text.after("property wrapped field init accessor of ")
    {
      let owner = DemangledName(rest, isContext: true)
      return owner.owning("property wrapper of \(owner.display)", .initialValue)
    }
    return nil
  }

  private func owning(_ display: String, _ kind: FunctionName.Kind) -> DemangledName {
    var name = DemangledName(display: display, kind: kind, enclosing: self.display)
    (name.type, name.module) = (type, module)
    return name
  }

  // MARK: Closures, local functions, members of local types

  /// `closure #1 (T) -> U in closure #2 () -> () in App.Model.body.getter : V`, and the same for local declarations.
  private static func nested(_ text: DemangledText) -> DemangledName? {
    let parts = text.splitOutsideBrackets(" in ")
    guard parts.count > 1, let outermost = parts.last else { return nil }
    let context = DemangledName(outermost, isContext: true)
    guard context.kind != .unknown else { return nil }
    // A return type that is itself local brings an " in " of its own: contexts are the unbroken run at the end.
    var contexts: [DemangledName] = []
    for part in parts.dropFirst().dropLast().reversed() {
      guard let name = numbered(part) else { break }
      contexts.insert(name, at: 0)
    }
    let enclosing = (contexts + [context]).map(\.display).joined(separator: " in ")
    if var name = numbered(parts[0]), name.kind != .compilerGenerated {
      name.enclosing = enclosing
      name.display += " in " + enclosing
      (name.type, name.module) = (context.type, context.module)
      return name
    }
    // A member of a local type: the innermost context is the type.
    guard let local = contexts.first, let member = DemangledEntity(parts[0], isLocal: true) else { return nil }
    let outer = (contexts.dropFirst() + [context]).map(\.display).joined(separator: " in ")
    let shown = member.display(typeName: ([local.display] + member.path.dropLast()).joined(separator: "."))
    var name = DemangledName(display: shown + " in " + outer, kind: member.kind, enclosing: outer)
    (name.type, name.module) = (local.display, context.module)
    return name
  }

  /// `closure #2 …`, `implicit closure #1 …`, `helper #1 (_: A, scale: B) -> C`, or the local type `Local #1`.
  private static func numbered(_ part: DemangledText) -> DemangledName? {
    if let rest = part.after("closure #") ?? part.after("implicit closure #") {
      let kind: FunctionName.Kind = part.begins(with: "closure") ? .closure : .implicitClosure
      let number = rest.prefix { (0x30...0x39).contains($0) }.string
      guard !number.isEmpty else { return nil }
      return DemangledName(display: (kind == .closure ? "closure " : "implicit closure ") + number, kind: kind)
    }
    for accessor: StaticString in ["getter of ", "setter of ", "modify of ", "read of "] {
      guard let rest = part.after(accessor), let mark = rest.firstOutsideBrackets(" #") else { continue }
      let word = "\(accessor)".prefix { $0 != " " }
      return DemangledName(display: "\(rest[rest.startIndex..<mark].string).\(word)", kind: .accessor)
    }
    guard let mark = part.firstOutsideBrackets(" #"), mark > part.startIndex else { return nil }
    let base = part[part.startIndex..<mark]
    let isName = base.first == UInt8(ascii: "`") || base.allSatisfy(isIdentifierByte)
    let after = part[(mark + 2)...].drop { (0x30...0x39).contains($0) }
    guard isName, after.startIndex > mark + 2 else { return nil }
    if base.begins(with: "$defer") { return DemangledName(display: "defer", kind: .localFunction) }
    if after.isEmpty { return DemangledName(display: base.string, kind: .compilerGenerated) }
    guard let entity = DemangledEntity(base + after.drop { $0 == UInt8(ascii: " ") }, isLocal: true) else { return nil }
    return DemangledName(display: entity.display(), kind: entity.kind == .function ? .localFunction : entity.kind)
  }

  // MARK: Everything else

  private static let compilerGenerated: [StaticString] = [
    "outlined ", "type metadata ", "lazy protocol witness ", "protocol witness table ", "value witness ",
    "associated type witness ", "associated conformance ", "base witness table ", "metadata ", "nominal type ",
    "generic type metadata ",
    "key path ", "instantiation ", "demangling cache ", "base conformance ", "default associated ", "lazy cache ",
    "opaque type descriptor", "method lookup function ", "method descriptor ", "one-time initialization token",
    "canonical specialized", "protocol conformance ",
  ]
}
