import Catalogue
import CatalogueMaker
import Foundation
import Search
import Terminal
import Testing

@testable import gallery

@MainActor
@Suite("The gallery command", .timeLimit(.minutes(30)))
struct GalleryTests {
  private let transcript = Transcript()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")

  @Test("types a query, shows its phases and prints the articles found")
  func search() async throws {
    let path = try await makeCatalogue()
    defer { try? FileManager.default.removeItem(at: folder) }
    let status = await run("search", "--catalogue", path, "--query", "Café", "--typing", "0ms", "--latency=0ms")
    #expect(status == .success)

    let expected = try await CatalogueFile(path: path).catalogue().search("Café")
    #expect(expected.total > 10, "the catalogue has enough cafés to show ten")
    #expect(transcript.lines.first == "\(expected.total) articles for \"Café\"")
    #expect(transcript.lines.count == 11)
    for (article, line) in zip(expected.articles, transcript.lines.dropFirst()) {
      #expect(line == "  \(article.published)  \(article.title)  @\(article.username)")
    }
    #expect(transcript.notes.first == "opening  \(path)")
    #expect(transcript.notes.contains { $0.hasPrefix("open     400 articles after ") && $0.contains(" off the main") })
    #expect(transcript.notes.contains("loaded   \"Café\": \(expected.total) articles"))
    let timing = try #require(transcript.notes.last)
    #expect(timing.hasPrefix("timed    ") && timing.hasSuffix(" ms, off the main actor"))
  }

  @Test(
    "prints the same, wherever it decodes and whoever it asks",
    arguments: [["--decode-on-main"], ["--http"], ["--http", "--debounce", "5ms"], ["--quiet"]])
  func variants(options: [String]) async throws {
    let path = try await makeCatalogue()
    defer { try? FileManager.default.removeItem(at: folder) }
    let search = [
      "search", "--catalogue", path, "--query", "the main", "--query", "@zoe.agren", "--query", "", "--typing", "1ms",
      "--latency", "1ms",
    ]
    #expect(await run(search) == .success)
    let other = Transcript()
    var arguments = Arguments(Array(search.dropFirst()) + options, of: "gallery search")
    var read = try #require(try SearchOptions(&arguments))
    // However long this machine stands still, nobody hangs up.
    read.patience = .seconds(3600)
    #expect(try await SearchSession.begin(read, on: other.console).run() == .success)
    #expect(other.lines == transcript.lines)
    #expect(other.lines.last == "no query")
    #expect(other.notes.isEmpty == options.contains("--quiet"))
  }

  @Test("a missing catalogue is named, with the script that makes it")
  func missingCatalogue() async {
    #expect(await run("search", "--catalogue", "/nowhere/catalogue.json") == .failure)
    #expect(transcript.lines.isEmpty)
    let last = transcript.notes.last ?? ""
    #expect(last.hasPrefix("gallery: there is no catalogue at /nowhere/catalogue.json."))
    #expect(last.contains("scripts/make-catalogue"))
  }

  @Test(
    "a command line that cannot be carried out says why and where the options are listed",
    arguments: [
      (["fly"], "there is no command \"fly\". See gallery --help."),
      (["search", "--bogus"], "there is no option --bogus. See gallery search --help."),
      (["search", "actors"], "\"actors\" belongs to no option. See gallery search --help."),
      (["search", "--catalogue", ""], "--catalogue needs a value. See gallery search --help."),
      (["playback", "--settings="], "--settings needs a value. See gallery playback --help."),
      (["search", "--query"], "--query needs a value. See gallery search --help."),
      (["search", "--typing", "30"], "--typing is a number with us, ms or s, up to 60s, not \"30\". See"),
      (["search", "--typing=-1ms"], "--typing is a number with us, ms or s, up to 60s, not \"-1ms\". See"),
      (["search", "--latency", "2000s"], "--latency is a number with us, ms or s, up to 60s, not \"2000s\". See"),
      (["search", "--limit", "51"], "--limit is 0 to 50, not \"51\". See gallery search --help."),
      (["make-catalogue", "--articles", "0"], "--articles is 1 to 1000000, not \"0\". See gallery make-catalogue"),
    ])
  func misuse(arguments: [String], message: String) async {
    #expect(await run(arguments) == .usage)
    #expect(transcript.lines.isEmpty)
    #expect(transcript.notes.count == 1)
    #expect(transcript.notes[0].hasPrefix("gallery: " + message))
  }

  @Test(
    "help lists every option, on standard output",
    arguments: [[], ["--help"], ["search", "--help"], ["make-catalogue", "-h"]])
  func help(arguments: [String]) async {
    #expect(await run(arguments) == .success)
    #expect(transcript.notes.isEmpty)
    #expect(transcript.lines.joined().contains("USAGE: gallery"))
  }

  @Test("durations and numbers are read as written")
  func values() throws {
    var arguments = Arguments(
      ["--typing=2.5ms", "--latency", "1s", "--debounce", "80us", "--limit", "0"], of: "gallery")
    let options = try #require(try SearchOptions(&arguments))
    #expect(options.typing == .microseconds(2500))
    #expect(options.latency == .seconds(1))
    #expect(options.debounce == .microseconds(80))
    #expect(options.limit == 0)
    #expect(options.queries == ["concurrency"])
  }

  private func makeCatalogue() async throws -> String {
    let path = folder.appending(path: "catalogue.json").path
    #expect(await run("make-catalogue", "--output", path, "--articles", "400") == .success)
    #expect(transcript.notes.last?.hasPrefix("wrote \(path): 400 articles, ") == true)
    transcript.clear()
    return path
  }

  private func run(_ arguments: String...) async -> ExitCode {
    await run(arguments)
  }

  private func run(_ arguments: [String]) async -> ExitCode {
    await Gallery.run(arguments, on: transcript.console)
  }
}
