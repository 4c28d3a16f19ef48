/// Types by name, each with its declaration and its extensions, from every file that was read.
import MainstayFindings

struct DeclarationIndex {
  struct Entry {
    var module: String
    /// The declaration itself; nil for a type of another module that is only extended here.
    var primary: TypeDeclaration?
    var extensions: [TypeDeclaration] = []

    var all: [TypeDeclaration] { (primary.map { [$0] } ?? []) + extensions }
    var members: [MemberDeclaration] { all.flatMap(\.members) }
    var inherited: [TypeDeclaration.Inherited] { all.flatMap(\.inherited) }
    var attributes: [String] { primary?.attributes ?? [] }

    func inherits(_ name: String) -> Bool { all.contains { $0.inherits(name) != nil } }

    /// A stored member by its name.
    func stored(_ name: some StringProtocol) -> MemberDeclaration? {
      all.lazy.flatMap(\.members).first { $0.kind == .stored && $0.name == name }
    }
  }

  private var entries: [String: Entry] = [:]
  /// The modules that declare or extend a type of each name.
  private var modules: [String: [String]] = [:]
  let sources: [SourceFacts]
  /// Where types of one name in several modules belong.
  let namesakes: Namesakes

  init(_ sources: [SourceFacts]) {
    self.sources = sources.sorted { $0.file < $1.file }
    namesakes = Namesakes(self.sources)
    for source in self.sources {
      for type in source.types {
        let key = source.module + "." + type.name
        if entries[key] == nil { modules[type.name, default: []].append(source.module) }
        var entry = entries[key] ?? Entry(module: source.module)
        if type.kind == .extension {
          entry.extensions.append(type)
        } else if entry.primary == nil {
          entry.primary = type
        }
        entries[key] = entry
      }
    }
  }

  /// The types that are declared here, in the order of module and name.
  var declared: [Entry] {
    entries.filter { $0.value.primary != nil }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// A type by its name: the module's own, or that of the nearest module that it imports.
  func type(_ name: String, in module: String) -> Entry? {
    if let own = entries[module + "." + name], own.primary != nil { return own }
    if let home = namesakes.home(of: name, in: module) { return entries[home + "." + name] }
    let others = (modules[name] ?? []).compactMap { entries[$0 + "." + name] }
    return others.first { $0.primary != nil } ?? entries[module + "." + name]
  }
}

extension Program {
  /// The declaration of the type that a function belongs to.
  func type(of function: FunctionFacts) -> DeclarationIndex.Entry? {
    Program.enclosingType(function.display).flatMap { declarations.type($0, in: function.module) }
  }

  /// The declaration that a function stands for, by its place: the member whose name is there.
  func member(of function: FunctionFacts) -> MemberDeclaration? {
    guard !function.isClosure else { return nil }
    let name = Program.memberName(function.display)
    let members =
      type(of: function)?.members ?? declarations.sources.first { $0.file == function.location.file }?.members
    let named = (members ?? []).filter { $0.name == name && $0.location.file == function.location.file }
    return named.first { $0.location.line == function.location.line } ?? (named.count == 1 ? named[0] : nil)
  }

  /// `pay` for `Wallet.pay(_:)`, `total` for `Wallet.total.getter`.
  static func memberName(_ display: String) -> String {
    var name = Substring(display)
    if name.hasPrefix("static ") { name = name.dropFirst(7) }
    let parts = name.prefix { $0 != "(" && $0 != "<" }.split(separator: ".").map(String.init)
    guard let last = parts.last else { return "" }
    if Program.accessors.contains(last), parts.count > 1 { return parts[parts.count - 2] }
    return last
  }

  /// The functions of each type, by module and type name.
  func functions(ofType name: String, in module: String) -> [Int] { functionsByType[module + "." + name] ?? [] }
}
