import Catalogue
import CatalogueMaker
import Foundation
import Testing

@Suite("The made catalogue", .timeLimit(.minutes(30)))
struct CatalogueMakerTests {
  @Test("is the same from the same seed, and another from another")
  func deterministic() {
    #expect(CatalogueMaker(count: 500, seed: 5).articles() == CatalogueMaker(count: 500, seed: 5).articles())
    #expect(CatalogueMaker(count: 500, seed: 5).articles() != CatalogueMaker(count: 500, seed: 6).articles())
    // A longer catalogue begins with the shorter one.
    #expect(CatalogueMaker(count: 500).articles() == Array(CatalogueMaker(count: 900).articles().prefix(500)))
  }

  @Test("holds over 50,000 articles with distinct numbers, and about ten megabytes")
  func size() async throws {
    #expect(CatalogueMaker.defaultCount >= 50_000)
    let sample = 2_000
    let path = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = try await CatalogueMaker(count: sample).write(to: path)
    #expect((9_500_000...12_500_000).contains(bytes * CatalogueMaker.defaultCount / sample))
    let articles = CatalogueMaker(count: sample).articles()
    #expect(articles.map(\.id) == Array(1...sample))
  }

  @Test("has titles as varied as real ones: with diacritics, some twice, no two runs of one")
  func titles() {
    let titles = CatalogueMaker(count: 10_000).articles().map(\.title)
    let distinct = Set(titles)
    #expect((7_000..<10_000).contains(distinct.count))
    let accented = titles.count { title in !title.utf8.allSatisfy { $0 < 0x80 } }
    #expect((2_000...8_000).contains(accented))
    #expect(titles.allSatisfy { (8...120).contains($0.count) && !$0.contains("  ") && $0.first?.isLowercase != true })
  }

  @Test("cannot be written where there is no room for it, and says where")
  func unwritable() async {
    let error = await #expect(throws: CatalogueMakerError.self) {
      try await CatalogueMaker(count: 1).write(to: "/dev/null/catalogue.json")
    }
    #expect(error?.description.contains("/dev/null/catalogue.json") == true)
    #expect(error?.description.contains("--output") == true)
  }
}
