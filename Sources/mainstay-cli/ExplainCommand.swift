/// `mainstay explain`: what a rule claims, with examples, and how to fix what it finds.
import MainstayAudit

enum ExplainCommand {
  static func run(_ arguments: [String]) -> Int32 {
    guard let name = arguments.first, name != "--help", name != "-h" else {
      print("usage: mainstay explain <rule>\n")
      print(RuleExplanation.list, terminator: "")
      return 0
    }
    guard let rule = RuleCatalogue.documentation(for: name) else {
      AuditCommand.report("there is no rule '\(name)'; did you mean '\(RuleExplanation.nearest(name))'?")
      return 3
    }
    print(RuleExplanation.text(rule), terminator: "")
    return 0
  }
}
