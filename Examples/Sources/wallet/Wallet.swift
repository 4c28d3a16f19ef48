/// The command `wallet`: which subcommand runs, and how its errors become an exit status.
import Foundation

@main
struct Wallet {
  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst()), on: .process).rawValue)
  }

  static func run(_ arguments: [String], on console: Streams) async -> ExitCode {
    let command = arguments.first.flatMap(Command.named)
    do {
      if asksForHelp(arguments) {
        console.print(try help(arguments))
        return .success
      }
      guard let command else { throw UsageError("there is no command \"\(arguments[0])\"") }
      let line = try CommandLineArguments(command, arguments.dropFirst())
      switch command.name {
      case "balance": return try await Reports.balance(line, console)
      case "ledger": return try await Reports.ledger(line, console)
      case "verify": return try await Reports.verify(line, console)
      case "load": return try await LoadCommand.run(line, console)
      case "bench": return try await Bench.run(line, console)
      case "demo": return try await Demo.run(line, console)
      default: return try await Operation.run(line, console)
      }
    } catch let error as UsageError {
      let help = ["wallet", command?.name, "--help"].compactMap(\.self).joined(separator: " ")
      console.complain("\(error). See \(help).")
      return .usage
    } catch {
      console.complain("\(error)")
      return .failure
    }
  }

  private static func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.isEmpty || arguments[0] == "help" || arguments.contains("--help") || arguments.contains("-h")
  }

  /// Of the command that is named, before `--help` or after `help`; of all where none is.
  private static func help(_ arguments: [String]) throws(UsageError) -> String {
    let words = arguments.drop { $0 == "help" }.prefix { $0 != "--help" && $0 != "-h" }
    guard let name = words.first else { return Help.ofAll }
    guard let command = Command.named(name) else { throw UsageError("there is no command \"\(name)\"") }
    return Help.of(command)
  }
}

enum ExitCode: Int32 {
  case success = 0
  case failure = 1
  case discrepancy = 2
  case usage = 3
}
