/// What the top level of a program with tasks calls, what its commands do, and what goes on while it waits for more.
import Foundation

struct Settings: Decodable {
  var names: [String]

  @MainActor static func read(_ url: URL) throws -> Settings {
    let data = try Data(contentsOf: url)  // expect: main_actor_blocking note
    return try JSONDecoder().decode(Settings.self, from: data)  // expect: main_actor_blocking note
  }
}

enum Report {
  @MainActor static func write(_ name: String, to url: URL) throws {
    try Data(name.utf8).write(to: url)  // expect: main_actor_blocking note
  }
}

/// What blocks keeps the program's tasks from the main actor.
enum Rest {
  @MainActor static func take() { usleep(80_000) }  // expect: main_actor_blocking warning
}

protocol ParsableCommand {
  @MainActor func run() throws
}

struct Count: ParsableCommand {
  var path: String
  func run() throws {
    print(try String(contentsOfFile: path, encoding: .utf8).count)  // expect: main_actor_blocking note
    try Report.write("count", to: URL(fileURLWithPath: path))
    Counted().count(path)
  }
}

/// An object, which others may hold.
@MainActor
final class Counted {
  func count(_ path: String) { _ = FileManager.default.contents(atPath: path) }  // expect: main_actor_blocking warning
}

@MainActor
final class Feed {
  let names = AsyncStream<String> { $0.finish() }
  private var shown = 0

  /// In each turn of a loop that waits for the next name.
  func show(_ url: URL) async { shown += size(url) }

  private func size(_ url: URL) -> Int { (try? Data(contentsOf: url))?.count ?? 0 }  // expect: main_actor_blocking

  /// A task that goes on while the others wait.
  func watch(_ url: URL) {
    Task { _ = try? Data(contentsOf: url) }  // expect: main_actor_blocking
  }
}
