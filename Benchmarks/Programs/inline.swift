// Goes from one idle actor to another and back on one thread, a million times, and prints the nanoseconds of each turn.
actor Inner {
  private var value = 0
  @inline(never) func bump() { value &+= 1 }
}

actor Outer {
  private let inner = Inner()
  private var turns = 0

  func turn(_ count: Int) async -> Int {
    for _ in 0..<count {
      await inner.bump()
      // Touching its own state brings it back: without that the optimiser stays on the other actor.
      note()
    }
    return turns
  }

  @inline(never) private func note() { turns &+= 1 }
}

@main
struct Inline {
  static func main() async {
    let outer = Outer()
    _ = await outer.turn(1_000)
    let count = 1_000_000
    let elapsed = await ContinuousClock().measure { _ = await outer.turn(count) }
    print(Double(Int(elapsed / .nanoseconds(1)) * 10 / count) / 10)
  }
}
