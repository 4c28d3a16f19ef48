/// The architecture that isolation draws: domains by layer, their types, and the awaits that cross from one to another.
import MainstayFindings

public struct ArchitectureMap: Sendable, Hashable {
  public enum Layer: String, Sendable, Hashable, CaseIterable {
    /// What the main actor protects: what the screen shows.
    case ui
    /// What a global actor or an actor protects: a rule.
    case domain
    /// What needs no protection: slow work without state of its own.
    case infrastructure
  }

  public struct Domain: Sendable, Hashable {
    /// The actor's name; `nonisolated` for what belongs to none.
    public var name: String
    /// `mainActor`, `globalActor`, `actor` or `none`.
    public var kind: String
    public var layer: Layer
    public var types: [String]
    public var functions: Int
  }

  public struct Crossing: Sendable, Hashable {
    public var from: String
    public var to: String
    public var sites: [Site]
    public var count: Int { sites.count }
  }

  /// One call that leaves its domain.
  public struct Site: Sendable, Hashable {
    public var function: String
    public var callee: String
    public var location: SourceLocation
  }

  public var domains: [Domain]
  public var crossings: [Crossing]

  static let none = "nonisolated"

  init(domains: [Domain], crossings: [Crossing]) {
    self.domains = domains
    self.crossings = crossings
  }

  init(_ program: Program, relative: (String) -> String) {
    var reader = MapReader(program)
    reader.read()
    domains = reader.domains
    crossings = reader.crossings(relative)
  }
}

private struct MapReader {
  private let program: Program
  private(set) var domains: [ArchitectureMap.Domain] = []
  private var found: [String: [String: [ArchitectureMap.Site]]] = [:]

  init(_ program: Program) { self.program = program }

  mutating func read() {
    var types: [String: Set<String>] = [:]
    var counts: [String: Int] = [:]
    var kinds: [String: String] = [:]
    for function in program.functions where program.isOwn(function) && !function.flags.contains(.isImplicit) {
      guard let (name, kind) = domain(of: function) else { continue }
      kinds[name] = kind
      if !function.isClosure, !function.display.hasPrefix("variable initialization") { counts[name, default: 0] += 1 }
    }
    for type in program.declarations.declared {
      guard let primary = type.primary, program.ownFiles.contains(primary.location.file), !primary.isLocal,
        primary.kind != .protocol, let (name, kind) = home(of: type)
      else { continue }
      kinds[name] = kind
      // A global actor is the room, not one of those who are in it.
      if !primary.attributes.contains("globalActor") { types[name, default: []].insert(primary.name) }
    }
    domains = kinds.map { name, kind in
      ArchitectureMap.Domain(
        name: name, kind: kind, layer: layer(kind), types: (types[name] ?? []).sorted(), functions: counts[name] ?? 0)
    }
    let order = ArchitectureMap.Layer.allCases
    domains.sort {
      (order.firstIndex(of: $0.layer) ?? 0, $0.name) < (order.firstIndex(of: $1.layer) ?? 0, $1.name)
    }
    for function in program.functions where program.isOwn(function) { readCrossings(function) }
  }

  private func layer(_ kind: String) -> ArchitectureMap.Layer {
    switch kind {
    case "mainActor": .ui
    case "none": .infrastructure
    default: .domain
    }
  }

  private func domain(of isolation: Isolation, _ display: String) -> (String, String)? {
    switch isolation {
    case .globalActor("MainActor"): ("MainActor", "mainActor")
    case .globalActor(let name): (name, "globalActor")
    case .selfActor: Program.enclosingType(display).map { ($0, "actor") }
    case .nonisolated, .unknown, .caller: (ArchitectureMap.none, "none")
    case .parameter: nil
    }
  }

  private func domain(of function: FunctionFacts) -> (String, String)? {
    // What a closure inherits, its function says.
    domain(of: function.isolation, function.display)
  }

  /// The domain that a type lives in: what it says itself, or where most of its functions run.
  private func home(of type: DeclarationIndex.Entry) -> (String, String)? {
    guard let primary = type.primary else { return nil }
    if primary.kind == .actor {
      return primary.attributes.contains("globalActor") ? (primary.name, "globalActor") : (primary.name, "actor")
    }
    for attribute in primary.attributes where program.globalActors.contains(attribute) {
      return attribute == "MainActor" ? ("MainActor", "mainActor") : (attribute, "globalActor")
    }
    if primary.modifiers.contains("nonisolated") { return (ArchitectureMap.none, "none") }
    var votes: [String: (count: Int, kind: String)] = [:]
    for index in program.functions(ofType: primary.name, in: type.module) {
      let function = program.functions[index]
      guard program.isOwn(function), !function.isClosure, let (name, kind) = domain(of: function) else { continue }
      votes[name, default: (0, kind)].count += 1
    }
    let best = votes.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    if let best { return (best.key, best.value.kind) }
    return program.defaultIsolation[type.module] == "MainActor"
      ? ("MainActor", "mainActor") : (ArchitectureMap.none, "none")
  }

  private mutating func readCrossings(_ function: FunctionFacts) {
    guard let (from, _) = domain(of: function), function.isolation != .caller else { return }
    for event in function.events {
      guard case .call(let call) = event.kind, call.suspends else { continue }
      for target in program.ownTargets(of: call) {
        let callee = program.functions[target]
        guard callee.isolation != .caller, let (to, _) = domain(of: callee), to != from else { continue }
        found[from, default: [:]][to, default: []].append(
          ArchitectureMap.Site(function: function.display, callee: callee.display, location: event.location))
        break
      }
    }
  }

  func crossings(_ relative: (String) -> String) -> [ArchitectureMap.Crossing] {
    found.sorted { $0.key < $1.key }.flatMap { from, targets in
      targets.sorted { $0.key < $1.key }.map { to, sites in
        ArchitectureMap.Crossing(
          from: from, to: to,
          sites: sites.sorted { ($0.location, $0.callee) < ($1.location, $1.callee) }.map { site in
            var site = site
            site.location.file = relative(site.location.file)
            return site
          })
      }
    }
  }
}
