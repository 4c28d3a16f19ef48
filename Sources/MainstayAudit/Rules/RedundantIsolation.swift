/// MS504: an attribute says what the module's default says already.
import MainstayFindings

enum RedundantIsolation: Rule {
  static let documentation = RuleDocumentation(
    id: "redundant_isolation", code: "MS504", severity: .note,
    claim: "An explicit @MainActor repeats what the module's default isolation, or the type around it, gives anyway.",
    exemptions: "Modules without that default, and members of types that are isolated otherwise.",
    fires: """
      // in a module with .defaultIsolation(MainActor.self)
      @MainActor final class SearchModel { … }
      """,
    silent: """
      final class SearchModel { … }
      nonisolated struct Parser { @MainActor func show() { … } }
      """,
    fix: "Take the attribute away: 'mainstay audit --fix' does, and proves that no function's isolation changed.",
    references: ["Swift Evolution SE-0466", "Documentation/Articles.md, 1.6"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for source in program.declarations.sources where program.ownFiles.contains(source.file) {
      let isDefault = program.defaultIsolation[source.module] == "MainActor"
      for type in source.types where !type.isLocal {
        if isDefault, isRedundant(type, in: source.module, program) {
          findings.append(
            finding(builder, type.name, source, type.location, "the module's default isolation is the main actor"))
        }
        guard let why = contextGives(type, in: source.module, isDefault, program) else { continue }
        for member in type.members where member.attributes.contains("MainActor") && isPlain(member) {
          findings.append(finding(builder, "\(type.name).\(member.name)", source, member.location, why))
        }
      }
      guard isDefault else { continue }
      for member in source.members where member.attributes.contains("MainActor") && isPlain(member) {
        findings.append(
          finding(builder, member.name, source, member.location, "the module's default isolation is the main actor"))
      }
    }
    return findings
  }

  private static func isPlain(_ member: MemberDeclaration) -> Bool {
    !member.modifiers.contains { $0.hasPrefix("nonisolated") || $0 == "override" } && member.kind != .deinitializer
  }

  /// A type or extension whose attribute the default gives as well.
  private static func isRedundant(_ type: TypeDeclaration, in module: String, _ program: Program) -> Bool {
    guard type.attributes.contains("MainActor"), type.kind != .actor else { return false }
    if type.kind == .extension {
      return program.declarations.type(type.name, in: module)?.primary.map {
        $0.attributes.contains("MainActor") || !isIsolatedOtherwise($0, in: module, program)
      } ?? false
    }
    return !type.inherited.contains { keepsOut($0.name, program) } && !isInsideOther(type, in: module, program)
  }

  /// What makes the members of a type main-actor isolated without their own attribute, or nil.
  private static func contextGives(
    _ type: TypeDeclaration, in module: String, _ isDefault: Bool, _ program: Program
  ) -> String? {
    let primary = type.kind == .extension ? program.declarations.type(type.name, in: module)?.primary : type
    guard let primary, primary.kind != .actor, primary.kind != .protocol, !type.modifiers.contains("nonisolated") else {
      return nil
    }
    if primary.attributes.contains("MainActor") || type.attributes.contains("MainActor") {
      return "\(type.name) is on the main actor"
    }
    guard isDefault, !isIsolatedOtherwise(primary, in: module, program),
      !primary.inherited.contains(where: { keepsOut($0.name, program) })
    else { return nil }
    return "the module's default isolation is the main actor"
  }

  private static func isIsolatedOtherwise(_ type: TypeDeclaration, in module: String, _ program: Program) -> Bool {
    if type.kind == .actor || type.modifiers.contains("nonisolated") { return true }
    if type.attributes.contains(where: { $0 != "MainActor" && program.globalActors.contains($0) }) { return true }
    return isInsideOther(type, in: module, program)
  }

  /// Nested in a type that is not on the main actor: what that means for it, only the compiler says.
  private static func isInsideOther(_ type: TypeDeclaration, in module: String, _ program: Program) -> Bool {
    guard let outer = type.outer, let around = program.declarations.type(outer, in: module)?.primary else {
      return false
    }
    return isIsolatedOtherwise(around, in: module, program)
  }

  /// Protocols whose conforming types the default leaves alone.
  private static func keepsOut(_ name: String, _ program: Program) -> Bool {
    ["CodingKey", "SendableMetatype", "Sendable"].contains(name)
      || program.declarations.sources.contains { source in
        source.types.contains {
          $0.kind == .protocol && $0.name == name
            && ($0.modifiers.contains("nonisolated") || $0.inherits("Sendable") != nil
              || $0.inherits("SendableMetatype") != nil)
        }
      }
  }

  private static func finding(
    _ builder: FindingBuilder, _ name: String, _ source: SourceFacts, _ location: SourceLocation, _ why: String
  ) -> Finding {
    builder.finding(
      in: name, module: source.module, at: location, subject: name,
      message: "@MainActor on \(name) is redundant: \(why)",
      action: "take the attribute away; 'mainstay audit --fix' proves that nothing changes",
      path: [PathStep(location: location, text: why)], confidence: .high)
  }
}
