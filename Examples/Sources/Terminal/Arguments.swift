/// Reads a command line option by option.
import Foundation

public struct Arguments {
  private var rest: ArraySlice<String>
  private var name: String

  /// - Parameter name: of the program, for messages.
  public init(_ arguments: [String], of name: String) {
    rest = arguments[...]
    self.name = name
  }

  /// The first argument.
  public mutating func command() -> String? {
    guard let command = rest.popFirst() else { return nil }
    name += " " + command
    return command
  }

  /// The next option; `--option=value` is taken apart.
  public mutating func option() throws(UsageError) -> String? {
    guard let argument = rest.popFirst() else { return nil }
    guard argument.hasPrefix("-") else { throw misuse("\"\(argument)\" belongs to no option") }
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return argument }
    rest = [String(argument[argument.index(after: equals)...])] + rest
    return String(argument[..<equals])
  }

  /// - Parameter mayBeEmpty: whether an empty value means anything.
  public mutating func value(of option: String, mayBeEmpty: Bool = false) throws(UsageError) -> String {
    guard let value = rest.popFirst(), mayBeEmpty || !value.isEmpty else { throw misuse("\(option) needs a value") }
    return value
  }

  public mutating func number(of option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
    let text = try value(of: option)
    guard let number = Int(text), range.contains(number) else {
      throw misuse("\(option) is \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }

  /// A number with `us`, `ms` or `s`, up to a minute.
  public mutating func duration(of option: String) throws(UsageError) -> Duration {
    let text = try value(of: option)
    let units: [(String, Double)] = [("us", 1e-6), ("ms", 1e-3), ("s", 1)]
    if let (unit, seconds) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count)), (0...60).contains(number * seconds)
    {
      return .seconds(number * seconds)
    }
    throw misuse("\(option) is a number with us, ms or s, up to 60s, not \"\(text)\"")
  }

  /// One of the words that a type has.
  public mutating func choice<Choice: RawRepresentable & CaseIterable>(
    of option: String
  ) throws(UsageError) -> Choice where Choice.RawValue == String {
    let text = try value(of: option)
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: " or ")
      throw misuse("\(option) is \(words), not \"\(text)\"")
    }
    return choice
  }

  public func unknown(_ option: String) -> UsageError {
    misuse("there is no option \(option)")
  }

  public func missing(_ option: String) -> UsageError {
    misuse("\(option) is missing")
  }

  public func misuse(_ problem: String) -> UsageError {
    UsageError(problem, see: "\(name) --help")
  }
}

/// A command line that cannot be carried out.
public struct UsageError: Error, CustomStringConvertible {
  public let description: String

  public init(_ problem: String, see command: String) {
    description = "\(problem). See \(command)."
  }
}
