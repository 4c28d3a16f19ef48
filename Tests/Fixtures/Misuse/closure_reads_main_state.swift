// 1.3: a closure that a framework may run anywhere cannot read main-actor state; a copy in the capture list can.
func visualEffect(_ effect: @escaping @Sendable () -> Double) {}

extension Screen {
  func draw() {
    visualEffect { self.pulse * 2 }  // expect: main actor-isolated property 'pulse' can not be referenced from a Sendable closure
  }
}
