/// The options of the latency probe, of `gallery` and of the program that has a display.
import FeedImplementations
import Terminal

nonisolated public enum ProbeFormat: String, CaseIterable, Sendable {
  case table, json
}

/// Where frames are to come from.
nonisolated public enum ProbeFrames: String, CaseIterable, Sendable {
  /// A display's clock when there is one, and the other otherwise.
  case any
  case display
  /// A clock that queues frames on the main actor.
  case clock
}

nonisolated public struct LatencyOptions: Equatable, Sendable {
  public static let list = """
      --updates N              how many, 1 to 100000 (default: 600)
      --hitch-every N          in the second run every Nth frame is too long; 0: no second run (default: 16)
      --implementation NAME    the foreign runtime: c or kotlin (default: c)
      --format table|json      (default: table)
    """

  public static let help = """
    OVERVIEW: Makes updates, one a frame, and delivers each in every way: directly, through an asserted and two hopping
    boundaries, and with a task for each value. Prints how many frames later they were visible, and how many nobody saw.

    First with frames that fit into their interval, then with some that take one and a half. Frames come from the display's
    clock when there is a display and gallery-latency is built (swift build --package-path Examples/Desktop --product
    gallery-latency), and otherwise from a clock that queues them on the main actor.

    USAGE: gallery probe latency [OPTIONS]

    OPTIONS:
    \(list)
      --frames NAME            any, display or clock (default: any)
      --hz N                   frames a second of the clock, 1 to 1000 (default: 60); a display has its own
      --help                   print this
    """

  public var updates = 600
  /// Frames a second, where no display has its own.
  public var hertz = 60
  public var hitchEvery = 16
  public var implementation = FeedImplementation.c
  public var format = ProbeFormat.table
  public var frames = ProbeFrames.any

  /// - Parameter hasDisplay: whether these are the options of the program that has one, and so no others.
  /// - Returns: `nil` when help was asked for.
  public init?(_ arguments: inout Arguments, hasDisplay: Bool = false) throws(UsageError) {
    while let option = try arguments.option() {
      switch option {
      case "--updates": updates = try arguments.number(of: option, in: 1...100_000)
      case "--hitch-every": hitchEvery = try arguments.number(of: option, in: 0...100_000)
      case "--implementation": implementation = try arguments.choice(of: option)
      case "--format": format = try arguments.choice(of: option)
      case "--hz" where !hasDisplay:
        hertz = try arguments.number(of: option, in: 1...1_000)
        guard frames != .display else { throw arguments.misuse("--hz is for a clock; a display has its own frames") }
        frames = .clock
      case "--frames" where !hasDisplay:
        let chosen: ProbeFrames = try arguments.choice(of: option)
        guard chosen != .display || frames != .clock else {
          throw arguments.misuse("--hz is for a clock; a display has its own frames")
        }
        if frames != .clock { frames = chosen }
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
  }

  /// The command line of the program that has a display.
  public var displayArguments: [String] {
    [
      "--updates", "\(updates)", "--hitch-every", "\(hitchEvery)", "--implementation", implementation.rawValue,
      "--format", format.rawValue,
    ]
  }
}
