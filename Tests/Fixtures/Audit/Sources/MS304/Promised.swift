/// Closures that say where they run themselves, and conformances that cannot be called from elsewhere.
import Legacy

final class Promised {
  var count = 0
  let emitter = LegacyEmitter()

  func stated() { emitter.onMain { self.count += 1 } }

  // Contract: this emitter's values arrive on the main thread, as its documentation says.
  func asserted() { emitter.onValue { MainActor.assumeIsolated { self.count += 1 } } }

  func hops() {
    emitter.onEvent { @Sendable in
      Task { @MainActor in self.count += 1 }
    }
  }

  /// It touches nothing that is isolated.
  func free() { emitter.onEvent { @Sendable in print("event") } }
}

/// An isolated conformance: the compiler keeps it on the main actor.
extension Promised: LegacySource {
  var title: String { "\(count)" }
}
