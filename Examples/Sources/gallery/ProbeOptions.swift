/// The options of `gallery probe`.
import FeedImplementations
import FeedProbes
import Terminal

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
