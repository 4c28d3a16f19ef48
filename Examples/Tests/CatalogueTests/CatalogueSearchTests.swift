import Catalogue
import CatalogueMaker
import Foundation
import Testing

@Suite("Searching fifty thousand titles", .timeLimit(.minutes(30)))
struct CatalogueSearchTests {
  /// The catalogue that the demonstration uses; made once for all tests.
  static let catalogue = Catalogue(CatalogueMaker().articles())

  @Test(
    "finds what Foundation finds when it looks at every title",
    arguments: ["cafe", "ÅRHUS", "concurrency", "“naïve”", "東京", "αθηνα", "(Part 3)", "no such title", "e"])
  func likeFoundation(query: String) {
    let articles = Self.catalogue.articles
    let expected = articles.filter { $0.title.localizedStandardContains(query) }.map(\.id)
    let results = Self.catalogue.search(query, limit: .max)
    #expect(results.articles.map(\.id) == expected)
    #expect(results.total == expected.count)
  }

  @Test("finds what Foundation finds without regard to case alone, when the query has no diacritics and no title has")
  func likeCaseInsensitive() {
    let articles = Self.catalogue.articles.filter { $0.title.utf8.allSatisfy { $0 < 0x80 } }
    let catalogue = Catalogue(articles)
    for query in ["ACTOR", "the main", "Of", "7 s", "x"] {
      let expected = articles.filter { $0.title.localizedCaseInsensitiveContains(query) }.map(\.id)
      #expect(catalogue.search(query, limit: .max).articles.map(\.id) == expected, "\(query)")
    }
  }

  @Test("finds every part of every title")
  func partsOfTitles() {
    let titles = Self.catalogue.articles.map(\.title)
    for position in stride(from: 0, to: titles.count, by: 997) {
      let title = titles[position]
      let part = String(title.dropFirst(position % 7).prefix(3 + position % 20))
      let found = Self.catalogue.search(part, limit: .max).articles.map(\.id)
      #expect(found.contains(position + 1), "\(part) in \(title)")
      #expect(Set(found).count == found.count && found == found.sorted())
    }
  }

  @Test("a match never spans two titles, at either end of the text")
  func boundaries() {
    let catalogue = Self.catalogue(of: ["ab", "ba", "", "aab", "b"])
    #expect(catalogue.search("bb").total == 0)
    #expect(catalogue.search("ab").articles.map(\.title) == ["ab", "aab"])
    #expect(catalogue.search("b").articles.map(\.title) == ["ab", "ba", "aab", "b"])
    #expect(catalogue.search("aab").articles.map(\.title) == ["aab"])
    #expect(catalogue.search("abc").total == 0)
    #expect(catalogue.search("a\u{0}b").total == 2, "NUL is no character of a query")
    #expect(Self.catalogue(of: []).search("a").total == 0)
    #expect(Self.catalogue(of: [""]).search("a").total == 0)
  }

  @Test("an empty query finds nothing", arguments: ["", "  ", "\u{301}", "@", "@ "])
  func emptyQuery(query: String) {
    #expect(Self.catalogue.search(query).total == 0)
  }

  @Test("a query with @ finds the articles of an author")
  func authors() {
    let results = Self.catalogue.search("@ZOË ågren", limit: .max)
    #expect(results.total > 0)
    #expect(results.articles.map(\.id) == Self.catalogue.articles.filter { $0.author == "Zoë Ågren" }.map(\.id))
  }

  @Test("results count all and carry the first")
  func limits() {
    let results = Self.catalogue.search("e")
    #expect(results.total > 40_000)
    #expect(results.articles.count == SearchResults.page)
    #expect(Self.catalogue.search("e", limit: 0).articles.isEmpty)
  }

  private static func catalogue(of titles: [String]) -> Catalogue {
    let made = CatalogueMaker(count: 1).articles()[0]
    return Catalogue(
      titles.enumerated().map { number, title in
        Article(
          id: number, title: title, author: made.author, summary: made.summary, tags: made.tags,
          published: made.published, imageSeed: made.imageSeed)
      })
  }
}
