/// Takes a command line apart.
import WalletKit

/// A command, its arguments, and its options with their values.
struct CommandLineArguments {
  let command: String
  private(set) var arguments: [String] = []
  private var options: [String: String] = [:]

  private static let known: Set<String> = [
    "--store", "--postgres", "--key", "--fraud-limit", "--format", "--transfers", "--clients", "--accounts",
    "--balance", "--seed", "--rounds", "--server",
  ]

  init(_ words: [String]) throws(UsageError) {
    command = words[0]
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      // A negative amount is an argument: the wallet refuses it, and says why.
      guard word.hasPrefix("--") else {
        arguments.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard Self.known.contains(parts[0]) else { throw UsageError("there is no option \(parts[0])") }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw UsageError("\(parts[0]) needs a value")
      }
      options[parts[0]] = value
    }
    if options["--store"] != nil, options["--postgres"] != nil {
      throw UsageError("--store and --postgres name two wallets; name one")
    }
  }

  func option(_ name: String) -> String? { options[name] }

  /// The arguments, when there are as many as their names say; a name in brackets may be missing.
  func arguments(_ names: String...) throws(UsageError) -> [String] {
    let required = names.count { !$0.hasPrefix("[") }
    guard (required...names.count).contains(arguments.count) else {
      throw UsageError("wallet \(command) is used as: wallet \(([command] + names).joined(separator: " "))")
    }
    return arguments
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
