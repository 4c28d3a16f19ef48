// 3.1: a foreign callback cannot write main-actor state: nothing says where it runs.
func observe(_ onState: @escaping @Sendable (String) -> Void) {}

extension Screen {
  func subscribe() {
    observe { [weak self] state in
      self?.text = state  // expect: main actor-isolated property 'text' can not be mutated from a Sendable closure
    }
  }
}
