import Testing

@testable import wallet

@Suite("The help of the wallet command")
struct HelpTests {
  private let transcript = Transcript()

  private func help(_ words: [String]) async -> String {
    transcript.clear()
    #expect(await Wallet.run(words, on: transcript.console) == .success)
    #expect(transcript.notes == [])
    return transcript.lines.joined(separator: "\n")
  }

  /// Wherever its lines end.
  private func words(_ text: String) -> String { text.split { $0.isWhitespace }.joined(separator: " ") }

  @Test("lists every command and every bench", arguments: [[], ["--help"], ["-h"], ["help"], ["--help", "open"]])
  func all(asked: [String]) async {
    let text = await help(asked)
    #expect(text.contains("USAGE: wallet COMMAND"))
    for command in Command.all {
      #expect(text.contains("\n  \(command.usage.dropFirst("wallet ".count))  "))
      #expect(words(text).contains(words(command.summary)))
    }
    #expect(text.contains("--store") && text.contains("--postgres"))
  }

  @Test("of a command is its own, wherever it is asked for", arguments: Command.all.map(\.name))
  func one(name: String) async throws {
    let command = try #require(Command.named(name))
    let text = await help([name, "--help"])
    for words in [["help", name], [name, "-h"], [name, "a", "b", "--help"]] { #expect(await help(words) == text) }
    #expect(text.contains("USAGE: \(command.usage) [OPTIONS]"))
    let options = text.split(separator: "\n").filter { $0.hasPrefix("  --") }
    #expect(options.map { $0.split(separator: " ").first.map(String.init) } == command.options.map(\.name))
    for other in Command.all where other.name != name { #expect(!text.contains("wallet \(other.name) ")) }
    if name == "bench" { for bench in Bench.names { #expect(text.contains(bench)) } }
  }

  @Test("fits 80 columns", arguments: [[]] + Command.all.map { [$0.name, "--help"] })
  func width(words: [String]) async {
    for line in await help(words).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("an error has lines of 80 columns at most on a terminal, and is one line in a file")
  func errors() async {
    let words = ["open", "a b"]
    #expect(await Wallet.run(words, on: transcript.console) == .failure)
    let line = transcript.notes.joined()
    #expect(line.count > 80 && !line.contains("\n"))
    transcript.clear()
    var console = transcript.console
    console.noteWidth = 120
    #expect(await Wallet.run(words, on: console) == .failure)
    let lines = transcript.notes.joined().split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 80 } && lines[1].hasPrefix("  "))
    #expect(lines[0] + lines[1].dropFirst() == line)
  }
}
