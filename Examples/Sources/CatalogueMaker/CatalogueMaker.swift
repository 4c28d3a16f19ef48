/// Makes a catalogue of articles that look like real ones, the same from the same seed.
import Catalogue
import Foundation

public struct CatalogueMaker: Sendable {
  /// About ten megabytes of JSON.
  public static let defaultCount = 52_000

  public let count: Int
  public let seed: UInt64

  public init(count: Int = Self.defaultCount, seed: UInt64 = 1) {
    self.count = count
    self.seed = seed
  }

  /// Makes the articles and writes them to `path`, whole or not at all; makes its folder. Works off the caller's actor.
  ///
  /// - Returns: the size in bytes.
  @concurrent
  public func write(to path: String) async throws(CatalogueMakerError) -> Int {
    do {
      let file = URL(fileURLWithPath: path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let document = try document()
      // What is no regular file, such as /dev/null, stays what it is.
      let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
      try document.write(to: file, options: type == nil || type == .typeRegular ? .atomic : [])
      return document.count
    } catch {
      throw CatalogueMakerError(path: path, reason: error.localizedDescription)
    }
  }

  /// The articles, in order of their numbers.
  public func articles() -> [Article] {
    var generator = SeededGenerator(seed: seed)
    var articles: [Article] = []
    articles.reserveCapacity(count)
    for id in 1...max(1, count) {
      // Real catalogues hold the same headline more than once: a column, a second edition, a translation.
      let earlier = generator.oneIn(20) && !articles.isEmpty ? generator.element(of: articles).title : nil
      articles.append(Self.article(id: id, title: earlier, using: &generator))
    }
    return articles
  }

  /// One article a line, so that a person can read the file and a difference shows one article.
  private func document() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var document = Data("{\"schema\":\"\(CataloguePayload.schema)\",\"articles\":[\n".utf8)
    for (position, article) in articles().enumerated() {
      if position > 0 { document.append(contentsOf: ",\n".utf8) }
      document.append(try encoder.encode(article))
    }
    document.append(contentsOf: "\n]}\n".utf8)
    return document
  }

  private static func article(id: Int, title: String?, using generator: inout SeededGenerator) -> Article {
    let given = generator.element(of: Vocabulary.givenNames)
    let author = given + " " + generator.element(of: Vocabulary.familyNames)
    let title = title ?? Self.title(using: &generator)
    var tags: [String] = []
    for _ in 0..<generator.number(in: 1...2) {
      let tag = generator.element(of: Vocabulary.tags)
      if !tags.contains(tag) { tags.append(tag) }
    }
    return Article(
      id: id, title: title, author: author,
      summary: summary(by: given, using: &generator), tags: tags, published: day(using: &generator),
      imageSeed: UInt32(generator.number(below: 100_000)))
  }

  private static func title(using generator: inout SeededGenerator) -> String {
    let subject = generator.element(of: Vocabulary.subjects)
    let other = generator.element(of: Vocabulary.subjects)
    let place = generator.element(of: Vocabulary.places)
    let quality = generator.element(of: Vocabulary.qualities)
    let number = generator.number(in: 3...40)
    return switch generator.number(below: 12) {
    case 0: "A Short History of \(subject) in \(place)"
    case 1: "\(capitalized(subject)) in \(place), \(generator.number(in: 1900...2026))"
    case 2: "What \(place) Taught Me About \(subject)"
    case 3: "\(number) \(quality) Lessons from \(subject)"
    case 4: "\(capitalized(subject)), Explained in \(number) Steps"
    case 5: "Why \(capitalized(subject)) and \(other) Belong Together"
    case 6: "From \(place) to \(generator.element(of: Vocabulary.places)): a Journey by \(subject)"
    case 7: "The \(quality) Art of \(subject) and \(other)"
    case 8: "Notes on \(subject) and \(other) (Part \(generator.number(in: 1...9)))"
    case 9: "Against \(subject): the \(quality) Argument from \(place)"
    case 10: "Inside \(subject): How “\(quality)” Became a Virtue"
    default: "Café \(place): \(quality) Conversations on \(subject)"
    }
  }

  private static func summary(by author: String, using generator: inout SeededGenerator) -> String {
    let verb = generator.element(of: Vocabulary.verbs)
    return "\(author) \(verb) \(generator.element(of: Vocabulary.subjects)) in \(generator.number(in: 2...25)) minutes."
  }

  private static func day(using generator: inout SeededGenerator) -> PublicationDay {
    let year = generator.number(in: 1998...2026)
    let month = generator.number(in: 1...12)
    // Every month has the days up to 28.
    guard let day = PublicationDay(year: year, month: month, day: generator.number(in: 1...28)) else {
      preconditionFailure("the 1st to the 28th are days of every month")
    }
    return day
  }

  private static func capitalized(_ subject: String) -> String {
    subject.prefix(1).uppercased() + subject.dropFirst()
  }
}

/// Why the catalogue was not written.
public struct CatalogueMakerError: Error, CustomStringConvertible {
  public let path: String
  public let reason: String

  public var description: String {
    "the catalogue cannot be written to \(path): \(reason) Name another place with --output."
  }
}
