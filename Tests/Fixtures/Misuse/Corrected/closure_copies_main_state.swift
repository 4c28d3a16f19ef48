// 1.3: the copy in the capture list.
func visualEffect(_ effect: @escaping @Sendable () -> Double) {}

extension Screen {
  func draw() {
    visualEffect { [pulse] in pulse * 2 }
  }
}
