/// What `wallet` says of itself: of all commands in short, of one with its options.
import Terminal

enum Help {
  /// Every line fits a terminal of this width.
  static let width = 80

  static let ofAll = """
    OVERVIEW: A wallet whose transfers happen wholly, once, and durably.

    USAGE: wallet COMMAND [ARGUMENTS] [OPTIONS]

    COMMANDS:
    \(rows(Command.all.map { ($0.usage.dropFirst("wallet ".count).description, $0.summary) }))

    'wallet COMMAND --help' lists what a command takes. The wallet is the file
    wallet.sqlite, unless --store names another or --postgres a database.

    \(status)
    """

  static func of(_ command: Command) -> String {
    let details = command.details.isEmpty ? "" : "\n" + Paragraph.wrapped(command.details, width: width) + "\n"
    return """
      OVERVIEW: \(command.summary.prefix(1).uppercased() + command.summary.dropFirst()).
      \(details)
      USAGE: \(command.usage) [OPTIONS]

      OPTIONS:
      \(rows(command.options.map { ("\($0.name) \($0.value)", $0.help) }))

      \(status)
      """
  }

  private static let status = """
    Exit status: 0 done, 1 refused or failed, 2 the balances do not agree with the
    ledger or a trial found a violation, 3 the command line cannot be carried out.
    """

  private static func rows(_ rows: [(String, String)]) -> String {
    let column = (rows.map(\.0.count).max() ?? 0) + 4
    return rows.map { left, right in
      let text = "  " + left + String(repeating: " ", count: column - left.count - 2)
      return text
        + Paragraph.wrapped(right, width: width - column, indent: 0)
        .replacing("\n", with: "\n" + String(repeating: " ", count: column))
    }.joined(separator: "\n")
  }
}
