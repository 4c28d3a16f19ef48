/// Takes a command line apart.

/// A command, its arguments, and its options with their values.
struct CommandLineArguments {
  let command: Command
  private(set) var arguments: [String] = []
  private var options: [String: String] = [:]

  /// - Parameter words: those that follow the name of the command.
  init(_ command: Command, _ words: some Collection<String>) throws(UsageError) {
    self.command = command
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      // A negative amount is an argument: the wallet refuses it, and says why.
      guard word.hasPrefix("--") else {
        arguments.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0]
      guard Self.heeds(command, name) else {
        let isAnyones = Command.all.contains { Self.heeds($0, name) }
        throw UsageError(isAnyones ? "wallet \(command.name) has no option \(name)" : "there is no option \(name)")
      }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
        throw UsageError("\(name) needs a value")
      }
      guard options.updateValue(value, forKey: name) == nil else {
        throw UsageError("\(name) is given twice; give it once")
      }
    }
    let required = command.arguments.count { !$0.hasPrefix("[") }
    guard (required...command.arguments.count).contains(arguments.count) else {
      throw UsageError("wallet \(command.name) is used as: \(command.usage)")
    }
    if options["--store"] != nil, options["--postgres"] != nil {
      throw UsageError("--store and --postgres name two wallets; name one")
    }
  }

  private static func heeds(_ command: Command, _ option: String) -> Bool {
    command.options.contains { $0.name == option }
  }

  func option(_ name: String) -> String? { options[name] }

  /// Refuses an option that the command has, but not with these arguments.
  func mustHeed(_ names: Set<String>, for use: String) throws(UsageError) {
    guard let name = options.keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw UsageError("wallet \(command.name) \(use) has no option \(name)")
  }

  func number(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(UsageError) -> Int {
    guard let text = options[name] else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("\(name) is \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }

  func choice(_ name: String, _ choices: [String]) throws(UsageError) -> String {
    guard let text = options[name] else { return choices[0] }
    guard choices.contains(text) else {
      throw UsageError("\(name) is \(choices.joined(separator: ", ")), not \"\(text)\"")
    }
    return text
  }
}

/// A command line that cannot be carried out.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ problem: String) { description = problem }
}
