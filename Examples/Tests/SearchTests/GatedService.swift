/// A service that answers when the test says so, in any order.
import Catalogue

/// Ignores cancellation, as the worst of services do: a superseded search still returns, later, with anything.
actor GatedService: ArticleService {
  typealias Answer = Result<SearchResults, any Error>

  /// The queries asked, in order. The position of a query is its number.
  private(set) var asked: [String] = []
  private var waiting: [Int: CheckedContinuation<SearchResults, any Error>] = [:]
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// The numbers of the searches without an answer.
  var pending: [Int] { waiting.keys.sorted() }

  func search(_ query: String) async throws -> SearchResults {
    let number = asked.count
    asked.append(query)
    return try await withCheckedThrowingContinuation { continuation in
      waiting[number] = continuation
      for watcher in watchers where watcher.count <= asked.count { watcher.continuation.resume() }
      watchers.removeAll { $0.count <= asked.count }
    }
  }

  /// Returns when the service has been asked `count` times.
  func wasAsked(_ count: Int) async {
    guard asked.count < count else { return }
    await withCheckedContinuation { watchers.append((count, $0)) }
  }

  func answer(_ number: Int, with answer: Answer) {
    waiting.removeValue(forKey: number)?.resume(with: answer)
  }

  /// Answers with one article that is named after the query.
  func answer(_ number: Int) {
    answer(number, with: .success(.named(asked[number])))
  }
}

extension SearchResults {
  /// What the services of the tests find: one article, its title the query.
  static func named(_ query: String) -> SearchResults {
    SearchResults(query: query, total: 1, articles: [.titled(query)])
  }
}

extension Article {
  static func titled(_ title: String, id: Int = 1) -> Article {
    guard let day = PublicationDay(year: 2020, month: 2, day: 29) else { preconditionFailure("a leap day") }
    return Article(
      id: id, title: title, author: "Zoë Ågren", summary: "On \(title).", tags: ["test"], published: day, imageSeed: 1)
  }
}

/// A service's own error, which tells whose it is.
struct Refusal: Error, CustomStringConvertible {
  let query: String
  var description: String { "refused \(query)" }
}
