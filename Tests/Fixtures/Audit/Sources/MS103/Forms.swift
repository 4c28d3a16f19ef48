/// The forms in which work is sent away and comes back.
import Elsewhere
import Foundation

@MainActor
final class Album {
  var names: [String] = []
  let decode: (Data) -> [String]
  init() {
    decode = { data in
      (try? JSONDecoder().decode([String].self, from: data)) ?? []  // expect: main_actor_blocking
    }
  }

  /// A plain task with a priority: it inherits the main actor all the same.
  func refresh(_ url: URL) {
    Task(priority: .background) {  // expect: returns_to_main
      names = [(try? String(contentsOf: url, encoding: .utf8)) ?? ""]  // expect: main_actor_blocking
    }
  }

  func use(_ data: Data) { names = decode(data) }

  /// Weakly captured, through an async function of the main actor.
  func loadLater(_ data: Data) {
    Task.detached { [weak self] in
      await self?.accept(data)  // expect: returns_to_main
    }
  }

  private func accept(_ data: Data) async { use(data) }
}

/// A static function, from a detached task of a free function.
enum Importer {
  @MainActor static func run(_ url: URL) {
    _ = try? Data(contentsOf: url)  // expect: main_actor_blocking
  }
}

func importInBackground(_ url: URL) {
  Task.detached(priority: .background) {
    await Importer.run(url)  // expect: returns_to_main
  }
}

/// A detached task that says @MainActor itself.
func show(_ url: URL) {
  Task.detached { @MainActor in  // expect: returns_to_main
    _ = try? Data(contentsOf: url)  // expect: main_actor_blocking
  }
}

/// A @concurrent method, and a child task of a detached one.
struct Reader {
  @MainActor func size(_ url: URL) -> Int {
    (try? Data(contentsOf: url).count) ?? 0  // expect: main_actor_blocking
  }

  @concurrent func sizes(_ urls: [URL]) async -> [Int] {
    var result: [Int] = []
    for url in urls { result.append(await size(url)) }  // expect: returns_to_main
    return result
  }
}

/// Child tasks of a detached one: they come back as it would.
@MainActor
final class Gallery {
  func size(_ url: URL) -> Int {
    (try? Data(contentsOf: url).count) ?? 0  // expect: main_actor_blocking
  }

  func measure(_ urls: [URL]) {
    Task.detached {
      async let first = self.size(urls[0])  // expect: returns_to_main
      _ = await first
      await withTaskGroup(of: Int.self) { group in
        for url in urls { group.addTask { await self.size(url) } }  // expect: returns_to_main
      }
    }
  }
}
