import MainstayAudit

/// What `mainstay run` was asked for.
struct RunOptions {
  var hertz = 60
  var budget: Duration?
  var json: String?
  var recording: String?
  var only: String?
  var failOverBudget = false
  var quiet = false
  var memory: UInt64 = 64 << 20
  var program: [String] = []

  /// The program's name as a line of text has it.
  var programName: String { PlainText.of(program[0]) }

  /// Naming every function of a big program takes a while; nobody waits for it who did not ask for it.
  var needsSummary: Bool { !quiet || json != nil || failOverBudget }

  var frameInterval: Duration { .seconds(1) / hertz }

  init(arguments: [String]) throws(UsageError) {
    var arguments = Arguments(arguments)
    while let word = try arguments.next() {
      switch word {
      case .operand(let name): program = [name] + arguments.takeRest()
      case .option("--hz"): hertz = try Self.hertz(arguments.value("a refresh rate, such as 60"))
      case .option("--budget"): budget = try Self.duration(arguments.value("a duration, such as 16.7ms"), "--budget")
      case .option("--json"): json = try arguments.value("a file to write")
      case .option("--recording"): recording = try arguments.value("a file to write")
      case .option("--only"): only = try arguments.value("the name of an executable")
      case .option("--memory"): memory = try Self.size(arguments.value("a size, such as 64M"))
      case .option("--fail-over-budget"): failOverBudget = true
      case .option("--quiet"): quiet = true
      case .option(let name):
        throw UsageError("\(Arguments.unknown(name).message). The program's own options go after --")
      }
    }
    guard !program.isEmpty else { throw UsageError("no program was named. Name it after --: mainstay run -- ./App") }
  }

  private static func hertz(_ text: String) throws(UsageError) -> Int {
    guard let hertz = Int(text), (1...1000).contains(hertz) else {
      throw UsageError("--hz \(text) is no refresh rate: a whole number from 1 to 1000, such as 60 or 120")
    }
    return hertz
  }

  /// `16.7ms`, `800us`, `1s`.
  static func duration(_ text: String, _ option: String) throws(UsageError) -> Duration {
    let units: [(String, Double)] = [("us", 1e3), ("ms", 1e6), ("s", 1e9)]
    for (unit, nanoseconds) in units where text.hasSuffix(unit) {
      let digits = text.dropLast(unit.count)
      guard !digits.isEmpty, digits.allSatisfy({ $0.isNumber || $0 == "." }), let number = Double(digits),
        number * nanoseconds >= 1000, number * nanoseconds <= 3600e9
      else { continue }
      return .nanoseconds(Int64(number * nanoseconds))
    }
    throw UsageError("\(option) \(text) is no duration: a number with us, ms or s, from 1us to 3600s, such as 16.7ms")
  }

  /// `64M`, `1G`, `512K`, or bytes.
  private static func size(_ text: String) throws(UsageError) -> UInt64 {
    let scales: [Character: UInt64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let upper = text.uppercased()
    let scale = upper.last.flatMap { scales[$0] }
    let digits = scale == nil ? upper[...] : upper.dropLast()
    guard let number = UInt64(digits), number <= 1 << 40, case let bytes = number * (scale ?? 1),
      (4 << 20...64 << 30).contains(bytes)
    else { throw UsageError("--memory \(text) is no size from 4M to 64G, such as 64M or 1G") }
    return bytes
  }
}
