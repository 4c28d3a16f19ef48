/// MS303: what a boundary relies on changed since somebody looked at it.
import MainstayFindings

enum ContractChanged: Rule {
  static let documentation = RuleDocumentation(
    id: "contract_changed", code: "MS303", severity: .warning,
    claim: "A declaration that a contract is pinned to has changed, or is gone, since it was pinned.",
    exemptions: "Changes of comments, spaces and line ends, and of anything outside the declaration.",
    fires: """
      // mainstay:contract kotlin/Feed.kt#Feed.state 4b1d0c9e77a2f310
      // … and Feed.state was rewritten since
      """,
    silent: """
      // mainstay:contract kotlin/Feed.kt#Feed.state 9f00c1d2e3b4a596     (as `mainstay contract pin` wrote it)
      """,
    fix: "Read the other side again; when the contract still holds, accept it with 'mainstay contract pin'.",
    references: ["Documentation/Guide/Boundaries.md", "Documentation/Articles.md, 3.9"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    return program.contracts.compactMap { contract in
      guard let (message, action, severity) = judge(contract) else { return nil }
      var finding = builder.finding(
        in: contract.target.symbol, module: "", at: contract.location, subject: contract.target.text, message: message,
        action: action, path: [PathStep(location: contract.location, text: "the contract is stated here")],
        confidence: .high)
      finding.severity = severity
      return finding
    }
  }

  private static func judge(_ contract: Contract) -> (message: String, action: String, severity: Severity)? {
    let name = contract.target.text
    switch contract.standing {
    case .holds: return nil
    case .unpinned:
      return ("the contract with \(name) is not pinned", "pin it: mainstay contract pin", .note)
    case .changed:
      return (
        "\(name) changed since this contract was pinned to it",
        "read it again, and accept it if the contract still holds: mainstay contract pin '\(name)'", .warning
      )
    case .broken(let reason):
      return ("this contract cannot be checked: \(reason)", "name the declaration that it relies on", .error)
    }
  }
}
