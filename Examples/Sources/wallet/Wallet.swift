/// The command `wallet`: which subcommand runs, and how its errors become an exit status.
import Foundation
import WalletKit
import WalletStore

@main
struct Wallet {
  static let help = """
    OVERVIEW: A wallet whose transfers happen wholly, once, and durably.

    USAGE: wallet COMMAND [ARGUMENTS] [OPTIONS]

    COMMANDS:
      open ACCOUNT [CURRENCY]      open an account, in EUR if no currency is named
      deposit ACCOUNT AMOUNT       pay in
      transfer AMOUNT FROM TO      move money from one account to another
      balance [ACCOUNT]            what is on one account or on all
      ledger                       every operation, in order
      verify                       calculate every balance anew from the ledger and compare
      load                         random transfers from several clients; a line for each receipt
      bench NAME                   measure, or try hard to break it: \(Bench.names.joined(separator: ", "))
      demo double-spend            two transfers of 800 from 1,000, in wallets with and without the bug

    WHERE THE WALLET IS:
      --store FILE           a SQLite file, for one process at a time (wallet.sqlite)
      --postgres CONNINFO    a PostgreSQL database, for several; libpq's connection string

    OPTIONS:
      --key KEY              names an operation: the same key gives the same receipt and does nothing twice
      --fraud-limit AMOUNT   a transfer above it is not approved
      --format FORMAT        of ledger and balance: table, json or csv (table)
      --transfers N, --clients N, --accounts N, --balance MINOR-UNITS, --seed N, --rounds N    of load, bench and demo

    Exit status: 0 done, 1 refused or failed, 2 the balances do not agree with the ledger or a trial found a violation,
    3 a command line that cannot be carried out.
    """

  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst()), on: .process).rawValue)
  }

  static func run(_ arguments: [String], on console: Streams) async -> ExitCode {
    do {
      if arguments.isEmpty || arguments.contains("--help") || arguments.contains("-h") || arguments[0] == "help" {
        console.print(help)
        return .success
      }
      let line = try CommandLineArguments(arguments)
      switch line.command {
      case "open", "deposit", "transfer": return try await Operation.run(line, console)
      case "balance": return try await Reports.balance(line, console)
      case "ledger": return try await Reports.ledger(line, console)
      case "verify": return try await Reports.verify(line, console)
      case "load": return try await LoadCommand.run(line, console)
      case "bench": return try await Bench.run(line, console)
      case "demo": return try await Demo.run(line, console)
      default: throw UsageError("there is no command \"\(line.command)\"")
      }
    } catch let error as UsageError {
      console.note("wallet: \(Echo.readable("\(error)"))")
      return .usage
    } catch {
      console.note("wallet: \(Echo.readable("\(error)"))")
      return .failure
    }
  }
}

enum ExitCode: Int32 {
  case success = 0
  case failure = 1
  case discrepancy = 2
  case usage = 3
}

/// A command line that cannot be carried out.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ problem: String) { description = "\(problem). See wallet --help." }
}
