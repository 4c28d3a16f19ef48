import MainstayTrace

/// `mainstay`: hands the command line to a subcommand, and exits with what it says.
@main
struct Mainstay {
  static var commands: [any Command.Type] {
    [
      RunCommand.self, ReportCommand.self, BoundariesCommand.self, AuditCommand.self, ExplainCommand.self,
      MapCommand.self, ContractCommand.self, DoctorCommand.self,
    ]
  }

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    guard !arguments.isEmpty else {
      Console.error(usage)
      exit(with: .usage)
    }
    let name = arguments.removeFirst()
    switch name {
    case "--help", "-h", "help":
      if let topic = arguments.first, let command = commands.first(where: { $0.name == topic }) {
        Console.output(command.help)
      } else {
        Console.output(usage)
      }
      exit(with: .success)
    case "--version":
      Console.output("mainstay \(version)")
      exit(with: .success)
    case DoctorProbe.name:
      DoctorProbe.run()
    default:
      guard let command = commands.first(where: { $0.name == name }) else {
        Console.report("mainstay: there is no command '\(name)'. 'mainstay --help' lists them.")
        exit(with: .usage)
      }
      run(command, arguments)
    }
  }

  private static func run(_ command: any Command.Type, _ arguments: [String]) -> Never {
    // What stands behind the name of a program is that program's.
    let own = command == RunCommand.self ? arguments.prefix(1) : arguments.prefix { $0 != "--" }
    if own.contains("--help") || own.contains("-h") {
      Console.output(command.help)
      exit(with: .success)
    }
    if command != RunCommand.self { Console.holdDescriptors() }
    do {
      exit(with: try command.init(arguments: arguments).run())
    } catch let error as UsageError {
      Console.report(
        "mainstay \(command.name): \(error.message)\n  'mainstay \(command.name) --help' lists the options.")
      exit(with: .usage)
    } catch {
      Console.report("mainstay \(command.name): \(error)")
      exit(with: .failure)
    }
  }

  static let version = "0.1.0"

  private static var usage: String {
    """
    mainstay keeps the main actor of a Swift program inside its frame budget.

    USAGE: mainstay COMMAND …

    \(commands.map { "  \($0.name.padded(to: 12))\($0.summary)" }.joined(separator: "\n"))

    'mainstay COMMAND --help' says more.
    """
  }
}
