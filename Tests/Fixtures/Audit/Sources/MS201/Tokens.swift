/// What lets nobody else in, or finds nothing changed: a set's own answer, a version, an entry that is looked up again.
import Foundation

actor Prefetch {
  struct Entry: Sendable { var text = "" }
  private var known: [String: Entry] = [:]
  private var pending: Set<String> = []
  private var waiting: [String] = []
  private var version = 0
  private var isOpen = false
  func load(_ key: String) async -> Entry { Entry() }

  /// Whoever puts its key in first goes on alone.
  func fetch(_ key: String) async {
    guard known[key] == nil, pending.insert(key).inserted else { return }
    defer { pending.remove(key) }
    known[key] = await load(key)
  }

  /// Nothing is stored that is older than what is there.
  func refresh() async {
    let mine = version
    var all = known
    all["first"] = await load("first")
    guard mine == version else { return }
    known = all
    version += 1
  }

  /// All is taken out before the await, and comes back to what has come since.
  func flush() async {
    let batch = waiting
    waiting.removeAll()
    if await load("all").text.isEmpty { waiting.insert(contentsOf: batch, at: 0) }
  }

  /// Only what is still there is changed.
  func rename(_ key: String) async {
    guard known[key] != nil else { return }
    let fresh = await load(key)
    known[key]?.text = fresh.text
  }

  /// A copy of an entry changes nothing by itself.
  func copy(_ key: String) async -> Entry? {
    guard var entry = known[key] else { return nil }
    entry.text = await load(key).text
    return entry
  }

  /// The helper asks and answers in one step.
  private func begin() -> Bool {
    if isOpen { return false }
    isOpen = true
    return true
  }
  func open() async {
    guard begin() else { return }
    _ = await load("open")
    isOpen = false
  }

  /// Asked again where the value is chosen.
  private var left = 3
  func spend(_ amount: Int) async {
    guard left >= amount else { return }
    _ = await load("spend")
    left -= left >= amount ? amount : 0
  }
}
