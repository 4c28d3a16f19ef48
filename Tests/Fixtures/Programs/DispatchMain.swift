import Dispatch
import Foundation

/// A main actor that `dispatchMain()` serves, on whatever thread Dispatch likes.
@MainActor
final class Ticker {
  private var ticks = 0

  func tick() {
    ticks += 1
    guard ticks == 40 else { return }
    print("ticked \(ticks) times")
    exit(0)
  }
}

let ticker = MainActor.assumeIsolated { Ticker() }
Task.detached {
  for _ in 0..<40 { await ticker.tick() }
}
dispatchMain()
