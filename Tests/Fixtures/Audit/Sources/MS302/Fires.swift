/// Assumptions that nobody wrote down.
import Foundation
import FoundationNetworking
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

/// A comment on what the function does says nothing of who calls it.
final class MeterCounter: Sendable {
  let meter: Meter
  init(meter: Meter) { self.meter = meter }

  /// Counts the signals that have arrived.
  func count() {
    MainActor.assumeIsolated { meter.value += 1 }  // expect: undocumented_assumption
  }
}

/// The lock is there, and one of the two ways goes past it.
final class LeakyList: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var items: [Int] = []  // expect: undocumented_assumption
  func add(_ item: Int) { lock.withLock { items.append(item) } }
  var count: Int { items.count }
}

final class Order: Sendable {
  let gauge: Gauge
  init(gauge: Gauge) { self.gauge = gauge }

  // The value on the main screen is doubled before it is shown.
  func execute(_ count: Int) -> Int {
    let doubled = count * 2
    MainActor.assumeIsolated { gauge.value += doubled }  // expect: undocumented_assumption
    return doubled
  }
}

final class AnyQueueSession: NSObject, URLSessionDelegate, Sendable {
  let gauge: Gauge
  init(gauge: Gauge) { self.gauge = gauge }

  func open() -> URLSession {
    URLSession(configuration: .default, delegate: self, delegateQueue: nil)
  }
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    MainActor.assumeIsolated { gauge.value = 0 }  // expect: undocumented_assumption
  }
}

@MainActor
final class Gauge {
  var value = 0
}

/// What overrides runs where the overridden one does: anywhere.
@MainActor
final class Named: NSObject {
  var title = ""
  override var description: String {
    MainActor.assumeIsolated { title }  // expect: undocumented_assumption
  }
}
