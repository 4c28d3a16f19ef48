import Foundation

/// A main actor that Foundation's run loop serves.
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
// A run loop without a source or timer returns at once.
_ = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in }
RunLoop.main.run()
