// flags: -swift-version 6
/// Article row 3.1: a foreign callback that writes main-actor state synchronously.
final class Controller: Sendable {
  func observe(_ body: @escaping @Sendable (Int) -> Void) { body(1) }
}

@MainActor
final class Screen {
  var value = 0
  let controller = Controller()

  func start() {
    controller.observe { new in
      self.value = new  // diagnostic: main actor-isolated property 'value' can not be mutated
    }
  }
}
