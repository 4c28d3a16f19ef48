/// The options of `gallery feed`.
import FeedImplementations
import Terminal

struct FeedOptions: Equatable, Sendable {
  static let help = """
    OVERVIEW: Follows a feed that a foreign runtime drives, through both of its promises, until it is loaded.

    Run it with MAINSTAY_BOUNDARIES=survey to find out where its callbacks arrive.

    USAGE: gallery feed [OPTIONS]

    OPTIONS:
      --updates N              how many states follow the first, 1 to 10000000 (default: 600)
      --rate N                 how many a second, 0 to 100000; 0 for as many as can be made (default: 60)
      --implementation NAME    the foreign runtime: c or kotlin (default: c)
      --break-promise          let the callbacks that are promised on the main thread come from a worker
      --latest                 of the states that come off the main thread, apply the newest only
      --help                   print this
    """

  var updates = 600
  var rate = 60
  var implementation = FeedImplementation.c
  var breaksPromise = false
  var appliesLatest = false

  /// - Returns: `nil` when help was asked for.
  init?(_ arguments: inout Arguments) throws(UsageError) {
    while let option = try arguments.option() {
      switch option {
      case "--updates": updates = try arguments.number(of: option, in: 1...10_000_000)
      case "--rate": rate = try arguments.number(of: option, in: 0...100_000)
      case "--implementation": implementation = try arguments.choice(of: option)
      case "--break-promise": breaksPromise = true
      case "--latest": appliesLatest = true
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
  }
}
