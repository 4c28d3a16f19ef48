// Hops between the main actor and another, 2,000 + 200,000 times, and prints the nanoseconds of each.
import Glibc

actor Counter {
  private var value = 0
  @inline(never) func bump() { value &+= 1 }
}

@main
struct RoundTrip {
  static func main() async {
    let counter = Counter()
    await hop(2_000, counter)
    let count = 200_000
    let elapsed = await ContinuousClock().measure { await hop(count, counter) }
    print(Int(elapsed / .nanoseconds(1)) / count)
  }

  @MainActor
  private static func hop(_ count: Int, _ counter: Counter) async {
    for _ in 0..<count { await counter.bump() }
  }
}
