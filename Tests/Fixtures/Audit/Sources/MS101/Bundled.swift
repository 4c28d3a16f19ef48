/// Files that the program brings with it, and those that it is given.
import Foundation
import MS101Core

/// As large as their author made them: a note.
@MainActor
final class Shortcuts {
  var rows: [Row] = []
  func load() throws {
    guard let url = Bundle.main.url(forResource: "Shortcuts", withExtension: "json") else { return }
    let data = try Data(contentsOf: url)
    rows = try JSONDecoder().decode([Row].self, from: data)
  }
}

@MainActor
final class Documents {
  func load(_ url: URL) throws -> Data {
    guard url != Bundle.main.bundleURL else { return Data() }
    return try Data(contentsOf: url)  // expect: main_actor_blocking
  }
}
