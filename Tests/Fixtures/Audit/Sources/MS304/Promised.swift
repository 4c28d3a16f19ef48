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

/// Collections keep what they are given and call nothing: who takes it out of them does.
@MainActor
final class Handlers {
  var count = 0
  var list: [() -> Void] = []
  var named: [String: () -> Void] = [:]

  func fill() {
    list.append { self.count += 1 }
    list.insert({ self.count += 2 }, at: 0)
    named.updateValue({ self.count += 3 }, forKey: "three")
    list.forEach { $0() }
  }
}
