import Dispatch
import Foundation
import Synchronization

/// Eight tasks that hop to an actor and to the main actor, at random, a number of times; some are cancelled on the way.
/// Every call is counted where it runs, and nothing else runs on these two. The counts go to stdout.
enum Count {
  static let tally = Atomic(0)
  static let screen = Atomic(0)
  static let pool = Atomic(0)
}

actor Tally {
  func call() { Count.tally.add(1, ordering: .relaxed) }
}

@MainActor
final class Screen {
  nonisolated init() {}
  func call() { Count.screen.add(1, ordering: .relaxed) }
}

struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

@main
struct Storm {
  /// Between two calls the task is on no actor: the compiler may not join them.
  @inline(never)
  static func onThePool() -> Bool {
    Count.pool.add(1, ordering: .relaxed)
    return !Task.isCancelled
  }

  static func run(seed: Int, rounds: Int, tally: Tally, screen: Screen) async {
    var dice = Dice(seed: UInt64(seed))
    var round = 0
    while onThePool() && round < rounds {
      if dice.next() % 4 == 0 { await screen.call() } else { await tally.call() }
      round += 1
    }
  }

  static func main() {
    let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 100
    Task.detached {
      let (tally, screen) = (Tally(), Screen())
      let tasks = (0..<8).map { seed in
        Task.detached { await run(seed: seed, rounds: rounds, tally: tally, screen: screen) }
      }
      var dice = Dice(seed: 7)
      var cancelled = 0
      for (index, task) in tasks.enumerated() where dice.next() % 2 == 0 {
        // Somewhere on its way, or after its end.
        while Count.tally.load(ordering: .relaxed) < rounds / 2 * (index + 1) && cancelled < 3 { await Task.yield() }
        task.cancel()
        cancelled += 1
      }
      for task in tasks { await task.value }
      print("tally \(Count.tally.load(ordering: .relaxed))")
      print("screen \(Count.screen.load(ordering: .relaxed))")
      print("pool \(Count.pool.load(ordering: .relaxed))")
      print("created \(tasks.count + 1)")
      print("cancelled \(cancelled)")
      exit(0)
    }
    dispatchMain()
  }
}
