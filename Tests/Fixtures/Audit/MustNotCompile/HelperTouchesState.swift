// flags: -swift-version 6
/// Article row 2.3: a nonisolated helper cannot read the model's state.
@MainActor
final class Profile {
  var name = ""

  nonisolated func normalised() -> String {
    name.lowercased()  // diagnostic: 'name' can not be referenced from a nonisolated
  }
}
