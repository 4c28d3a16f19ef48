/// Closures that hop, that do not escape, or whose promise is stated.
import Dispatch
import Legacy
import Observation

@Observable
final class Followed {
  var count = 0
  var isReady = false

  /// The closure says where it runs, and is called there.
  func counts() -> Observations<Int, Never> { Observations { self.count } }

  func ready() async { for await isReady in Observations({ self.isReady }) where isReady { break } }
}

final class Careful {
  var count = 0
  let emitter = LegacyEmitter()

  func hop() {
    emitter.onValue { Task { @MainActor in self.count += 1 } }
  }

  func now() { emitter.forEachNow { self.count += 1 } }

  func onMain() {
    DispatchQueue.main.async { MainActor.assumeIsolated { self.count += 1 } }  // expect: main_queue_in_async
    DispatchQueue.main.async { self.count += 1 }  // expect: main_queue_in_async
  }
}
