/// The search of the page: by the index off the main actor, or title by title on it; by others when there are any.
import Catalogue
import Foundation
import Synchronization

/// Belongs to no actor; the page may change its mind while a search runs.
nonisolated final class SwitchedService: ArticleService {
  /// Who is asked.
  enum Source: CaseIterable {
    case memory
    /// Answers late and sometimes not at all.
    case unreliable
    /// Over HTTP: whatever is at the other end.
    case server

    var title: String {
      switch self {
      case .memory: "In memory"
      case .unreliable: "Slow and unreliable"
      case .server: "Server"
      }
    }
  }

  struct Settings {
    var isOnMain = false
    var source = Source.memory
  }

  /// How many articles the page lists.
  static let limit = 1000

  private let catalogue: Catalogue
  private let server: HTTPArticleService?
  private let settings = Mutex(Settings())

  /// - Parameter server: who is asked for ``Source/server``; nil when nobody can be.
  init(catalogue: Catalogue, server: HTTPArticleService?) {
    self.catalogue = catalogue
    self.server = server
  }

  func change(_ body: (inout Settings) -> Void) {
    settings.withLock { body(&$0) }
  }

  @concurrent
  func search(_ query: String) async throws -> SearchResults {
    let settings = settings.withLock { $0 }
    if settings.source == .server, let server { return try await server.search(query) }
    if settings.source == .unreliable {
      try await Task.sleep(for: .milliseconds(Int.random(in: 50...400)))
      if Int.random(in: 0..<4) == 0 { throw Unreliable() }
    }
    try Task.checkCancellation()
    return settings.isOnMain ? await scanned(for: query) : catalogue.search(query, limit: Self.limit)
  }

  /// The mistake: every title is compared by one main-actor job.
  @MainActor
  private func scanned(for query: String) -> SearchResults {
    let found = articles(comparedWith: query)
    return SearchResults(query: query, total: found.count, articles: Array(found.prefix(Self.limit)))
  }

  /// Compares every title where it is called: some 70 ms for 52,000. `.mainstay.json` tells the audit so.
  private func articles(comparedWith query: String) -> [Article] {
    catalogue.articles.filter { article in
      article.title.range(of: query, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
  }

  private struct Unreliable: Error, CustomStringConvertible {
    let description = "the service did not answer. Press Return to try again."
  }
}
