/// What `mainstay explain` says about a rule.
import MainstayFindings

public enum RuleExplanation {
  /// Rules about code, and what the audit reports about itself.
  private static var all: [RuleDocumentation] { ToolRules.all + RuleCatalogue.documentation }

  /// A rule by its identifier or its code, in any case of letters.
  public static func rule(named name: String) -> RuleDocumentation? {
    all.first { $0.id == name.lowercased() || $0.code == name.uppercased() }
  }

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
    \(silencing(rule))

    """
  }

  private static func silencing(_ rule: RuleDocumentation) -> String {
    ToolRules.all.contains(rule)
      ? "It cannot be silenced."
      : "Silence one finding with: // mainstay:disable:next \(rule.id) - <reason>"
  }

  /// All rules, one line each.
  public static var list: String {
    all.map { "\($0.code)  \($0.id)\n       \($0.claim)\n" }.joined()
  }

  /// What to do about a name that no rule has: which one was probably meant, or where they are listed.
  public static func hint(_ name: String) -> String {
    Spelling.hint(name, among: all.flatMap { [$0.id, $0.code] }, otherwise: "'mainstay explain' lists them")
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n")
  }
}
