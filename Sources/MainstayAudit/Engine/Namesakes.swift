/// Types of one name in several modules: which of them a module means by it.
///
/// Members, methods and requirements are named by their type without its module: `Client.fetch`, in either way of reading
/// code. Where two modules have a `Client`, what one keeps there is nobody's concern who calls the other's.
import MainstayFindings

struct Namesakes {
  /// The modules that declare a type of the name, for names that several declare.
  private var homes: [String: [String]] = [:]
  /// The first words of those names: most members begin with another.
  private var outermost: Set<Substring> = []
  /// What each module imports of those that are read.
  private var imports: [String: [String]] = [:]

  init(_ sources: [SourceFacts]) {
    var declaring: [String: Set<String>] = [:]
    var imported: [String: Set<String>] = [:]
    for source in sources {
      for type in source.types where type.kind != .extension { declaring[type.name, default: []].insert(source.module) }
      imported[source.module, default: []].formUnion(source.imports)
    }
    homes = declaring.filter { $0.value.count > 1 }.mapValues { $0.sorted() }
    guard !homes.isEmpty else { return }
    outermost = Set(homes.keys.map { $0.prefix { $0 != "." } })
    imports = imported.mapValues { names in names.filter { imported[$0] != nil }.sorted() }
  }

  var isEmpty: Bool { homes.isEmpty }

  /// The module whose type a shared name means: the module's own, or that of the nearest that it imports. Nil when the
  /// name is not shared, and when two are as near.
  func home(of name: String, in module: String) -> String? {
    guard let homes = homes[name] else { return nil }
    if homes.contains(module) { return module }
    var seen: Set<String> = [module]
    var level = [module]
    while !level.isEmpty {
      level = level.flatMap { imports[$0] ?? [] }.filter { seen.insert($0).inserted }
      let found = level.filter { homes.contains($0) }
      if !found.isEmpty { return found.count == 1 ? found[0] : nil }
    }
    return nil
  }

  /// A name with the module of its type before it when others have a type of that name: `App/Client.fetch`.
  ///
  /// - Parameter name: begins with a type, or with `#` and a type, as the keys of methods do.
  func key(_ name: String, in module: String) -> String {
    guard !homes.isEmpty else { return name }
    // Asked of every member that is touched anywhere: most are done with after their first word.
    let bytes = name.utf8.drop { $0 == UInt8(ascii: "#") }
    let word = bytes.prefix { !Namesakes.ends.contains($0) }
    guard outermost.contains(Substring(word)) else { return name }
    var type = Substring(bytes).prefix { $0 != ":" && $0 != "!" && $0 != "(" }
    while true {
      if homes[String(type)] != nil { return home(of: String(type), in: module).map { "\($0)/\(name)" } ?? name }
      guard let dot = type.lastIndex(of: ".") else { return name }
      type = type[..<dot]
    }
  }

  /// What a type's first word ends with in such a name.
  private static let ends = Array(".:!(".utf8)

  /// The keys to put something under: with its module, for those who know it, and without, for those who cannot.
  func keys(_ name: String, in module: String) -> [String] {
    let key = key(name, in: module)
    return key == name ? [name] : [key, name]
  }

  /// The function with every member and requirement that it calls under its key.
  func keyed(_ function: FunctionFacts) -> FunctionFacts {
    var function = function
    for index in function.events.indices {
      guard case .call(var call) = function.events[index].kind else { continue }
      let callee: Callee
      switch call.callee {
      case .method(let name): callee = .method(key(name, in: function.module))
      case .witness(let name): callee = .witness(key(name, in: function.module))
      case .member(let name): callee = .member(key(name, in: function.module))
      case .function, .parameter, .unknown: continue
      }
      guard callee != call.callee else { continue }
      call.callee = callee
      function.events[index].kind = .call(call)
    }
    return function
  }
}
