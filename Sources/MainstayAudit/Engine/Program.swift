/// All facts of what is analysed, indexed for questions: who is called, who calls, what conforms to what.
import MainstayFindings

/// Says why a function has its isolation: an attribute, a protocol, the enclosing type, the module's default.
protocol IsolationReasons {
  func reason(for function: FunctionFacts, default isolation: String?) -> String?
  /// Whether the declaration itself carries an attribute.
  func hasAttribute(_ name: String, on function: FunctionFacts) -> Bool
}

final class Program {
  let functions: [FunctionFacts]
  /// Source files whose code is the user's own.
  let ownFiles: Set<String>
  /// `-default-isolation` of each module that sets it.
  let defaultIsolation: [String: String]
  let configuration: Configuration
  private let index: [String: Int]
  private let methods: [String: [Int]]
  private let witnesses: [String: [Int]]
  /// The functions that a stored member may hold.
  private var kept: [String: [Int]] = [:]
  private let conformances: [String: Set<String>]
  /// The functions that make a closure, with the event that passes it on.
  private(set) var creators: [Int: [(function: Int, event: Int)]] = [:]
  private(set) var callers: [Int: [(function: Int, event: Int)]] = [:]
  /// Members that some function other than an initialiser writes.
  private var writtenMembers: Set<String> = []
  /// Where isolation comes from, when sources can be read.
  var reasons: (any IsolationReasons)?
  lazy var effects = EffectSummaries(self)
  lazy var locks = LockLikeFunctions(self)
  lazy var sinks = SinkReach(self)
  lazy var units = UnitsOfWork(self)
  lazy var layout = ViewLayout(self)
  lazy var start = ProgramStart(self)
  lazy var bound = BoundState(self)
  /// What comments pin to declarations elsewhere, and how those stand.
  var contracts: [Contract] = []
  /// Types, members and silencers, as the sources declare them.
  let declarations: DeclarationIndex
  private let imported: [String: Isolation]

  init(
    files: [FileFacts], ownFiles: Set<String>, defaultIsolation: [String: String], configuration: Configuration
  ) {
    self.ownFiles = ownFiles
    self.defaultIsolation = defaultIsolation
    self.configuration = configuration
    declarations = DeclarationIndex(files.compactMap(\.declared))
    var known: [String: FunctionFacts] = [:]
    var imported: [String: Isolation] = [:]
    for file in files {
      for function in file.functions {
        // Foreign bodies that the compiler copied in are not the user's: they stay outside.
        if !function.location.file.isEmpty, !ownFiles.contains(function.location.file) { continue }
        if let other = known[function.name] {
          if other.location <= function.location { continue }
        }
        known[function.name] = function
      }
      for function in file.imported where imported[function.name] == nil {
        imported[function.name] = function.isolation
      }
    }
    self.imported = imported
    let namesakes = declarations.namesakes
    // Numbers are sorted: functions are large.
    let found = Array(known.values)
    functions = found.indices.sorted {
      (found[$0].module, found[$0].location, found[$0].name) < (found[$1].module, found[$1].location, found[$1].name)
    }.map { namesakes.isEmpty ? found[$0] : namesakes.keyed(found[$0]) }
    var index: [String: Int] = [:]
    index.reserveCapacity(functions.count)
    for (position, function) in functions.enumerated() { index[function.name] = position }
    self.index = index
    var methods: [String: Set<Int>] = [:]
    var witnesses: [String: Set<Int>] = [:]
    var conformances: [String: Set<String>] = [:]
    for file in files {
      let module = file.declared?.module ?? file.functions.first?.module ?? ""
      for entry in file.methods {
        guard let target = index[entry.function] else { continue }
        for key in namesakes.keys(entry.key, in: module) {
          methods[key, default: []].insert(target)
          methods[Program.member(ofKey: key), default: []].insert(target)
        }
      }
      for entry in file.witnesses {
        guard let target = index[entry.function] else { continue }
        for key in namesakes.keys(entry.key, in: module) {
          witnesses[key, default: []].insert(target)
          witnesses[Program.member(ofKey: key), default: []].insert(target)
        }
      }
      for type in file.types {
        for key in namesakes.keys(type.name, in: type.module) {
          conformances[key, default: []].formUnion(type.conformances)
        }
      }
    }
    self.methods = methods.mapValues { $0.sorted() }
    self.witnesses = witnesses.mapValues { $0.sorted() }
    self.conformances = conformances
    kept = KeptFunctions(functions, index: index, namesakes) { [unowned self] in targets(of: $0) }.byMember
    indexUses()
  }

  private static func member(ofKey key: String) -> String { String(key.prefix { $0 != ":" }) }

  private func indexUses() {
    for (position, function) in functions.enumerated() {
      for (number, event) in function.events.enumerated() {
        switch event.kind {
        case .call(let call):
          for target in targets(of: call) { callers[target, default: []].append((position, number)) }
          for argument in call.arguments {
            for closure in argument.closure {
              if let target = index[closure.function] { creators[target, default: []].append((position, number)) }
            }
          }
        case .write(let write):
          if !function.flags.contains(.isInitializer) {
            writtenMembers.formUnion(declarations.namesakes.keys(write.place.member, in: function.module))
          }
        default: break
        }
      }
    }
  }

  func function(named name: String) -> Int? { index[name] }

  /// Where a function of another module runs, as this one sees it.
  func importedIsolation(of name: String) -> Isolation? { imported[name] }

  /// The functions of each type, by `module.type`.
  private(set) lazy var functionsByType: [String: [Int]] = {
    var result: [String: [Int]] = [:]
    for (position, function) in functions.enumerated() {
      guard let type = Program.enclosingType(function.display) else { continue }
      result[function.module + "." + type, default: []].append(position)
    }
    return result
  }()

  /// The closures directly in a function, by the module and the function's spelling.
  private lazy var closuresByFunction: [String: [Int]] = {
    var result: [String: [Int]] = [:]
    for (position, function) in functions.enumerated() where function.isClosure {
      guard let around = InnerFunction.around(function.display) else { continue }
      result[function.module + " " + around, default: []].append(position)
    }
    return result
  }()

  private lazy var membersByClosure: [String: [String]] = {
    var result: [String: [String]] = [:]
    for function in functions {
      for kept in function.keptClosures {
        if case .closure(let name) = kept.origin { result[name, default: []].append(kept.member) }
      }
    }
    return result
  }()

  /// The members that a closure is put into where it is made.
  func keepers(of closure: String) -> [String] { membersByClosure[closure] ?? [] }

  func closures(in function: Int) -> [Int] {
    closuresByFunction[functions[function].module + " " + functions[function].display] ?? []
  }

  /// The functions that touch each member, by its key.
  private lazy var memberAccesses: [String: [Int]] = {
    var result: [String: [Int]] = [:]
    for (position, function) in functions.enumerated() {
      for event in function.events {
        let place: Place
        switch event.kind {
        case .read(let read): place = read
        case .write(let write): place = write.place
        default: continue
        }
        // `Box.value.count` touches `Box.value`, too.
        var member = Substring(declarations.namesakes.key(place.member, in: function.module))
        while !member.isEmpty {
          if result[String(member)]?.last != position { result[String(member), default: []].append(position) }
          guard let dot = member.lastIndex(of: ".") else { break }
          member = member[..<dot]
        }
      }
    }
    return result
  }()

  /// The functions that fulfil a protocol's requirement.
  private(set) lazy var witnessTargets: Set<Int> = {
    var result: Set<Int> = []
    for targets in witnesses.values { for target in targets { result.formUnion(unwrapped(target)) } }
    return result
  }()

  private(set) lazy var sourceModules: Set<String> = Set(functions.lazy.filter { $0.source == .syntax }.map(\.module))

  /// Global actors that are declared here, and the one that every program has.
  private(set) lazy var globalActors: Set<String> = {
    var names: Set<String> = ["MainActor"]
    for type in declarations.declared where type.attributes.contains("globalActor") {
      if let name = type.primary?.name { names.insert(name) }
    }
    return names
  }()

  /// The functions that read or write a member, by the member's full name, as one of its type's module says it.
  func accessors(ofMember name: String, in module: String) -> [Int] {
    memberAccesses[declarations.namesakes.key(name, in: module)] ?? []
  }

  /// Whether a member can be another one later: some function other than an initialiser writes it, or it has a setter.
  func isChangeable(_ member: String, in module: String) -> Bool {
    let key = declarations.namesakes.key(member, in: module)
    return writtenMembers.contains(key) || displays.contains(key + ".setter")
  }

  private lazy var displays: Set<String> = Set(
    functions.flatMap { declarations.namesakes.keys($0.display, in: $0.module) })

  /// The functions with a body here that a call may run.
  func targets(of call: Call) -> [Int] {
    switch call.callee {
    case .function(let name): index[name].map { [$0] } ?? []
    case .method(let key): methods[key] ?? methods[Program.member(ofKey: key)] ?? []
    case .witness(let key): witnesses[key] ?? witnesses[Program.member(ofKey: key)] ?? []
    case .member(let name): kept[name] ?? []
    case .parameter, .unknown: []
    }
  }

  /// The functions of those that a person wrote here: not what the compiler copied from elsewhere.
  func ownTargets(of call: Call) -> [Int] {
    targets(of: call).flatMap { unwrapped($0) }.filter { isOwn(functions[$0]) }
  }

  /// A thunk only forwards: what it forwards to is what a person wrote.
  func unwrapped(_ target: Int) -> [Int] {
    var result: [Int] = []
    var work = [target]
    var seen: Set<Int> = []
    while let next = work.popLast(), seen.count < 16 {
      guard seen.insert(next).inserted else { continue }
      let function = functions[next]
      guard function.flags.contains(.isThunk) else {
        result.append(next)
        continue
      }
      for event in function.events {
        if case .call(let call) = event.kind { work += targets(of: call) }
      }
    }
    return result.sorted()
  }

  /// What a type conforms to, as the module that names it sees it.
  func protocols(of type: String, in module: String) -> Set<String> {
    conformances[declarations.namesakes.key(type, in: module)] ?? []
  }

  /// Whether a person wrote it, in code that is analysed.
  func isOwn(_ function: FunctionFacts) -> Bool {
    !function.flags.contains(.isThunk) && ownFiles.contains(function.location.file)
  }

  /// How the functions of a property or a subscript are spelled behind its name.
  static let accessors: Set<String> = [
    "getter", "setter", "modify", "modify2", "read", "read2", "willset", "didset", "unsafeAddressor",
    "unsafeMutableAddressor",
  ]

  /// The type that a function belongs to, from its spelling: `Form` for `closure #1 in Form.tap()`.
  static func enclosingType(_ display: String) -> String? {
    var name = InnerFunction.outer(display, through: .any)
    if name.hasPrefix("static ") { name = name.dropFirst(7) }
    for prefix in ["variable initialization expression of ", "property wrapper backing initializer of "]
    where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count)
    }
    if name.hasPrefix("static ") { name = name.dropFirst(7) }
    let base = name.prefix { $0 != "(" && $0 != "<" }
    let parts = base.split(separator: ".")
    guard parts.count > 1 else { return nil }
    var type = Array(parts.dropLast())
    if let last = parts.last, accessors.contains(String(last)), type.count > 1 {
      type.removeLast()
    }
    return type.map(String.init).joined(separator: ".")
  }
}
