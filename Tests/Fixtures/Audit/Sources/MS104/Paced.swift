/// Loops that do not pay for hops, or whose hops are not what they cost.
import Elsewhere
import Foundation

actor Shelf {
  var books: [String] = []
  let name = "shelf"
  func put(_ book: String) { books.append(book) }
  func all() { for index in books.indices { check(index) } }
  func check(_ index: Int) {}
  func load(_ url: URL) throws { books.append(try String(contentsOf: url, encoding: .utf8)) }
  func read() async -> String { "" }

  /// Its own functions, also from an async loop.
  func fill() async {
    for _ in 0..<10 {
      put(await read())
      check(0)
    }
  }
}

/// An immutable member is no hop.
func names(_ shelf: Shelf) async -> [String] { (0..<3).map { _ in shelf.name } }

/// Child tasks are started in the loop; each hops once.
func all(_ shelf: Shelf) async {
  await withTaskGroup(of: Void.self) { group in
    for index in 0..<3 { group.addTask { await shelf.put("\(index)") } }
  }
}

/// What the actor does in each turn is slow: the hop is not what it costs.
func loadAll(_ shelf: Shelf, _ urls: [URL]) async throws {
  for url in urls { try await shelf.load(url) }
}

/// On the actor itself.
func fill(_ shelf: isolated Shelf) { for index in 0..<3 { shelf.put("\(index)") } }

/// Each turn waits for a request.
func record(_ shelf: Shelf, _ other: Shelf) async {
  for _ in 0..<3 {
    let text = await other.read()
    await shelf.put(text)
  }
}

/// Once after the loop.
func afterwards(_ shelf: Shelf, _ values: [String]) async {
  var text = ""
  for value in values { text += value }
  await shelf.put(text)
}

/// A step that waits for something slower, and one that goes through a list of its own.
@MainActor
final class SlowStepper {
  let shelf = Shelf()
  func all() async {
    for index in 0..<3 { await step(index) }
    for _ in 0..<3 { await sweep() }
  }
  private func step(_ index: Int) async {
    await shelf.put("\(index)")
    try? await Task.sleep(for: .milliseconds(1))
  }
  private func sweep() async {
    for book in ["a", "b"] { await shelf.put(book) }  // expect: hop_in_loop
  }
}
