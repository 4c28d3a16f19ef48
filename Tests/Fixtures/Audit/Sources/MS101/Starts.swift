/// What brings work onto the main actor: tasks, hops, callbacks that are promised there.
import Dispatch
import Foundation

func read(_ url: URL) -> Int { (try? Data(contentsOf: url))?.count ?? 0 }  // expect: main_actor_blocking

func startTask(_ url: URL) {
  Task { @MainActor in _ = read(url) }
}

func inGroup(_ urls: [URL]) async {
  await withTaskGroup(of: Void.self) { group in
    for url in urls {
      group.addTask { @MainActor in
        _ = try? String(contentsOf: url, encoding: .utf8)  // expect: main_actor_blocking
      }
    }
  }
}

func assumed(_ url: URL) {
  // Contract: whoever calls it is a job of the main actor already.
  MainActor.assumeIsolated { _ = try? Data(contentsOf: url) }  // expect: main_actor_blocking
}

func hopped(_ url: URL) async {
  await MainActor.run { _ = try? Data(contentsOf: url) }  // expect: main_actor_blocking
}

/// The main queue is the main actor.
func queued(_ url: URL) {
  DispatchQueue.main.async { _ = try? Data(contentsOf: url) }  // expect: main_actor_blocking
  DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
    _ = try? Data(contentsOf: url)  // expect: main_actor_blocking
  }
  OperationQueue.main.addOperation { _ = try? Data(contentsOf: url) }  // expect: main_actor_blocking
}

/// An observer on the main queue.
func observe(_ url: URL) -> any NSObjectProtocol {
  NotificationCenter.default.addObserver(forName: .init("changed"), object: nil, queue: .main) { _ in
    _ = try? Data(contentsOf: url)  // expect: main_actor_blocking
  }
}

/// An isolated parameter of the main actor, and the caller's isolation.
func onIt(_ url: URL, _ actor: isolated MainActor) {
  _ = try? Data(contentsOf: url)  // expect: main_actor_blocking
}

func onCallers(_ url: URL, isolation: isolated (any Actor)? = #isolation) async -> Data? {
  try? Data(contentsOf: url)  // expect: main_actor_blocking
}

nonisolated(nonsending) func alsoOnCallers(_ url: URL) async -> Data? {
  try? Data(contentsOf: url)  // expect: main_actor_blocking
}

@MainActor func callers(_ url: URL) async -> Bool {
  let first = await onCallers(url)
  let second = await alsoOnCallers(url)
  return first == second
}

/// The elements of a sequence, each read on the main actor.
@MainActor func follow(_ urls: AsyncStream<URL>) async -> Int {
  var total = 0
  for await url in urls { total += (try? Data(contentsOf: url))?.count ?? 0 }  // expect: main_actor_blocking
  return total
}

/// A main-actor closure that is handed on.
@MainActor func perform(_ action: @MainActor () -> Void) { action() }
@MainActor func act(_ url: URL) {
  perform { _ = try? Data(contentsOf: url) }  // expect: main_actor_blocking
}
