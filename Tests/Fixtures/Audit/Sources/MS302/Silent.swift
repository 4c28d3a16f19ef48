/// The contract beside the assumption, or inside a boundary.
import Foundation
import Legacy

final class MeterListener: Sendable {
  let meter: Meter
  init(meter: Meter) { self.meter = meter }

  func listen(_ emitter: LegacyEmitter) {
    emitter.onValue { [meter] in
      // Contract: the emitter calls its handlers on the main thread, as its documentation says.
      MainActor.assumeIsolated { meter.value += 1 }
    }
  }

  func later() {
    DispatchQueue.main.async { [meter] in
      MainActor.assumeIsolated { meter.value += 1 }
    }
  }
}

/// A named boundary checks and counts what it assumes.
struct MeterBoundary: Sendable {
  let meter: Meter
  func deliver(_ value: Int) {
    MainActor.assumeIsolated { meter.value = value }
  }
}

/// Written once, before the first thread starts, and only read after that.
nonisolated(unsafe) var startTime = 0

/// The legacy object documents that it calls its delegate on the main thread.
@MainActor
final class DocumentedPanel: @preconcurrency LegacyDelegate {
  var shown = 0
  func didReceive(_ value: Int) { shown = value }
}
