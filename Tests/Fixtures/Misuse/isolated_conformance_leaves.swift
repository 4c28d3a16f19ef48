// 0.14: a conformance of the main actor cannot be used off the main actor.
protocol Describable { func describe() -> String }

extension Screen: @MainActor Describable {
  func describe() -> String { text }
}

nonisolated func describe(_ screen: Screen) -> String {
  let describable: any Describable = screen  // expect: conformance of 'Screen' to 'Describable' cannot be used in nonisolated context
  return describable.describe()
}
