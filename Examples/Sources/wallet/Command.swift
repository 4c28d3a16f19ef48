/// The commands of `wallet`: what each is for, what it takes, and which options it heeds.
import Terminal

struct Command: Sendable {
  struct Option: Sendable {
    /// As it is typed: `--key`.
    let name: String
    /// What the help calls its value: `KEY`.
    let value: String
    let help: String

    init(_ name: String, _ value: String, _ help: String) {
      self.name = name
      self.value = value
      self.help = help
    }
  }

  let name: String
  /// What follows the name; one in brackets may be missing.
  let arguments: [String]
  let summary: String
  /// What one must know besides, for the command's own help.
  let details: String
  /// An option that a command would not heed is refused, because who gave it expects something of it.
  let options: [Option]

  private init(_ name: String, _ arguments: [String], _ summary: String, _ details: String = "", _ options: [Option]) {
    self.name = name
    self.arguments = arguments
    self.summary = summary
    self.details = details
    self.options = options
  }

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }

  /// The words of a use of it.
  var usage: String { (["wallet", name] + arguments).joined(separator: " ") }
}

extension Command {
  static let all = [
    Command(
      "open", ["ACCOUNT", "[CURRENCY]"], "open an account, in EUR if no currency is named",
      "Makes the wallet where there is none.", [key] + wallet),
    Command("deposit", ["ACCOUNT", "AMOUNT"], "pay in", "", [key] + wallet),
    Command(
      "transfer", ["AMOUNT", "FROM", "TO"], "move money from one account to another",
      "The amount is in the currency of FROM, with a point: 12.50.", [key, fraudLimit] + wallet),
    Command("balance", ["[ACCOUNT]"], "what is on one account or on all", "", [format] + wallet),
    Command("ledger", [], "every operation, in order", "", [format] + wallet),
    Command(
      "verify", [], "calculate every balance anew from the ledger and compare",
      "Ends with 2 when anything does not agree.", wallet),
    Command(
      "load", [], "random transfers from several clients; a line for each receipt",
      "The same seed sends the same transfers with the same keys.",
      [
        count("--transfers", "how many (1000)"), count("--clients", "how many send at the same time (16)"),
        count("--accounts", "how many accounts the transfers are between (100)"),
        Option("--balance", "MINOR-UNITS", "what is paid in to each of them first (1000000)"),
        count("--seed", "of the random numbers (1)"), fraudLimit,
      ] + wallet),
    Command(
      "bench", ["NAME"], "measure, or try hard to break it",
      "NAME is one of \(Bench.names.joined(separator: ", ")). Ends with 2 when a figure does not hold, or a violation was found.",
      [
        count("--transfers", "how many, of every bench but crash"),
        count("--clients", "of durable: how many wait for their receipts (64)"),
        count("--rounds", "of crash: how often it is killed (200)"),
        count("--seed", "of invariant and crash: of the random numbers (1)"),
        Option("--postgres", "CONNINFO", "of crash and processes: the database; crash has a SQLite file without it"),
        Option("--server", "FOLDER", "of crash: where scripts/postgres keeps the server, to kill it as well"),
      ]),
    Command(
      "demo", ["double-spend"], "two transfers of 800 from 1,000, in wallets with and without the bug", "",
      [count("--rounds", "how often (1000)")]),
  ]

  private static let wallet = [
    Option("--store", "FILE", "a SQLite file, for one process at a time (wallet.sqlite)"),
    Option("--postgres", "CONNINFO", "in its place a PostgreSQL database, for several; libpq's connection string"),
  ]
  private static let key = Option(
    "--key", "KEY", "names the operation: the same key gives the same receipt and does nothing twice (a new one)")
  private static let fraudLimit = Option("--fraud-limit", "AMOUNT", "a transfer above it is not approved (none)")
  private static let format = Option("--format", "FORMAT", "table, json or csv (table)")

  private static func count(_ name: String, _ help: String) -> Option { Option(name, "N", help) }
}
