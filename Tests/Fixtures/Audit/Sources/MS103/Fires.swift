/// Work sent away whose heavy part comes back to the main actor.
import Foundation

@MainActor
final class ChatModel {
  var rows: [Int] = []

  func parse(_ data: Data) -> [Int] {
    (try? JSONDecoder().decode([Int].self, from: data)) ?? []  // expect: main_actor_blocking
  }

  func load(_ data: Data) {
    Task.detached {
      let parsed = await self.parse(data)  // expect: returns_to_main
      await MainActor.run { self.rows = parsed }
    }
  }
}

/// A background task that says @MainActor, and a wait four calls down.
func request(_ done: DispatchSemaphore) -> Bool {
  done.wait(timeout: .now() + 10) == .success  // expect: main_actor_blocking
}
func attempt(_ done: DispatchSemaphore) -> Bool { request(done) }
func connect(_ done: DispatchSemaphore) -> Bool { attempt(done) }

func refresh(_ done: DispatchSemaphore) {
  Task(priority: .background) { @MainActor in  // expect: returns_to_main
    _ = connect(done)
  }
}

/// A @concurrent function whose work is the main actor's.
@MainActor func digest(_ url: URL) -> Int {
  (try? Data(contentsOf: url).count) ?? 0  // expect: main_actor_blocking
}

@concurrent func total(_ urls: [URL]) async -> Int {
  guard let first = urls.first else { return 0 }
  return await digest(first)  // expect: returns_to_main
}

/// The heavy part inside MainActor.run.
func importAll(_ url: URL) {
  Task.detached(priority: .utility) {
    await MainActor.run {  // expect: returns_to_main
      _ = try? Data(contentsOf: url)  // expect: main_actor_blocking
    }
  }
}
