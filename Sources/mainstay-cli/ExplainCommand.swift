import MainstayAudit

/// `mainstay explain`: what a rule claims, with examples, and how to fix what it finds; which tool when.
struct ExplainCommand: Command {
  static let name = "explain"
  static let summary = "say what a rule claims and how to fix what it finds"
  static let help = """
    USAGE: mainstay explain [RULE | tools | --markdown]

    Without a rule, lists them. 'tools' is the quick guide: which tool when, each
    line with the rule that finds the opposite. With --markdown, writes all rules as
    Documentation/Rules.md has them.
    """

  private let rule: String?

  init(arguments: [String]) throws {
    guard arguments.count <= 1 else { throw UsageError("one rule at a time, not \(arguments.count)") }
    rule = arguments.first
  }

  func run() throws -> ExitStatus {
    if rule == "--markdown" {
      Console.output(String(RuleReference.markdown.dropLast()))
      return .success
    }
    if rule == "tools" {
      Console.output(Console.fitted(String(QuickGuide.text.dropLast())))
      return .success
    }
    guard let rule else {
      Console.output(Console.fitted(RuleExplanation.list))
      return .success
    }
    guard let known = RuleExplanation.rule(named: rule) else {
      Console.report("mainstay: there is no rule '\(rule)'; \(RuleExplanation.hint(rule))")
      return .usage
    }
    // Examples are code, which no break may go through.
    Console.output(
      RuleExplanation.text(known).split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("    ") ? String($0) : Console.fitted(String($0)) }.joined(separator: "\n"))
    return .success
  }
}
