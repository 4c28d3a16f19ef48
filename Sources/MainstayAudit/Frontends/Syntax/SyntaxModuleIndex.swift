/// What a module's sources declare, before any body is read: types, functions, and where each of them runs.
import MainstayFindings

/// One function as its declaration says it.
struct SyntaxFunction: Sendable {
  var key: String
  var display: String
  var isAsync: Bool
  var isolation: Isolation
  /// The name of the result's type.
  var result: String
}

struct SyntaxType: Sendable {
  var kind = TypeDeclaration.Kind.struct
  /// Whether the type itself, and not only an extension, is declared here.
  var isDeclared = false
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
  var methods: [String: [SyntaxFunction]] = [:]
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
  private(set) var globalActors: Set<String> = ["MainActor"]
  /// Types of the modules that this one imports.
  private(set) var imported: [String: SyntaxType] = [:]

  init(module: String, fallback: Isolation, asyncFallback: Isolation) {
    self.module = module
    self.fallback = fallback
    self.asyncFallback = asyncFallback
  }

  func type(_ name: String) -> SyntaxType? { types[name] ?? imported[name] }

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
        if declaration.attributes.contains("globalActor") { globalActors.insert(lastName(declaration.name)) }
      }
      types[declaration.name] = type
    }
  }

  mutating func add(imports: [SyntaxModuleIndex]) {
    for other in imports {
      globalActors.formUnion(other.globalActors)
      for (name, type) in other.types where type.isDeclared && imported[name] == nil { imported[name] = type }
    }
  }

  /// Takes over what is known of imported types once their members are.
  mutating func refresh(_ imports: [SyntaxModuleIndex]) {
    for other in imports {
      for (name, type) in other.types where type.isDeclared { imported[name] = type }
    }
  }

  /// Finds out where each type lives: itself, what it inherits from, or the module's default says so.
  mutating func resolve() {
    for name in Array(types.keys) {
      let found = isolation(of: name, depth: 0)
      types[name]?.isolation = found
    }
  }

  private func lastName(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

  static let mainActorNames: Set<String> = [
    "View", "App", "Scene", "ViewModifier", "Commands", "ButtonStyle", "PrimitiveButtonStyle", "ToggleStyle",
    "LabelStyle", "PreviewProvider", "Widget", "UIViewRepresentable", "UIViewControllerRepresentable",
    "NSViewRepresentable", "NSViewControllerRepresentable", "UIApplicationDelegate", "UIWindowSceneDelegate",
    "UISceneDelegate", "NSApplicationDelegate", "NSWindowDelegate", "UIViewController", "UINavigationController",
    "UITabBarController", "UITableViewController", "UICollectionViewController", "UIHostingController", "UIView",
    "UIControl", "UIButton", "UILabel", "UITableViewCell", "UICollectionViewCell", "UIWindow", "UIResponder",
    "NSViewController", "NSView", "NSWindow", "NSWindowController", "NSResponder", "NSControl", "UITableViewDelegate",
    "UITableViewDataSource", "UICollectionViewDelegate", "UICollectionViewDataSource", "UITextFieldDelegate",
    "UIScrollViewDelegate", "UIGestureRecognizer",
  ]

  private func isolation(of name: String, depth: Int) -> Isolation? {
    guard let type = type(name), depth < 16 else { return nil }
    if type.kind == .actor { return .selfActor }
    if let stated = stated(type.attributes, type.modifiers, isAsync: false) { return stated }
    guard type.isDeclared else { return nil }
    for base in type.inherited {
      if SyntaxModuleIndex.mainActorNames.contains(lastName(base)), self.type(base) == nil { return .mainActor }
      guard self.type(base) != nil else { continue }
      if case .globalActor(let actor)? = isolation(of: base, depth: depth + 1), !isDefault(base, actor) {
        return .globalActor(actor)
      }
    }
    guard fallback.isActor, types[name] != nil, type.kind != .protocol || !type.inherited.contains("Sendable") else {
      return nil
    }
    // What must be usable anywhere is left alone by the default.
    if type.inherited.contains(where: { leavesAlone($0, depth: 0) }) { return .nonisolated }
    return fallback
  }

  /// An inherited type whose isolation is only the default of its module passes nothing on to a protocol's conformer.
  private func isDefault(_ name: String, _ actor: String) -> Bool {
    guard let type = type(name), type.kind == .protocol else { return false }
    return stated(type.attributes, type.modifiers, isAsync: false) == nil
      && !type.inherited.contains { SyntaxModuleIndex.mainActorNames.contains(lastName($0)) }
      && !type.inherited.contains { self.type($0)?.attributes.contains(actor) == true }
  }

  private func leavesAlone(_ name: String, depth: Int) -> Bool {
    if ["CodingKey", "SendableMetatype"].contains(name) { return true }
    guard depth < 8, let type = type(name), type.kind == .protocol else { return false }
    return type.inherited.contains { $0 == "Sendable" || leavesAlone($0, depth: depth + 1) }
  }

  /// The isolation that attributes and modifiers state, or nil when they say nothing.
  func stated(_ attributes: [String], _ modifiers: [String], isAsync: Bool) -> Isolation? {
    if attributes.contains("concurrent") { return .nonisolated }
    if modifiers.contains("nonisolated(nonsending)") { return isAsync ? .caller : .nonisolated }
    if modifiers.contains(where: { $0.hasPrefix("nonisolated") }) { return isAsync ? asyncFallback : .nonisolated }
    for name in attributes {
      let last = lastName(name)
      if globalActors.contains(last) { return .globalActor(last) }
      // Declared in a package that is not read here.
      if last.hasSuffix("Actor"), last.count > 5, type(last) == nil { return .globalActor(last) }
    }
    return nil
  }

  /// Where a member, or a declaration at the top of a file, runs.
  ///
  /// - Parameters:
  ///   - container: the declaration that holds it: a type or one of its extensions.
  func isolation(of member: MemberDeclaration, in container: TypeDeclaration?) -> Isolation {
    if let parameter = member.isolatedParameter { return parameter == "?" ? .caller : .parameter(parameter) }
    if member.kind == .deinitializer {
      return member.modifiers.contains("isolated")
        ? container.flatMap { type($0.name)?.isolation } ?? .nonisolated : .nonisolated
    }
    if let stated = stated(member.attributes, member.modifiers, isAsync: member.isAsync) { return stated }
    let plain: Isolation = member.isAsync ? asyncFallback : .nonisolated
    guard let container else { return fallback.isActor ? fallback : plain }
    if let inherited = requirement(member, of: container) { return inherited }
    if container.kind == .extension,
      let stated = stated(container.attributes, container.modifiers, isAsync: member.isAsync)
    {
      return stated
    }
    switch type(container.name)?.isolation {
    case .selfActor?:
      // An actor's synchronous initialiser and its static members run on whoever calls them.
      if member.isStatic { return plain }
      return member.kind == .initializer && !member.isAsync ? .nonisolated : .selfActor
    case .nonisolated?: return plain
    case let isolation?: return isolation
    case nil: break
    }
    if type(container.name)?.isDeclared != true, fallback.isActor, container.kind == .extension { return fallback }
    if container.name == "Actor" { return .selfActor }
    return fallback.isActor && type(container.name)?.isolation == nil && types[container.name] == nil ? fallback : plain
  }

  /// The isolation that a protocol's requirement or an overridden method states, when this declaration conforms.
  private func requirement(_ member: MemberDeclaration, of container: TypeDeclaration) -> Isolation? {
    let key = member.name + member.labels
    for base in container.inherited {
      guard let type = type(base.name) else { continue }
      if let stated = type.stated[key], type.kind == .protocol || member.modifiers.contains("override") {
        return stated
      }
    }
    return nil
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
    for container in source.types where container.kind != .protocol || !container.members.isEmpty {
      for member in container.members { add(member, in: container) }
    }
    for member in source.members { add(member, in: nil) }
  }

  private mutating func add(_ member: MemberDeclaration, in container: TypeDeclaration?) {
    switch member.kind {
    case .function, .initializer:
      let display = (container.map { $0.name + "." } ?? "") + member.name + member.labels
      let function = SyntaxFunction(
        key: key(display), display: display, isAsync: member.isAsync, isolation: isolation(of: member, in: container),
        result: member.kind == .initializer ? container?.name ?? "" : member.type)
      if let container {
        types[container.name, default: SyntaxType()].methods[member.name, default: []].append(function)
      } else {
        functions[member.name, default: []].append(function)
      }
    case .stored, .computed:
      guard let container else {
        globals[member.name] = member.type
        return
      }
      types[container.name, default: SyntaxType()].members[member.name] = member.type
      if member.kind == .computed { types[container.name]?.computed.insert(member.name) }
      if member.isStatic { types[container.name]?.statics.insert(member.name) }
    case .deinitializer, .subscripting: break
    }
  }

  func key(_ display: String) -> String { "source:\(module).\(display)" }

  // MARK: Looking up

  /// A type's name without what surrounds it: `Feed` for `(any Feed)?`.
  static func bare(_ name: String) -> String {
    var text = Substring(name)
    while let first = text.first, first == "(" || first == " " { text = text.dropFirst() }
    for prefix in ["any ", "some ", "inout ", "borrowing ", "consuming ", "isolated ", "sending ", "@escaping "]
    where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    return String(text.prefix { !"<?!) ".contains($0) })
  }

  /// The functions that a name means on a type: its own, or those of what it inherits from.
  func methods(_ name: String, of typeName: String, depth: Int = 0) -> [SyntaxFunction] {
    guard let type = type(typeName), depth < 8 else { return [] }
    if let own = type.methods[name], type.kind != .protocol { return own }
    for base in type.conformances.sorted() {
      let found = methods(name, of: base, depth: depth + 1)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// A protocol's requirement by its name: whoever conforms may answer.
  func isRequirement(_ name: String, of typeName: String) -> Bool {
    guard let type = type(typeName), type.kind == .protocol else { return false }
    return type.methods[name] != nil || type.stated.keys.contains { $0.hasPrefix(name + "(") }
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
