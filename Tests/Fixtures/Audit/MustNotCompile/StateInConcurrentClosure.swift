// flags: -swift-version 6
/// Article row 1.3: a closure that runs off the main actor reads main-actor state.
@MainActor
final class Pulse {
  var pulse = 0.0

  func effect(_ body: @escaping @Sendable () -> Double) -> Double { body() }

  func show() -> Double {
    effect { self.pulse }  // diagnostic: 'pulse' can not be referenced from a Sendable
  }
}
