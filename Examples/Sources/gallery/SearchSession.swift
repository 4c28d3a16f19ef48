/// A reader at the search field: opens the catalogue, types, looks.
import Catalogue
import Foundation
import LocalServer
import Search

/// Owns what an application's window would own, for as long as the process runs.
@MainActor
final class SearchSession {
  /// The one session of the process. It is never ended: letting go of the catalogue is some milliseconds of freeing.
  private static var current: SearchSession?

  private let options: SearchOptions
  private let console: Console
  private let library = LibraryModel()
  private let times = QueryTimes()
  private var server: LocalServer?

  private init(_ options: SearchOptions, on console: Console) {
    self.options = options
    self.console = console
  }

  static func begin(_ options: SearchOptions, on console: Console) -> SearchSession {
    let session = SearchSession(options, on: console)
    current = session
    return session
  }

  /// - Throws: `CatalogueError`, `LocalServerError`.
  func run() async throws -> ExitCode {
    let catalogue = try await openCatalogue()
    let search = SearchModel(service: try service(for: catalogue), debounce: options.debounce)
    let screen = Screen(of: search, on: options.isQuiet ? nil : console)
    screen.start()
    defer { screen.stop() }
    var status = ExitCode.success
    for query in options.queries {
      try await type(query, into: search)
      await search.settle()
      screen.draw()
      if !report(search.phase) { status = .failure }
    }
    noteTimes()
    return status
  }

  private func openCatalogue() async throws(CatalogueError) -> Catalogue {
    let file = CatalogueFile(path: options.catalogue)
    let start = ContinuousClock.now
    library.open(file, decoding: options.decoding)
    note("opening  \(file.path)")
    await library.settle()
    switch library.phase {
    case .open(let catalogue):
      let seconds = start.duration(to: .now) / .seconds(1)
      let place = options.decoding == .onMainActor ? "on" : "off"
      note(
        "open     \(catalogue.articles.count) articles after \(Int(seconds * 1000)) ms, decoded \(place) the main actor"
      )
      return catalogue
    case .failed(let error):
      throw error
    case .closed, .opening:
      preconditionFailure("a library that has settled is open or has failed")
    }
  }

  private func service(for catalogue: Catalogue) throws(LocalServerError) -> any ArticleService {
    guard options.usesHTTP else {
      return InMemoryArticleService(catalogue: catalogue, latency: options.latency, times: times)
    }
    let endpoint = SearchEndpoint(catalogue: catalogue, latency: options.latency, times: times)
    let server = try LocalServer(patience: options.patience) { endpoint.reply(to: $0) }
    self.server = server
    note("serving  \(server.url.absoluteString)/search?q=")
    return HTTPArticleService(server: server.url, timeout: options.patience)
  }

  /// One keystroke after another, without waiting for answers. Each query replaces the one before, as when a reader
  /// selects it all and types.
  private func type(_ query: String, into search: SearchModel) async throws {
    for end in query.indices {
      search.queryChanged(String(query[...end]))
      try await Task.sleep(for: options.typing)
    }
    if query.isEmpty { search.queryChanged(query) }
  }

  /// Prints the articles on the screen.
  ///
  /// - Returns: false when the search failed.
  private func report(_ phase: SearchModel.Phase) -> Bool {
    switch phase {
    case .loaded(let results):
      console.print("\(results.total) articles for \"\(results.query)\"")
      for article in results.articles.prefix(options.limit) {
        console.print("  \(article.published)  \(article.title)  @\(article.username)")
      }
    case .failed(let message):
      console.complain("\(message)")
      return false
    case .idle, .loading:
      console.print("no query")
    }
    return true
  }

  /// What the service's own work took, of which the main actor did nothing.
  private func noteTimes() {
    guard times.count > 0 else { return }
    let lengths =
      times.count == 1
      ? "1 query: \(milliseconds(times.worst))"
      : "\(times.count) queries: median \(milliseconds(times.median)), worst \(milliseconds(times.worst))"
    note("timed    \(lengths), off the main actor")
  }

  nonisolated private func milliseconds(_ length: Duration) -> String {
    String(format: "%.2f ms", length / .milliseconds(1))
  }

  private func note(_ line: String) {
    if !options.isQuiet { console.note(line) }
  }
}
