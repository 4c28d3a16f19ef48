/// MS302: code tells the compiler what it may not check, and does not say why it is true.
import MainstayFindings

enum UndocumentedAssumption: Rule {
  static let documentation = RuleDocumentation(
    id: "undocumented_assumption", code: "MS302", severity: .warning,
    claim:
      "assumeIsolated, nonisolated(unsafe) or a @preconcurrency conformance stands without the invariant that makes it "
      + "true.",
    exemptions: "The contract stated next to it, a boundary type, and closures on the main queue itself.",
    fires: """
      emitter.onEvent { MainActor.assumeIsolated { model.apply() } }
      """,
    silent: """
      // Contract: the emitter calls its handlers on the main thread (Emitter.h, "Threading").
      emitter.onEvent { MainActor.assumeIsolated { model.apply() } }
      """,
    fix: "Write the contract beside it, with its source, or move it into a boundary that checks and counts it.",
    references: ["Documentation/Guide/Boundaries.md", "Documentation/Articles.md, 0.18 and 3.9"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    var findings: [Finding] = []
    for source in program.declarations.sources where program.ownFiles.contains(source.file) {
      for silencer in source.silencers where !isStated(silencer) {
        findings.append(
          builder.finding(
            in: silencer.function, module: source.module, at: silencer.location, subject: silencer.kind.rawValue,
            message: message(silencer),
            action: "write the contract and its source beside it, or move it into a boundary that checks it",
            path: [PathStep(location: silencer.location, text: "the compiler believes this unchecked")],
            confidence: .high))
      }
    }
    return findings
  }

  private static func isStated(_ silencer: Silencer) -> Bool {
    if StatedInvariant.isOne(silencer.comment) { return true }
    if let given = silencer.given, given.contains("DispatchQueue.main.") || given.contains("OperationQueue.main.") {
      return true
    }
    let type = silencer.type?.split(separator: ".").last.map(String.init) ?? ""
    return type.hasSuffix("Boundary") || type.contains("BoundaryAdapter")
  }

  private static func message(_ silencer: Silencer) -> String {
    switch silencer.kind {
    case .assumeIsolated:
      let place = silencer.given.map { $0.isEmpty ? "" : " in the closure given to \($0)" } ?? ""
      return "assumeIsolated\(place) relies on a contract that is not stated"
    case .nonisolatedUnsafe: return "\(silencer.function) is nonisolated(unsafe), and nothing says what protects it"
    case .preconcurrencyConformance:
      return "this @preconcurrency conformance relies on where the other side calls, which is not stated"
    }
  }
}

/// Whether a comment says something that could be checked.
enum StatedInvariant {
  static func isOne(_ comment: String) -> Bool {
    let words = comment.split(separator: " ")
    guard words.count >= 3, let first = words.first?.uppercased() else { return false }
    return !["TODO", "TODO:", "FIXME", "FIXME:", "HACK", "HACK:", "XXX", "XXX:", "MARK:"].contains(first)
      && !comment.contains("swiftlint:") && !comment.hasPrefix("mainstay:disable")
  }
}
