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

/// What keeps a closure keeps its type, and the type says where it runs.
@MainActor
final class Menu {
  var count = 0
  var actions: [@MainActor () -> Void] = []
  var named: [String: @MainActor () -> Void] = [:]

  func build() {
    actions.append { self.count += 1 }
    actions += [{ self.count += 2 }]
    named["three"] = { self.count += 3 }
    keep(self.increase)
    actions.forEach { $0() }
  }

  private func increase() { count += 1 }
  private func keep<Value>(_ value: Value) { named["kept"] = value as? @MainActor () -> Void }
}

/// A lazy sequence runs its closure where it is gone through.
@MainActor
final class LazyCounter {
  private var limit = 3
  private var values: Set<Int> = [1, 2, 3, 4]
  var count: Int { values.lazy.filter { $0 > self.limit }.count }
}

/// What keeps the closure calls it where it belongs.
@MainActor
final class Reading {
  var count = 0
  var total: Int { LegacyReader(content: { self.count }).resolve() }
}
