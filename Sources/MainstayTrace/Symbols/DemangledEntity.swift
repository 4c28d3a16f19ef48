/// One declaration in the demangler's text: `static App.Store.load<A>(from: A, Int) async -> ()` and its like.

/// The grammar, from the printer of the compiler's demangler and from the names of real programs:
///
///     entity    = ["static "] path [" infix" | " prefix" | " postfix"] ["<" … ">"] ("@" name " ")*
///                 (signature | " : " type)
///     path      = component ("." component)*
///     component = name ["<" … ">"] | "(" name " in _" hex ")" | "(extension in " module "):" component
///     signature = "(" [label ": "] type ("," …)* ")" …
///
/// The first name is the module (of an extension: the module of the extended type). The members of a local type carry
/// neither.
struct DemangledEntity {
  /// Types and base name, without the module.
  let path: [String]
  let module: String?
  /// `(_:scale:)`, or nil for a variable.
  let labels: String?
  let isStatic: Bool
  /// `getter`, `setter`, `modify` …
  let accessor: String?

  private static let accessors: Set<String> = [
    "getter", "setter", "modify", "modify2", "read", "read2", "willset", "didset", "init", "unsafeMutableAddressor",
    "unsafeAddressor", "owningAddressor", "materializeForSet", "yielding_borrow", "yielding_mutate", "borrow", "mutate",
  ]

  /// - Parameter isLocal: whether this is a member of a local type, whose path begins without a module.
  init?(_ text: DemangledText, isLocal: Bool = false) {
    var rest = text
    isStatic = rest.begins(with: "static ")
    if isStatic { rest = rest.dropFirst(7) }
    guard let (components, extensionModule) = Self.path(&rest) else { return nil }
    var names = components
    if isLocal {
      module = nil
    } else {
      guard names.count > 1 else { return nil }
      let first = names.removeFirst()
      module = extensionModule ?? first
    }
    while rest.first == UInt8(ascii: "<") { rest = rest[rest.skipping(rest.startIndex)...] }
    // `named@Sendable () async -> ()`: attributes of the function's type come before its arguments.
    while rest.first == UInt8(ascii: "@"), let space = rest.firstIndex(of: UInt8(ascii: " ")) {
      rest = rest[(space + 1)...]
    }
    if rest.first == UInt8(ascii: "(") {
      (path, accessor) = (names, nil)
      labels = Self.labels(rest[rest.startIndex..<rest.skipping(rest.startIndex)])
    } else if let type = rest.after(" : ") {
      // A variable of a program may be called `getter`: only what follows a name can be an accessor.
      let last = names.count > 1 || !isLocal ? names.last ?? "" : ""
      accessor = names.count > 1 && Self.accessors.contains(last) ? last : nil
      if accessor != nil { names.removeLast() }
      path = names
      labels = names.last == "subscript" ? Self.subscriptLabels(type) : nil
    } else if rest.isEmpty {
      // `deinit` alone has neither signature nor type.
      (path, accessor, labels) = (names, nil, nil)
    } else {
      return nil
    }
    guard !path.isEmpty else { return nil }
  }

  var kind: FunctionName.Kind {
    if accessor != nil { return .accessor }
    switch path.last {
    case "init", "__allocating_init": return .initializer
    case "deinit", "__deallocating_deinit", "__isolated_deallocating_deinit": return .deinitializer
    default: return .function
    }
  }

  /// - Parameters:
  ///   - typeName: shown instead of the path's own types: a witness of `Loading.load` belongs to the type that conforms.
  ///   - isContext: as the place of a closure, where `body` says more than `body.getter`.
  func display(typeName: String? = nil, isContext: Bool = false) -> String {
    var base = path.last ?? ""
    switch kind {
    case .initializer: base = "init"
    case .deinitializer: base = "deinit"
    default: break
    }
    let types = typeName.map { [$0] } ?? Array(path.dropLast())
    let name = (types + [base]).joined(separator: ".") + (labels ?? "")
    let isEntry = (base == "main" || base == "$main") && labels == "()" && !types.isEmpty
    let suffix = accessor.flatMap { Self.isPlain($0) || (isContext && $0 == "getter") ? nil : "." + $0 } ?? ""
    return (isStatic && !isEntry ? "static " : "") + name + suffix
  }

  /// The type the declaration belongs to.
  var type: String? { path.count > 1 ? path.dropLast().joined(separator: ".") : nil }

  /// An addressor is how the compiler reaches a stored global: the variable is what its author wrote.
  private static func isPlain(_ accessor: String) -> Bool { accessor.hasSuffix("ddressor") }

  private static func path(_ rest: inout DemangledText) -> (names: [String], extensionModule: String?)? {
    var names: [String] = []
    var module: String?
    while true {
      while let inner = rest.after("(extension in "), let end = rest.firstIndex(of: UInt8(ascii: ")")) {
        module = inner[inner.startIndex..<end].string
        guard let after = rest[(end + 1)...].after(":") else { return nil }
        rest = after
        names = []
      }
      if rest.first == UInt8(ascii: "("), let member = afterPrivateType(rest) { rest = member }
      guard let name = component(&rest) else { return nil }
      names.append(name)
      if rest.first == UInt8(ascii: "<"), let dot = afterGenerics(rest) { rest = dot }
      guard rest.first == UInt8(ascii: ".") else { return (names, module) }
      rest = rest.dropFirst()
    }
  }

  /// `rest` from the dot that follows a bracketed list of generic arguments; nil when something else follows.
  private static func afterGenerics(_ rest: DemangledText) -> DemangledText? {
    let end = rest.skipping(rest.startIndex)
    return end < rest.endIndex && rest[end] == UInt8(ascii: ".") ? rest[end...] : nil
  }

  /// A private initialiser prints its type between the path and its name: `App.Box.() -> App.Box(in _7806…).init()`.
  private static func afterPrivateType(_ rest: DemangledText) -> DemangledText? {
    for at in rest.indices where rest[at] == UInt8(ascii: "(") {
      guard let hex = rest[at...].after("(in _") else { continue }
      let end = hex.firstIndex { !isIdentifierByte($0) } ?? hex.endIndex
      return hex[end...].after(").")
    }
    return nil
  }

  private static func component(_ rest: inout DemangledText) -> String? {
    if let name = operatorName(&rest) { return name }
    guard let first = rest.first else { return nil }
    if first == UInt8(ascii: "(") {
      return discriminated(&rest)
    }
    let end: DemangledText.Index
    if first == UInt8(ascii: "`") {
      end = rest.skipping(rest.startIndex)
    } else {
      end = rest.firstIndex { !isIdentifierByte($0) } ?? rest.endIndex
    }
    guard end > rest.startIndex else { return nil }
    defer { rest = rest[end...] }
    return rest[rest.startIndex..<end].string
  }

  /// `(helper in _771D…)` or `(< infix in _771D…)`: a private name with its file's discriminator.
  private static func discriminated(_ rest: inout DemangledText) -> String? {
    for at in rest.indices.dropFirst() where rest[at] == UInt8(ascii: " ") {
      guard let hex = rest[at...].after(" in _") else { continue }
      let end = hex.firstIndex { !isIdentifierByte($0) } ?? hex.endIndex
      guard let after = hex[end...].after(")") else { return nil }
      var name = rest[(rest.startIndex + 1)..<at]
      rest = after
      if let space = name.firstIndex(of: UInt8(ascii: " ")) { name = name[name.startIndex..<space] }
      return name.isEmpty ? nil : name.string
    }
    return nil
  }

  /// `<+> infix`: an operator is known by the word after it, as it may hold dots and angle brackets.
  private static func operatorName(_ rest: inout DemangledText) -> String? {
    guard let first = rest.first, first >= 0x80 || !isIdentifierByte(first),
      let space = rest.firstIndex(of: UInt8(ascii: " ")), space > rest.startIndex,
      !rest[rest.startIndex..<space].contains(UInt8(ascii: "("))
    else { return nil }
    for fixity: StaticString in [" infix", " prefix", " postfix"] {
      guard let after = rest[space...].after(fixity) else { continue }
      guard let next = after.first, next == UInt8(ascii: "(") || next == UInt8(ascii: "<") else { continue }
      defer { rest = after }
      return rest[rest.startIndex..<space].string
    }
    return nil
  }

  /// `(_:scale:)` from `(Swift.Int, scale: Swift.Int)`.
  private static func labels(_ arguments: DemangledText) -> String {
    let inside = arguments.dropFirst().dropLast().trimmed
    guard !inside.isEmpty else { return "()" }
    let labels = inside.splitOutsideBrackets(", ").map { argument -> String in
      var end = argument.startIndex
      if argument.first == UInt8(ascii: "`") {
        end = argument.skipping(end)
      } else {
        while end < argument.endIndex, isIdentifierByte(argument[end]) { end += 1 }
      }
      guard end > argument.startIndex, argument[end...].begins(with: ": ") else { return "_:" }
      return argument[argument.startIndex..<end].string + ":"
    }
    return "(" + labels.joined() + ")"
  }

  private static func subscriptLabels(_ type: DemangledText) -> String {
    var type = type
    if type.first == UInt8(ascii: "<") { type = type[type.skipping(type.startIndex)...].trimmed }
    guard type.first == UInt8(ascii: "(") else { return "(_:)" }
    return labels(type[type.startIndex..<type.skipping(type.startIndex)])
  }
}
