/// A command line, read from left to right: options with their values, and what is no option.
struct Arguments {
  enum Word {
    /// `--format`, of `--format` and of `--format=json`.
    case option(String)
    /// A path, a rule, a program: whatever does not begin with a dash, and everything after `--`.
    case operand(String)
  }

  private var rest: ArraySlice<String>
  private var option = ""
  /// What stood behind `=`, until somebody takes it.
  private var inline: String?
  private var hasOptions = true

  init(_ arguments: [String]) { rest = arguments[...] }

  /// Nil at the end.
  ///
  /// - Throws: when the option before takes no value and was given one.
  mutating func next() throws(UsageError) -> Word? {
    if let inline { throw UsageError("\(option) takes no value, not '\(inline)'") }
    guard let word = rest.popFirst() else { return nil }
    guard hasOptions, word.hasPrefix("-"), word != "-" else { return .operand(word) }
    if word == "--" {
      hasOptions = false
      return try next()
    }
    option = word
    if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      option = String(word[..<equals])
      inline = String(word[word.index(after: equals)...])
    }
    return .option(option)
  }

  /// The value of the option that was read last. One that begins with two dashes is written behind `=`.
  ///
  /// - Parameter what: what it takes, for when there is none.
  mutating func value(_ what: String = "a value") throws(UsageError) -> String {
    if let inline {
      self.inline = nil
      return inline
    }
    guard hasOptions, let value = rest.first, !value.hasPrefix("--") else {
      throw UsageError("\(option) needs \(what)")
    }
    // Nothing here is written to standard output by that name, and a file of that name is seldom meant.
    if value == "-" { throw UsageError("\(option) '-' would be a file named '-': write './-' if you mean that") }
    rest = rest.dropFirst()
    return value
  }

  /// All that was not read yet, whatever it begins with: it is somebody else's.
  mutating func takeRest() -> ArraySlice<String> {
    defer { rest = [] }
    return rest
  }

  /// What is said of an option that a command does not have.
  static func unknown(_ option: String) -> UsageError { UsageError("there is no option '\(option)'") }
}

/// For a person, or for a program.
enum DocumentFormat: String {
  case text, json

  init(_ name: String) throws(UsageError) {
    guard let format = DocumentFormat(rawValue: name) else {
      throw UsageError("--format '\(name)' is neither text nor json")
    }
    self = format
  }
}
