/// MS501: a global actor that protects no rule which could be named.
import MainstayFindings

enum CatchAllActor: Rule {
  static let documentation = RuleDocumentation(
    id: "catch_all_actor", code: "MS501", severity: .note,
    claim:
      "A global actor is named after a layer or a helper, holds types that have nothing to do with one another, serves "
      + "one object, or states no rule.",
    exemptions: "An actor named after its domain, with the rule it protects stated above it.",
    fires: """
      @globalActor actor NetworkActor { static let shared = NetworkActor() }
      """,
    silent: """
      /// Balances and the ledger change together, one transfer at a time.
      @globalActor actor WalletActor { static let shared = WalletActor() }
      """,
    fix:
      "Name the rule that must hold between its types; if there is none, use a plain actor for each object, or none.",
    references: ["Documentation/Articles.md, 4.10"])

  private static let layers = [
    "network", "networking", "app", "application", "helper", "helpers", "util", "utils", "utility", "background",
    "worker", "service", "services", "manager", "data", "database", "storage", "persistence", "api", "io", "core",
    "common", "shared", "global", "default", "general", "backend", "business", "domain", "model", "repository",
    "processing", "computation", "async", "concurrency", "serial", "thread",
  ]

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    return program.declarations.declared.compactMap { type in
      guard let primary = type.primary, primary.attributes.contains("globalActor") else { return nil }
      let name = primary.name.split(separator: ".").last.map(String.init) ?? primary.name
      let members = program.types(isolatedTo: name, of: type.module)
      guard let (problem, action, step) = problem(name, primary, in: type.module, members, program) else { return nil }
      return builder.finding(
        aboutType: type, subject: primary.name, message: problem, action: action,
        path: [PathStep(location: primary.location, text: step)], severity: nil, confidence: .medium)
    }
  }

  private static func problem(
    _ name: String, _ type: TypeDeclaration, in module: String, _ members: [String], _ program: Program
  ) -> (message: String, action: String, step: String)? {
    let held = members.isEmpty ? "no type uses it" : "it isolates \(members.joined(separator: ", "))"
    let stem = name.hasSuffix("Actor") ? String(name.dropLast(5)) : name
    if layers.contains(stem.lowercased()) {
      return (
        "\(name) is named after a layer or a helper, not after a rule",
        "name the rule it protects, or give each object an actor of its own", held
      )
    }
    // What other modules put into the domain, its own module did not design: doubles, trials, examples.
    let own = members.filter { program.declarations.type($0, in: module)?.module == module }
    let groups = unrelated(members, program).filter { group in own.isEmpty || group.contains { own.contains($0) } }
    if groups.count > 1 {
      let spelled = groups.map { $0.joined(separator: " and ") }.joined(separator: "; ")
      return (
        "\(name) holds types that have nothing to do with one another: \(spelled)",
        "give each group an actor of its own, so that one does not wait for the other", held
      )
    }
    if members.count == 1 {
      return (
        "\(name) serves \(members[0]) alone", "make \(members[0]) an actor: it protects its own state", held
      )
    }
    if !StatedInvariant.isOne(type.comment) {
      return (
        "\(name) does not say which rule it protects", "state above it what must not change in between", held
      )
    }
    return nil
  }

  /// The groups of types that mention or call one another.
  private static func unrelated(_ types: [String], _ program: Program) -> [[String]] {
    var group = Array(types.indices)
    func root(_ index: Int) -> Int {
      var at = index
      while group[at] != at { at = group[at] }
      return at
    }
    for (index, type) in types.enumerated() {
      let mentions = program.mentions(ofType: type)
      for (other, name) in types.enumerated() where other != index {
        let short = name.split(separator: ".").last.map(String.init) ?? name
        if mentions.contains(short) { group[root(index)] = root(other) }
      }
    }
    var members: [Int: [String]] = [:]
    for (index, type) in types.enumerated() { members[root(index), default: []].append(type) }
    return members.values.sorted { $0[0] < $1[0] }
  }
}
