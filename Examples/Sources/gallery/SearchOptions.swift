/// The options of `gallery search`.
import Catalogue
import Foundation
import Search
import Terminal

struct SearchOptions: Equatable, Sendable {
  static let defaultCatalogue = "Examples/Data/catalogue.json"

  static let help = """
    OVERVIEW: Opens a catalogue and types queries into a search field, keystroke by keystroke.

    Every keystroke supersedes the search of the one before. What a frame shows goes to standard error while it happens,
    the articles found to standard output.

    USAGE: gallery search [OPTIONS]

    OPTIONS:
      --catalogue FILE    the catalogue to open (default: \(defaultCatalogue))
      --query TEXT        what to type; give it again to type another query after the first (default: concurrency).
                          @NAME finds the articles of an author
      --typing DURATION   the time between two keystrokes (default: 30ms)
      --latency DURATION  the time the service takes to answer (default: 50ms)
      --debounce DURATION the time a query must stand before the service is asked (default: 0ms)
      --limit N           how many articles to print for each query, 0 to \(SearchResults.page) (default: 10)
      --http              ask a JSON server on 127.0.0.1, started for this run, and not the catalogue in memory
      --decode-on-main    decode the catalogue on the main actor, which then draws no frame for half a second
      --quiet             print the articles alone
      --help              print this
    DURATION is a number with us, ms or s.
    """

  var catalogue = Self.defaultCatalogue
  var queries: [String] = []
  var typing: Duration = .milliseconds(30)
  var latency: Duration = .milliseconds(50)
  var debounce: Duration = .zero
  var limit = 10
  var usesHTTP = false
  /// How long the server of `--http` may be silent, and a client of it.
  var patience: Duration = .seconds(10)
  var decoding = LibraryModel.Decoding.concurrent
  var isQuiet = false

  /// - Returns: `nil` when help was asked for.
  init?(_ arguments: inout Arguments) throws(UsageError) {
    while let option = try arguments.option() {
      switch option {
      case "--catalogue": catalogue = try arguments.value(of: option)
      case "--query": queries.append(try arguments.value(of: option, mayBeEmpty: true))
      case "--typing": typing = try arguments.duration(of: option)
      case "--latency": latency = try arguments.duration(of: option)
      case "--debounce": debounce = try arguments.duration(of: option)
      case "--limit": limit = try arguments.number(of: option, in: 0...SearchResults.page)
      case "--http": usesHTTP = true
      case "--decode-on-main": decoding = .onMainActor
      case "--quiet": isQuiet = true
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
    if queries.isEmpty { queries = ["concurrency"] }
  }
}
