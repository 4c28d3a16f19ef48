/// The options of `gallery probe`.
import FeedImplementations

/// What can be found out.
enum Probe {
  static let help = """
    OVERVIEW: Finds out what a foreign runtime's callbacks really do.

    USAGE: gallery probe latency|dispatch [OPTIONS]

    PROBES:
      latency   How many frames later each way of delivery makes an update visible, and how many it merges.
      dispatch  Where each dispatcher of each foreign runtime calls back.

    "gallery probe latency --help" lists the options of a probe.
    """
}

enum ProbeFormat: String, CaseIterable {
  case table, json
}

struct LatencyOptions: Equatable, Sendable {
  static let help = """
    OVERVIEW: Makes updates, one a frame, and delivers each in every way: directly, through an asserted and two hopping
    boundaries, and with a task for each value. Prints how many frames later they were visible, and how many nobody saw.

    First with frames that fit into their interval, then with some that take one and a half. Without a display, frames
    come from a clock that queues them on the main actor.

    USAGE: gallery probe latency [OPTIONS]

    OPTIONS:
      --updates N              how many, 1 to 100000 (default: 600)
      --hz N                   frames a second, 1 to 1000 (default: 60)
      --hitch-every N          in the second run every Nth frame is too long; 0: no second run (default: 16)
      --implementation NAME    the foreign runtime: c or kotlin (default: c)
      --format table|json      (default: table)
      --help                   print this
    """

  var updates = 600
  var hertz = 60
  var hitchEvery = 16
  var implementation = FeedImplementation.c
  var format = ProbeFormat.table

  /// - Returns: `nil` when help was asked for.
  init?(_ arguments: inout Arguments) throws(UsageError) {
    while let option = try arguments.option() {
      switch option {
      case "--updates": updates = try arguments.number(of: option, in: 1...100_000)
      case "--hz": hertz = try arguments.number(of: option, in: 1...1_000)
      case "--hitch-every": hitchEvery = try arguments.number(of: option, in: 0...100_000)
      case "--implementation": implementation = try arguments.choice(of: option)
      case "--format": format = try arguments.choice(of: option)
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
  }
}

struct DispatchOptions: Equatable, Sendable {
  static let help = """
    OVERVIEW: Changes a feed's state on the main actor and on a foreign thread, and prints where each dispatcher calls
    back: inline, posted to the main actor, or on a worker.

    USAGE: gallery probe dispatch [OPTIONS]

    OPTIONS:
      --implementation NAME    one foreign runtime: c or kotlin (default: all that this build has)
      --format table|json      (default: table)
      --help                   print this
    """

  var implementations = FeedImplementation.available
  var format = ProbeFormat.table

  /// - Returns: `nil` when help was asked for.
  init?(_ arguments: inout Arguments) throws(UsageError) {
    while let option = try arguments.option() {
      switch option {
      case "--implementation": implementations = [try arguments.choice(of: option)]
      case "--format": format = try arguments.choice(of: option)
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
  }
}
