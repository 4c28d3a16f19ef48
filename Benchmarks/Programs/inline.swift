// Goes from one idle actor to another and back on one thread, a million times, and prints the nanoseconds of each turn.
actor Inner {
  private var value = 0
  @inline(never) func bump() { value &+= 1 }
}

actor Outer {
  let inner = Inner()
  func turn(_ count: Int) async {
    for _ in 0..<count { await inner.bump() }
  }
}

@main
struct Inline {
  static func main() async {
    let outer = Outer()
    await outer.turn(1_000)
    let count = 1_000_000
    let elapsed = await ContinuousClock().measure { await outer.turn(count) }
    print(Double(Int(elapsed / .nanoseconds(1)) * 10 / count) / 10)
  }
}
