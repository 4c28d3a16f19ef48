/// MS502: a type that shows nothing lives on the main actor and does slow work there.
import MainstayFindings

enum ServiceOnMain: Rule {
  static let documentation = RuleDocumentation(
    id: "service_on_main", code: "MS502", severity: .note,
    claim: "A type on the main actor holds no state that a screen shows, and reaches heavy or blocking calls.",
    exemptions: "Views, observable models and whatever they show; services without a heavy or blocking call.",
    fires: """
      @MainActor final class OrderStore {
        func load() throws -> [Order] { try JSONDecoder().decode([Order].self, from: Data(contentsOf: file)) }
      }
      """,
    silent: """
      struct OrderStore: Sendable {
        @concurrent func load() async throws -> [Order] { … }
      }
      """,
    fix: "Take the type off the main actor: nonisolated when it has no state, an actor when it has.",
    references: ["Documentation/Articles.md, 0.16 and 4.1"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for type in program.declarations.declared {
      guard let primary = type.primary, primary.kind != .protocol, primary.kind != .actor, !primary.isLocal,
        program.ownFiles.contains(primary.location.file), !isShown(type, program)
      else { continue }
      let functions = program.functions(ofType: primary.name, in: type.module).filter {
        program.functions[$0].isolation.isMain && program.isOwn(program.functions[$0])
          && !program.functions[$0].flags.contains(.isDeinitializer)
      }
      guard let (function, site) = firstSink(functions, program) else { continue }
      let facts = program.functions[function]
      findings.append(
        builder.finding(
          aboutType: type, subject: primary.name,
          message:
            "\(primary.name) is on the main actor, shows nothing, and reaches \(site.display): \(site.sink.reason)",
          action: "make it nonisolated, or an actor if it guards state, and await it from the screen's model",
          path: [
            PathStep(location: facts.location, text: "\(facts.display) runs on the main actor"),
            PathStep(location: site.location, text: "calls \(site.display): \(site.sink.reason)"),
          ], severity: nil, confidence: .medium))
    }
    return findings
  }

  private static func firstSink(_ functions: [Int], _ program: Program) -> (Int, SinkReach.Site)? {
    for function in functions where program.sinks.reachesSink(function) {
      // What a callback does is its maker's affair.
      if let site = program.sinks.sites(reachedBy: function).first(where: {
        program.sinks.isOwnWay(from: function, to: $0)
      }) {
        return (function, site)
      }
    }
    return nil
  }

  private static let shownProtocols: Set<String> = [
    "View", "ObservableObject", "Observable", "App", "Scene", "ViewModifier", "UIApplicationDelegate",
    "NSApplicationDelegate", "UISceneDelegate", "UIWindowSceneDelegate", "Widget",
  ]
  private static let shownBases = ["ViewController", "UIView", "NSView", "UICollectionViewCell", "UITableViewCell"]
  private static let shownNames = ["ViewModel", "View", "Screen", "Model", "Controller", "Presenter", "Cell", "Window"]

  /// Whether a screen shows it: a view, an observable model, or something named or used as one.
  static func isShown(_ type: DeclarationIndex.Entry, _ program: Program) -> Bool {
    guard let primary = type.primary else { return true }
    if primary.attributes.contains("Observable") || primary.attributes.contains("main")
      || primary.attributes.contains("Model")
    {
      return true
    }
    if !program.protocols(of: primary.name, in: type.module).isDisjoint(with: shownProtocols) { return true }
    if type.inherited.contains(where: { inherited in
      shownProtocols.contains(inherited.name) || shownBases.contains { inherited.name.hasSuffix($0) }
    }) {
      return true
    }
    let wrappers: Set<String> = ["Published", "State", "StateObject", "ObservedObject", "Binding", "IBOutlet"]
    if type.members.contains(where: { !wrappers.isDisjoint(with: $0.attributes) }) { return true }
    let name = primary.name.split(separator: ".").last.map(String.init) ?? ""
    if shownNames.contains(where: { name.hasSuffix($0) }) { return true }
    // What it keeps may be what the screen shows.
    return type.members.contains { member in
      guard member.kind == .stored else { return false }
      let held = member.type.prefix { $0 != "<" && $0 != "?" && $0 != "!" }
      return shownNames.contains { held.hasSuffix($0) } || shownBases.contains { held.hasSuffix($0) }
    }
  }
}
