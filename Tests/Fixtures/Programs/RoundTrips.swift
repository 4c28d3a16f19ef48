/// Round trips between the main actor and an actor: after `n` of them, exactly `n + 1` jobs ran on the main actor and
/// `n` on the actor.
actor Counter {
  private var value = 0

  func add(_ amount: Int) -> Int {
    value += amount
    return value
  }
}

@main
struct RoundTrips {
  @MainActor
  static func main() async {
    let trips = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 100
    let counter = Counter()
    var value = 0
    for _ in 0..<trips { value = await counter.add(1) }
    print(value)
  }
}
