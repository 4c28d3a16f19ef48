/// Assumptions that nobody wrote down.
import Foundation
import Legacy

@MainActor
final class Meter {
  var value = 0
}

final class MeterFeed: Sendable {
  let meter: Meter
  let queue = DispatchQueue(label: "feed")
  init(meter: Meter) { self.meter = meter }

  func poll() {
    queue.sync {
      MainActor.assumeIsolated { meter.value += 1 }  // expect: undocumented_assumption
    }
  }

  func listen(_ emitter: LegacyEmitter) {
    emitter.onValue { [meter] in
      MainActor.assumeIsolated { meter.value += 1 }  // expect: undocumented_assumption
    }
  }
}

nonisolated(unsafe) var lastReading = 0  // expect: undocumented_assumption

@MainActor
final class MeterPanel: @preconcurrency LegacyDelegate {  // expect: undocumented_assumption
  var shown = 0
  func didReceive(_ value: Int) { shown = value }  // expect: trapping_callback
}
