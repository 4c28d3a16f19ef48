// flags: -swift-version 6
/// Article row 0.14: an isolated conformance is for its actor only.
protocol Describable {
  func describe() -> String
}

@MainActor
final class Screen {
  var title = "Library"
}

extension Screen: @MainActor Describable {
  func describe() -> String { title }
}

nonisolated func use(_ screen: Screen) -> any Describable {
  screen  // diagnostic: conformance of 'Screen' to 'Describable' cannot be used
}
