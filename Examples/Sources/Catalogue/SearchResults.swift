/// The answer to one query.

/// The first articles found, and how many there are: what a screen shows, so that a query of one letter does not carry
/// half the catalogue to the main actor.
public struct SearchResults: Codable, Equatable, Sendable {
  /// How many articles an answer carries when nobody asks for another number.
  public static let page = 50

  /// The query as it was asked.
  public let query: String
  /// How many articles were found in all.
  public let total: Int
  /// The first of them.
  public let articles: [Article]

  public init(query: String, total: Int, articles: [Article]) {
    self.query = query
    self.total = total
    self.articles = articles
  }
}
