/// Searches a catalogue in this process.

/// A service without a network: it answers after `latency`, as a server would.
public struct InMemoryArticleService: ArticleService {
  public let catalogue: Catalogue
  public let latency: Duration
  /// Receives the length of each search, without the latency.
  public let times: QueryTimes

  public init(catalogue: Catalogue, latency: Duration = .zero, times: QueryTimes = QueryTimes()) {
    self.catalogue = catalogue
    self.latency = latency
    self.times = times
  }

  /// - Throws: `CancellationError` when the caller's task is cancelled before the answer.
  @concurrent
  public func search(_ query: String) async throws -> SearchResults {
    if latency > .zero { try await Task.sleep(for: latency) }
    try Task.checkCancellation()
    return times.measure { catalogue.search(query) }
  }
}
