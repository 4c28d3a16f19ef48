/// What a loop that hops to an actor in every turn costs, against the one call that does the same: the figure that
/// MS104 (`hop_in_loop`) puts into its message.

private let turns = 10_000
private let rounds = 9

/// What `HopInLoop.roundTripMicroseconds` says. A message that names a cost must be near what is measured.
private let saidMicroseconds = 6.0

private actor Store {
  private let values: [Int]

  init(_ count: Int) { values = Array(0..<count) }

  @inline(never)
  func value(at index: Int) -> Int { values[index] }

  @inline(never)
  func total() -> Int { values.reduce(0, &+) }
}

@MainActor func hopsInLoop() async -> [Figure] {
  let store = Store(turns)
  let expected = await store.total()
  var single: [Double] = []
  var batched: [Double] = []
  for _ in 0..<rounds {
    var start = now()
    var sum = 0
    for index in 0..<turns { sum &+= await store.value(at: index) }
    single.append(Double(now() - start))
    precondition(sum == expected)
    start = now()
    let total = await store.total()
    batched.append(Double(now() - start))
    precondition(total == expected)
  }
  let loop = median(single)
  let call = median(batched)
  let turn = loop / Double(turns) / 1_000
  print(
    """

    ## A loop of hops

    10,000 values read from an actor by a main-actor loop, one await each, and once in one call; median of \(rounds)
    rounds.

    | | ms | µs a value |
    |---|---|---|
    | one await a value | \(two(loop / 1e6)) | \(two(turn)) |
    | one call for all | \(two(call / 1e6)) | \(two(call / Double(turns) / 1_000)) |

    The loop takes \(whole(loop / call)) times as long.
    """)
  return [
    Figure(
      name: "a turn's hop and return, against the \(whole(saidMicroseconds)) µs that MS104 says",
      text: "\(two(turn)) µs",
      limit: "within a factor of 3", holds: (saidMicroseconds / 3...saidMicroseconds * 3).contains(turn)),
    Figure(
      name: "10,000 turns of a loop that hops, against one call", text: "\(whole(loop / call)) ×", limit: "≥ 20 ×",
      holds: loop / call >= 20),
  ]
}
