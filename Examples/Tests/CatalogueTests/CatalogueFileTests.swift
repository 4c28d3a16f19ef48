import Catalogue
import CatalogueMaker
import Foundation
import Testing

@Suite("A catalogue on disk", .timeLimit(.minutes(30)))
struct CatalogueFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")

  @Test("what the maker writes is what the file holds, decoded concurrently or here")
  func roundTrip() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "deep/catalogue.json").path
    let maker = CatalogueMaker(count: 300, seed: 3)
    let size = try await maker.write(to: path)
    let file = CatalogueFile(path: path)
    let data = try await file.contents()
    #expect(data.count == size)
    #expect(try await file.catalogue().articles == maker.articles())
    #expect(try file.articlesDecodedHere(from: data) == maker.articles())
  }

  @Test("a missing catalogue names the file and the script that makes it")
  func missing() async throws {
    let path = folder.appending(path: "nowhere.json").path
    let error = await #expect(throws: CatalogueError.self) { try await CatalogueFile(path: path).catalogue() }
    #expect(error == .missing(path: path))
    let message = try #require(error).description
    #expect(message.contains(path) && message.contains("scripts/make-catalogue"))
  }

  @Test("a folder is unreadable as a catalogue, and the message names it")
  func unreadable() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = await #expect(throws: CatalogueError.self) { try await CatalogueFile(path: folder.path).catalogue() }
    #expect(error == .unreadable(path: folder.path, reason: "Is a directory"))
    #expect(error?.description.contains("\(folder.path) cannot be read: Is a directory. Make it with") == true)
  }

  @Test(
    "a corrupt catalogue names the file, what is wrong and where, and the script that makes it anew",
    arguments: [
      ("", "not valid JSON: unexpected end of file"),
      ("{\"schema\": \"gallery.catalogue/1\", \"articles\": [", "not valid JSON: unexpected end of file"),
      ("<html>", "not valid JSON: invalid value around character 0"),
      ("{\"schema\": gallery", "not valid JSON: invalid value around character 11"),
      ("[]", "found an array"),
      ("{\"articles\": []}", "\"schema\" is missing"),
      ("{\"schema\": \"gallery.catalogue/2\", \"articles\": []}", "its schema is \"gallery.catalogue/2\""),
      (article("\"id\": 1"), "\"title\" is missing at articles[0]"),
      (article("\"id\": \"one\""), "articles[0].id"),
      (
        article(
          "\"id\": 1, \"title\": \"\", \"author\": \"\", \"summary\": \"\", \"tags\": [], \"published\": \"2021-02-29\""
        ),
        "\"2021-02-29\" is not a day as 2021-04-05 at articles[0].published"
      ),
    ])
  func corrupt(document: String, problem: String) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "catalogue.json").path
    try Data(document.utf8).write(to: URL(fileURLWithPath: path))
    let error = await #expect(throws: CatalogueError.self) { try await CatalogueFile(path: path).catalogue() }
    let message = try #require(error).description
    #expect(message.contains("\(path) is not a catalogue"))
    #expect(message.contains(problem))
    #expect(message.contains("scripts/make-catalogue"))
  }

  private static func article(_ fields: String) -> String {
    "{\"schema\": \"gallery.catalogue/1\", \"articles\": [{\(fields)}]}"
  }
}

@Suite("A publication day", .timeLimit(.minutes(30)))
struct PublicationDayTests {
  @Test("is read as it is written", arguments: ["2021-04-05", "2020-02-29", "0001-01-01", "9999-12-31", "2000-02-29"])
  func reads(text: String) throws {
    #expect(try #require(PublicationDay(text)).description == text)
  }

  @Test(
    "is refused when it is no day",
    arguments: [
      "2021-02-29", "1900-02-29", "2021-13-01", "2021-00-10", "2021-04-31", "0000-01-01", "2021-4-5", "21-04-05",
      "2021/04/05", "2021-04-05T00:00", "", "２０２１-04", "+021-04-05",
    ])
  func refuses(text: String) {
    #expect(PublicationDay(text) == nil)
  }

  @Test("comes before the next one")
  func order() throws {
    let days = try ["2019-12-31", "2020-01-01", "2020-01-02", "2020-02-01"].map { try #require(PublicationDay($0)) }
    #expect(days.shuffled().sorted() == days)
  }
}
