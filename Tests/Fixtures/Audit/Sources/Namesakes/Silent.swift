/// Types with the names of another module's, which do little: what that one keeps in its own is not theirs.
import SwiftUI

struct Client {
  var fetch: @MainActor () -> Int
}

protocol Source { func rows() -> Int }
struct Memory: Source { func rows() -> Int { 3 } }

@MainActor class Loader {
  func load() -> Int { 0 }
}

@MainActor final class QuickLoader: Loader {
  override func load() -> Int { 4 }
}

@MainActor
final class Desk {
  var client = Client(fetch: { 1 })
  let source: any Source = Memory()
  let loader: Loader = QuickLoader()
  var total = 0

  func tap() {
    total = client.fetch()
    total += source.rows()
    total += loader.load()
  }
}

struct Badge: View {
  let text: String
  var body: some View { Text(text) }
}
