/// What a module's sources declare, before any body is read: types, functions, and where each of them runs.
import MainstayFindings

/// One function as its declaration says it.
struct SyntaxFunction: Sendable {
  var key: String
  var display: String
  var file: String
  var isAsync: Bool
  var isolation: Isolation
  /// The name of the result's type.
  var result: String
  var labels: [String] = []
  var parameters: [ParameterDeclaration] = []
  /// What a protocol asks for: it has no body here.
  var isRequirement = false
  var isMutating = false
  var isThrowing = false
}

struct SyntaxType: Sendable {
  var kind = TypeDeclaration.Kind.struct
  /// Whether the type itself, and not only an extension, is declared here.
  var isDeclared = false
  /// Declared in another module, and extended here: this module's default says nothing about it.
  var isForeign = false
  var attributes: [String] = []
  var modifiers: [String] = []
  /// What the declaration itself inherits from; extensions add to `conformances` only.
  var inherited: [String] = []
  var conformances: Set<String> = []
  var isolation: Isolation?
  /// Stored and computed members, with the name of their type when it is known.
  var members: [String: String] = [:]
  var computed: Set<String> = []
  var statics: Set<String> = []
  /// Members that a wrapper of this name keeps: `StateObject`, `State`.
  var wrappers: [String: String] = [:]
  /// Properties that a protocol asks for.
  var requirements: Set<String> = []
  /// What runs when a stored member is used, as its declaration says it.
  var runs: [String: [String]] = [:]
  /// Stored members whose initial value is made when somebody asks first.
  var lazies: Set<String> = []
  /// The results of its subscripts.
  var subscripts: [String] = []
  var methods: [String: [SyntaxFunction]] = [:]
  /// Methods that a subclass overrides.
  var overridden: Set<String> = []
  /// Requirements and methods that say their own isolation.
  var stated: [String: Isolation] = [:]
}

struct SyntaxModuleIndex: Sendable {
  let module: String
  /// The isolation of what says nothing.
  let fallback: Isolation
  /// Where a nonisolated async function runs: off every actor, or wherever its caller does.
  let asyncFallback: Isolation
  private(set) var types: [String: SyntaxType] = [:]
  private(set) var functions: [String: [SyntaxFunction]] = [:]
  private(set) var globals: [String: String] = [:]
  /// Globals whose initial value calls something.
  private(set) var initialised: Set<String> = []
  /// The file of the first function of each spelling: those of other files are told apart by theirs.
  private var owners: [String: String] = [:]
  private(set) var globalActors: Set<String> = ["MainActor"]
  /// Types of the modules that this one imports.
  private(set) var imported: [String: SyntaxType] = [:]

  init(module: String, fallback: Isolation, asyncFallback: Isolation) {
    self.module = module
    self.fallback = fallback
    self.asyncFallback = asyncFallback
  }

  func type(_ name: String) -> SyntaxType? { types[name] ?? imported[name] }

  static func lastName(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

  // MARK: Filling

  /// Notes the types of a file. All files come first, then `resolve`, then `addMembers` of each.
  mutating func addTypes(_ source: SourceFacts) {
    for declaration in source.types {
      var type = types[declaration.name] ?? SyntaxType()
      type.conformances.formUnion(declaration.inherited.map(\.name))
      if declaration.kind != .extension {
        type.kind = declaration.kind
        type.isDeclared = true
        type.attributes = declaration.attributes
        type.modifiers = declaration.modifiers
        type.inherited = declaration.inherited.map(\.name)
        if declaration.attributes.contains("globalActor") {
          globalActors.insert(SyntaxModuleIndex.lastName(declaration.name))
        }
      }
      types[declaration.name] = type
    }
  }

  mutating func add(imports: [SyntaxModuleIndex]) {
    for other in imports {
      globalActors.formUnion(other.globalActors)
      for (name, type) in other.types where type.isDeclared && !type.isForeign {
        if imported[name] == nil { imported[name] = type }
        guard var extended = types[name], !extended.isDeclared else { continue }
        extended.isDeclared = true
        extended.isForeign = true
        extended.kind = type.kind
        extended.attributes = type.attributes
        extended.modifiers = type.modifiers
        extended.inherited = type.inherited
        extended.conformances.formUnion(type.conformances)
        extended.isolation = type.isolation
        types[name] = extended
      }
    }
  }

  /// Takes over what is known of imported types and functions once their members are.
  mutating func refresh(_ imports: [SyntaxModuleIndex]) {
    for other in imports {
      for (name, type) in other.types where type.isDeclared && !type.isForeign {
        imported[name] = type
        guard var extended = types[name], extended.isForeign else { continue }
        extended.addMembers(of: type)
        types[name] = extended
      }
      for (name, found) in other.functions where functions[name] == nil { functions[name] = found }
      for (name, type) in other.globals where globals[name] == nil { globals[name] = type }
    }
  }

  /// Finds out where each type lives: itself, what it inherits from, or the module's default says so.
  mutating func resolve() {
    for name in Array(types.keys) {
      if types[name]?.isForeign == true { continue }
      let found = isolation(of: name, depth: 0)
      types[name]?.isolation = found
    }
  }

  /// Notes what each type's own members state, for those that conform or override.
  mutating func addStated(_ source: SourceFacts) {
    for container in source.types {
      for member in container.members {
        if let stated = stated(member.attributes, member.modifiers, isAsync: member.isAsync), stated.isActor {
          types[container.name]?.stated[member.name + member.labels] = stated
        }
      }
    }
  }

  mutating func addMembers(_ source: SourceFacts) {
    for container in source.types {
      for member in container.members { add(member, in: container, of: source.file) }
    }
    for member in source.members { add(member, in: nil, of: source.file) }
  }

  private mutating func add(_ member: MemberDeclaration, in container: TypeDeclaration?, of file: String) {
    let path = (container.map { $0.name + "." } ?? "") + member.name
    switch member.kind {
    case .function, .initializer: addFunction(member, in: container, of: file, display: path + member.labels)
    case .stored, .computed:
      note(path + ".getter", file)
      note(path + ".setter", file)
      guard let container else {
        globals[member.name] = member.type
        if member.runs.contains("initial") { initialised.insert(member.name) }
        return
      }
      types[container.name, default: SyntaxType()].members[member.name] = member.type
      if member.kind == .computed { types[container.name]?.computed.insert(member.name) }
      if member.isStatic { types[container.name]?.statics.insert(member.name) }
      if member.modifiers.contains("lazy") { types[container.name]?.lazies.insert(member.name) }
      if container.kind == .protocol { types[container.name]?.requirements.insert(member.name) }
      if let wrapper = member.attributes.first(where: { $0.first?.isUppercase == true }) {
        types[container.name]?.wrappers[member.name] = wrapper
      }
      if !member.runs.isEmpty { types[container.name]?.runs[member.name] = member.runs }
    case .subscripting:
      note(path + ".getter", file)
      if let container { types[container.name, default: SyntaxType()].subscripts.append(member.type) }
    case .deinitializer: break
    }
  }

  private mutating func addFunction(
    _ member: MemberDeclaration, in container: TypeDeclaration?, of file: String, display: String
  ) {
    let isRequirement = container?.kind == .protocol
    if !isRequirement { note(display, file) }
    let function = SyntaxFunction(
      key: key(display, in: file), display: display, file: file, isAsync: member.isAsync,
      isolation: isolation(of: member, in: container),
      result: member.kind == .initializer ? container?.name ?? "" : member.type,
      labels: member.labels.dropFirst().dropLast().split(separator: ":").map(String.init),
      parameters: member.parameters, isRequirement: isRequirement,
      isMutating: member.modifiers.contains("mutating"), isThrowing: member.isThrowing)
    guard let container else {
      functions[member.name, default: []].append(function)
      return
    }
    types[container.name, default: SyntaxType()].methods[member.name, default: []].append(function)
    if member.modifiers.contains("override") {
      for base in ancestors(of: container.name) { types[base]?.overridden.insert(member.name + member.labels) }
    }
  }

  /// The classes that a class inherits from, the nearest first.
  func ancestors(of name: String) -> [String] {
    var result: [String] = []
    var next = type(name)?.inherited.first
    while let base = next, let type = type(base), type.kind == .class, !result.contains(base), result.count < 16 {
      result.append(base)
      next = type.inherited.first
    }
    return result
  }

  private mutating func note(_ display: String, _ file: String) {
    if owners[display] == nil { owners[display] = file }
  }

  /// The key of a function. Two files may hold functions of one spelling: private ones, or those of several programs
  /// that are read as one module.
  func key(_ display: String, in file: String) -> String {
    guard let owner = owners[display], owner != file else { return key(display) }
    return "source:\(module).\(display) in \(file)"
  }

  func key(_ display: String) -> String { "source:\(module).\(display)" }

  /// The functions of a global's or a static member's initial value, which run when it is first asked for.
  func initialValueKey(_ path: String) -> String { key("variable initialization expression of " + path) }
}

extension SyntaxType {
  /// Members of the declaration, beside those of the extensions that are known.
  fileprivate mutating func addMembers(of other: SyntaxType) {
    members.merge(other.members) { own, _ in own }
    computed.formUnion(other.computed)
    statics.formUnion(other.statics)
    requirements.formUnion(other.requirements)
    runs.merge(other.runs) { own, _ in own }
    wrappers.merge(other.wrappers) { own, _ in own }
    subscripts += other.subscripts
    overridden.formUnion(other.overridden)
    stated.merge(other.stated) { own, _ in own }
    for (name, found) in other.methods { methods[name, default: []] += found }
  }
}
