/// What the audit reports about itself: comments that silence nothing, and expected findings that are gone.
import MainstayFindings

/// They are in the reference and in SARIF beside the rules about code. They cannot be switched off or silenced.
public enum ToolRules {
  static let suppression = RuleDocumentation(
    id: "suppression", code: "MS001", severity: .warning,
    claim: "A comment that silences a rule gives no reason, names no rule that there is, or silences nothing.",
    exemptions:
      "Comments about rules that were not asked for with --rules. Where a module was read from its source alone, that "
      + "nothing is silenced is a note: the compiler may find what the source does not show.",
    fires: """
      // mainstay:disable:next hop_in_loop
      for key in keys { total += await store.value(key) }        // no reason: the finding stays, too
      """,
    silent: """
      // mainstay:disable:next hop_in_loop - three keys at most, at the start of the program
      for key in keys { total += await store.value(key) }
      """,
    fix:
      "Write the reason after a dash, or take the comment away: 'mainstay audit --fix' takes away those that silence "
      + "nothing.",
    references: ["Documentation/Guide/LivingWithFindings.md"])

  static let expected = RuleDocumentation(
    id: "expected_finding", code: "MS002", severity: .warning,
    claim: "A finding that the file given with --expect holds was not found.",
    exemptions: "Without --expect: --baseline only says how many are gone.",
    fires: """
      // expected-findings.json holds "check_then_act" of "Wallet.pay(_:)", and the code was mended:
      func pay(_ amount: Int) throws {
        guard balance >= amount else { throw Refused() }
        balance -= amount
      }
      """,
    silent: """
      // the same, after: mainstay audit --write-baseline expected-findings.json
      """,
    fix: "When it is gone for good, write the file anew with --write-baseline.",
    references: ["Documentation/Guide/LivingWithFindings.md"])

  static let all = [suppression, expected]
}
