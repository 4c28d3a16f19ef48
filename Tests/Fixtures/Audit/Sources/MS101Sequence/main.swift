/// A program without tasks does one thing after the other and ends: there is no other job that could wait.
import Foundation

@MainActor
final class Words {
  private var all: [Substring] = []

  func read(_ url: URL) throws {
    all += try String(contentsOf: url, encoding: .utf8).split(separator: " ")  // expect: main_actor_blocking note
  }

  var count: Int { all.count }
}

let words = Words()
for path in CommandLine.arguments.dropFirst() { try words.read(URL(fileURLWithPath: path)) }
print(words.count)
