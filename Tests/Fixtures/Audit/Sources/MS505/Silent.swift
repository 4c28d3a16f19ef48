/// Helpers that say so, and those that need their actor.
import Foundation

protocol Keyed {
  @MainActor func key() -> String
}

@MainActor final class KeyedModel: Keyed {
  var query = ""
  static var separator = ":"

  nonisolated func cacheKey(_ text: String) -> String { text.lowercased() }
  func key() -> String { "constant".lowercased() }
  func current() -> String { query.lowercased() }
  func separated(_ text: String) -> String { text + KeyedModel.separator }
  func refresh() { reset() }
  private func reset() { query = "" }
  /// What a C function wants of its caller, nothing here says.
  func ring() { puts("\u{7}") }
}
