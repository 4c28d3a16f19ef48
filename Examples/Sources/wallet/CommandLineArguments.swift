/// Takes a command line apart.
import WalletKit

/// A command, its arguments, and its options with their values.
struct CommandLineArguments {
  let command: String
  private(set) var arguments: [String] = []
  private var options: [String: String] = [:]

  private static let wallet: Set<String> = ["--store", "--postgres"]
  /// The options of each command: one that it would not heed is refused, because who gave it expects something of it.
  private static let known: [String: Set<String>] = [
    "open": wallet.union(["--key"]), "deposit": wallet.union(["--key"]),
    "transfer": wallet.union(["--key", "--fraud-limit"]),
    "balance": wallet.union(["--format"]), "ledger": wallet.union(["--format"]), "verify": wallet,
    "load": wallet.union(["--fraud-limit", "--transfers", "--clients", "--accounts", "--balance", "--seed"]),
    "bench": ["--postgres", "--server", "--transfers", "--clients", "--seed", "--rounds"],
    "demo": ["--rounds"],
  ]

  init(_ words: [String]) throws(UsageError) {
    command = words[0]
    guard let known = Self.known[command] else { throw UsageError("there is no command \"\(command)\"") }
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      // A negative amount is an argument: the wallet refuses it, and says why.
      guard word.hasPrefix("--") else {
        arguments.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0]
      guard known.contains(name) else {
        let isAnyones = Self.known.values.contains { $0.contains(name) }
        throw UsageError(isAnyones ? "wallet \(command) has no option \(name)" : "there is no option \(name)")
      }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
        throw UsageError("\(name) needs a value")
      }
      guard options.updateValue(value, forKey: name) == nil else {
        throw UsageError("\(name) is given twice; give it once")
      }
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
