/// A third module, which imports one of the two and means its types.
import NamesakesCore
import SwiftUI

@MainActor
final class Counterpart {
  var client: Client = .disk
  let source: any Source = Archive()
  let loader: Loader = FileLoader()
  var total = 0

  func tap() {
    total = client.fetch()?.count ?? 0
    total += source.rows()
    total += loader.load()
  }
}
