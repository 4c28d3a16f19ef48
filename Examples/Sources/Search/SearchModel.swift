/// The state of a search field and of what is shown beneath it.
import Catalogue
import Mainstay
import Observation

@Observable
public final class SearchModel {
  /// What the screen shows. There is one phase at a time, so it never shows a spinner beside an error.
  nonisolated public enum Phase: Equatable, Sendable {
    case idle
    case loading(query: String)
    case loaded(SearchResults)
    case failed(String)
  }

  /// The text in the search field, as typed.
  public private(set) var query = ""
  public private(set) var phase: Phase = .idle

  private let service: any ArticleService
  private let debounce: Duration
  private let clock: any Clock<Duration>
  @ObservationIgnored private let latest = LatestTask()

  /// - Parameters:
  ///   - service: who is asked.
  ///   - debounce: how long a query must stand before the service is asked. Zero suits a service in memory; over a
  ///     network, some 80 ms spare the server most of the keystrokes of a fast typist.
  ///   - clock: what measures `debounce`.
  public init(
    service: any ArticleService, debounce: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.service = service
    self.debounce = debounce
    self.clock = clock
  }

  /// Call it for every change of the search field.
  ///
  /// The phase has changed when this returns: no frame shows the new text above the old results. A query that differs
  /// from the previous one only in what ``cacheKey(for:)`` ignores asks nothing again.
  public func queryChanged(_ query: String) {
    let key = cacheKey(for: query)
    let isSameSearch = key == cacheKey(for: self.query)
    self.query = query
    switch phase {
    case _ where key.isEmpty:
      latest.cancel()
      phase = .idle
    case .loading where isSameSearch:
      phase = .loading(query: query)
    case .loaded where isSameSearch:
      break
    default:
      search(after: debounce)
    }
  }

  /// Call it when the reader asks for the search itself, by the Return key or after a failure.
  ///
  /// Asks the service at once, even when the query is the same.
  public func submitSearch() {
    guard !cacheKey(for: query).isEmpty else { return }
    search(after: .zero)
  }

  /// Returns when no search is in flight, neither the newest nor one it superseded, also when others start meanwhile.
  public func settle() async {
    await latest.drain()
  }

  /// What two queries have in common when they find the same articles; empty for a query that asks for none.
  nonisolated public func cacheKey(for query: String) -> String {
    guard query.hasPrefix("@") else { return SearchText.folded(query) }
    let username = normalizedUsername(query)
    return username.isEmpty ? "" : "@" + username
  }

  /// The form in which the catalogue keeps the names of its authors.
  nonisolated public func normalizedUsername(_ username: String) -> String {
    UserName.normalized(username)
  }

  private func search(after pause: Duration) {
    phase = .loading(query: query)
    latest.start { [service, clock, query] in
      if pause > .zero { try await clock.sleep(for: pause) }
      return try await service.search(query)
    } apply: { [weak self] outcome in
      self?.show(outcome)
    }
  }

  private func show(_ outcome: Result<SearchResults, any Error>) {
    switch outcome {
    case .success(let results): phase = .loaded(results)
    case .failure(let error): phase = .failed("Search failed: \(error)")
    }
  }
}

/// The phase, as the parts of a screen ask for it.
extension SearchModel {
  /// The articles to show; none while loading.
  public var results: [Article] {
    if case .loaded(let results) = phase { results.articles } else { [] }
  }

  /// True from the keystroke to its outcome.
  public var isLoading: Bool {
    if case .loading = phase { true } else { false }
  }

  /// What to say when the search failed.
  public var errorMessage: String? {
    if case .failed(let message) = phase { message } else { nil }
  }
}
