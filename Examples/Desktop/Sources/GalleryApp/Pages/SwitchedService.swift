/// The search of the page: by the index off the main actor, or title by title on it.
import Catalogue
import Foundation
import Synchronization

/// Belongs to no actor; the page may change its mind while a search runs.
nonisolated final class SwitchedService: ArticleService {
  struct Settings {
    var isOnMain = false
    /// Answers late and sometimes not at all.
    var isUnreliable = false
  }

  /// How many articles the page lists.
  static let limit = 1000

  private let catalogue: Catalogue
  private let settings = Mutex(Settings())

  init(catalogue: Catalogue) {
    self.catalogue = catalogue
  }

  func change(_ body: (inout Settings) -> Void) {
    settings.withLock { body(&$0) }
  }

  @concurrent
  func search(_ query: String) async throws -> SearchResults {
    let settings = settings.withLock { $0 }
    if settings.isUnreliable {
      try await Task.sleep(for: .milliseconds(Int.random(in: 50...400)))
      if Int.random(in: 0..<4) == 0 { throw Unreliable() }
    }
    try Task.checkCancellation()
    return settings.isOnMain ? await scanned(for: query) : catalogue.search(query, limit: Self.limit)
  }

  /// The mistake: every title is compared by one main-actor job.
  @MainActor
  private func scanned(for query: String) -> SearchResults {
    let found = catalogue.articles.filter { article in
      article.title.range(of: query, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
    return SearchResults(query: query, total: found.count, articles: Array(found.prefix(Self.limit)))
  }

  private struct Unreliable: Error, CustomStringConvertible {
    let description = "the service did not answer. Press Return to try again."
  }
}
