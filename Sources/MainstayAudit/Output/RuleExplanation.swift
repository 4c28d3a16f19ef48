/// What `mainstay explain` says about a rule.
import MainstayFindings

public enum RuleExplanation {
  public static func text(_ rule: RuleDocumentation) -> String {
    """
    \(rule.code)  \(rule.id)  (\(rule.severity.rawValue))

    \(rule.claim)

    Fires on
    \(indented(rule.fires))

    Silent on
    \(indented(rule.silent))

    Also silent: \(rule.exemptions)

    How to fix: \(rule.fix)

    More: \(rule.references.joined(separator: "; "))
    Silence one finding with: // mainstay:disable:next \(rule.id) - <reason>

    """
  }

  /// All rules, one line each.
  public static var list: String {
    let width = RuleCatalogue.documentation.map(\.id.count).max() ?? 0
    return RuleCatalogue.documentation.map { rule in
      "\(rule.code)  \(rule.id)\(String(repeating: " ", count: width - rule.id.count))  \(rule.claim)\n"
    }.joined()
  }

  /// The rule that an unknown name probably means.
  public static func nearest(_ name: String) -> String {
    Suppressions.nearest(name, Set(RuleCatalogue.documentation.flatMap { [$0.id, $0.code] }))
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n")
  }
}
