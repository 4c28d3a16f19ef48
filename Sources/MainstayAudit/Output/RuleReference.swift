/// Every rule on one page: `Documentation/Rules.md`, made from the rules' own texts.
import MainstayFindings

public enum RuleReference {
  public static var markdown: String {
    var lines = [
      "# Rules", "",
      "What `mainstay audit` looks for. This page is written by `scripts/update-documents` from the rules themselves;",
      "`mainstay explain RULE` prints the same. Silence one finding with `// mainstay:disable:next RULE - reason`.", "",
      "| code | rule | severity | claim |", "|---|---|---|---|",
    ]
    for rule in RuleCatalogue.documentation + ToolRules.all {
      lines.append("| [\(rule.code)](#\(rule.id)) | `\(rule.id)` | \(rule.severity.rawValue) | \(rule.claim) |")
    }
    for rule in RuleCatalogue.documentation + ToolRules.all {
      lines += [
        "", "## \(rule.id)", "", "\(rule.code), \(rule.severity.rawValue). \(rule.claim)", "", "Fires on", "",
        "```swift",
        rule.fires, "```", "", "Silent on", "", "```swift", rule.silent, "```", "", "Also silent: \(rule.exemptions)",
        "",
        "How to fix: \(rule.fix)", "", "More: \(rule.references.joined(separator: "; ")).",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
