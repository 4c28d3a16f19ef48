/// Helpers that touch no state.

@MainActor final class QueryModel {
  var query = ""

  func cacheKey(_ text: String) -> String {  // expect: could_be_nonisolated note
    text.lowercased() + ":" + String(text.count)
  }

  func search() { query = cacheKey(query) }
}
