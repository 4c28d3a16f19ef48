/// The `mainstay` command: a table of subcommands.
import Foundation

@main
struct Main {
  /// One row for each subcommand: its name, what it does, and what runs it. The result is the exit status.
  static let commands: [(name: String, summary: String, run: @Sendable ([String]) -> Int32)] = [
    ("audit", "find what will block an actor or break its rule", AuditCommand.run),
    ("explain", "say what a rule claims and how to fix what it finds", ExplainCommand.run),
  ]

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let name = arguments.first, name != "help", name != "--help", name != "-h" else {
      print("usage: mainstay <command> [options]\n")
      for command in commands { print("  \(command.name)\t\(command.summary)") }
      exit(arguments.isEmpty ? 3 : 0)
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      FileHandle.standardError.write(Data("mainstay: there is no command '\(name)'; 'mainstay help' lists them\n".utf8))
      exit(3)
    }
    exit(command.run(Array(arguments.dropFirst())))
  }
}
