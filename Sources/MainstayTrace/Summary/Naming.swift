import CMainstayTrace

/// The names and places of everything a summary speaks of, resolved in one go.
struct Naming {
  /// A function as a summary shows it.
  struct Name: Hashable {
    var function: String
    var path = ""
    var line = 0
    var resume: Int?
    /// "after await 2", or empty.
    var position = ""
    var key: String
    var isThunk = false
    /// A piece of an async function to which an awaited call returns.
    var isAwaitReturn = false
    /// A function of the standard library, of which programs have copies: `withCheckedContinuation`, `Clock.sleep`.
    var isLibrary = false

    var file: String { String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]) }
    var place: RunSummary.Place { RunSummary.Place(function: function, file: file, line: line, path: path) }
  }

  private var byAddress: [UInt64: Name] = [:]
  private var origins: [Int: Origin] = [:]
  private var mainOrigins: Set<Int> = []
  private var frames: [FrameKey: [ResolvedFrame]] = [:]

  private struct FrameKey: Hashable {
    var address: UInt64
    var kind: AddressKind
  }

  /// The functions at an address of a stack, what was inlined first.
  func stack(_ address: UInt64, _ kind: AddressKind) -> [ResolvedFrame] {
    frames[FrameKey(address: address, kind: kind)] ?? []
  }

  let globalActors: Set<String>
  let problems: [String]

  /// Where tasks were made, and the closure that they run.
  struct Origin {
    let site: RunSummary.Place
    let closure: String?
    /// The closure's mangled name.
    let key: String?
  }

  /// The names for one job: of its function, of where its task was made, and of its samples.
  init(_ recording: Recording, function: UInt64, origin: Int, stretch: UInt64) {
    self.init(
      recording, origins: [origin], functions: [function], samples: recording.samples.filter { $0.stretch == stretch })
  }

  init(_ recording: Recording, origins wanted: Set<Int>, waiting: Set<UInt64>) {
    self.init(
      recording, origins: wanted, functions: Set(recording.functions.map(\.address)).union(waiting).subtracting([0]),
      samples: recording.samples)
  }

  private init(_ recording: Recording, origins wanted: Set<Int>, functions: Set<UInt64>, samples: [Sample]) {
    let symbols = Symbols(
      modules: recording.modules, tool: SymbolizerTool.find(environment: Environment.variables))
    let checks = recording.failedCheck?.callers.map { ($0, AddressKind.returnAddress) } ?? []
    let stacks = samples.flatMap(\.addresses) + checks
    let asked = functions.sorted().map { ($0, AddressKind.exact) } + stacks
    for (address, found) in zip(asked, symbols.resolve(asked)) {
      switch address.1 {
      case .exact: byAddress[found.address] = Name(found)
      case .returnAddress: break
      }
      frames[FrameKey(address: address.0, kind: address.1)] = found.frames
    }
    let made = wanted.sorted().filter { recording.origins.indices.contains($0) && recording.origins[$0].key != 0 }
    let returns = made.map { index in
      let callers = recording.origins[index].callers
      return [callers.0, callers.1, callers.2].filter { $0 != 0 }
    }
    for (index, creation) in zip(made, symbols.creations(returns)) {
      guard let creation else { continue }
      let frame = creation.frame
      // The program's first task is made by what the compiler puts in front of an async main: nobody wrote that.
      guard frame.name.key != "main" else {
        mainOrigins.insert(index)
        continue
      }
      let site = Name(function: frame.name.display, path: frame.file ?? "", line: frame.line, key: frame.name.sourceKey)
      origins[index] = Origin(
        site: site.place, closure: creation.closure?.display, key: creation.closure?.sourceKey)
    }
    globalActors = Self.globalActors(of: recording)
    // What the system's libraries lack is nothing that the reader of a summary can change.
    problems = symbols.problems.filter { problem in
      switch problem {
      case .stripped(let path), .withoutLines(let path): path == recording.executable
      default: true
      }
    }.map(\.description)
  }

  subscript(address: UInt64) -> Name { byAddress[address] ?? Name(function: "unknown", key: "") }

  /// The function of a stretch. The first job of a `Task {}` enters through a thunk that many closures share: then the
  /// closure is known from where the task was made.
  func name(_ address: UInt64, origin: Int) -> Name {
    var name = self[address]
    if name.isThunk, mainOrigins.contains(origin) { name.function = "main" }
    guard name.isThunk, let made = origins[origin] else { return name }
    name.function = made.closure ?? "Task in \(made.site.function)"
    if let key = made.key { name.key = key }
    if name.line == 0 { (name.path, name.line) = (made.site.path, made.site.line) }
    return name
  }

  func origin(_ index: Int) -> Origin? { origins[index] }

  /// The names of the classes that are global actors, from the conformances that symbol tables name.
  private static func globalActors(of recording: Recording) -> Set<String> {
    let types = recording.file.elements(recording.header.executor_types, as: mainstay_executor_type.self)
    var found: Set<String> = []
    var byPath: [String: [String]] = [:]
    for type in types where type.ready != 0 && type.kind == MAINSTAY_EXECUTOR_ACTOR.rawValue {
      guard let path = recording.modules.path(near: type.metadata) else { continue }
      byPath[path, default: []].append(string(type.name))
    }
    for (path, names) in byPath {
      guard let image = try? ELFImage(path: path) else { continue }
      let conformances = image.symbols(withPrefix: "$s").filter { $0.name.hasSuffix("Cs11GlobalActorAAMc") }
      for name in names
      where conformances.contains(where: { $0.name.hasSuffix("\(name.utf8.count)\(name)Cs11GlobalActorAAMc") }) {
        found.insert(name)
      }
    }
    return found
  }
}

extension Naming.Name {
  init(_ address: ResolvedAddress) {
    // Of a thunk that the program's function was inlined into, the function.
    let physical = address.physical
    let frame = physical.name.isThunk ? address.frames.last { !$0.name.isThunk } ?? physical : physical
    self.init(function: frame.name.display, path: frame.file ?? "", line: frame.line, key: frame.name.key)
    isThunk = frame.name.isThunk
    isAwaitReturn = physical.name.resume?.kind == .awaitReturn
    isLibrary = ["Swift", "_Concurrency"].contains(frame.name.module)
    if let point = address.resumePoint {
      resume = point.awaitNumber ?? frame.name.resume?.ordinal
      position = point.label
      if point.line > 0 { (path, line) = (point.file ?? path, point.line) }
    } else if !isThunk, let ordinal = frame.name.resume?.ordinal {
      resume = ordinal
      position = "resume \(ordinal)"
    }
  }
}

extension ModuleMap {
  /// The image whose data an address is likely in: only code is listed, and data follows it.
  func path(near address: UInt64) -> String? { mappings.last { $0.start <= address }?.path }
}
