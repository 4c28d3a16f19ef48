/// Where the source itself shows the main thread: it is asked for, and closures go to its queue or its run loop.
import Foundation

final class AskedMeter: Sendable {
  let meter: Meter
  init(meter: Meter) { self.meter = meter }

  func deliver() {
    if Thread.isMainThread {
      MainActor.assumeIsolated { meter.value += 1 }
    } else {
      Task { @MainActor in meter.value += 1 }
    }
  }

  func deliverLater(_ isWanted: Bool) {
    let isNow = Thread.isMainThread && MainActor.assumeIsolated { meter.value > 0 }
    if isWanted, isNow {
      MainActor.assumeIsolated { meter.value += 1 }
      return
    }
    guard Thread.isMainThread else { return }
    MainActor.assumeIsolated { meter.value += 1 }
  }

  func deliverSometimes() -> Int {
    Thread.isMainThread ? MainActor.assumeIsolated { meter.value } : 0
  }

  func demand() {
    dispatchPrecondition(condition: .onQueue(.main))
    MainActor.assumeIsolated { meter.value += 1 }
  }

  /// The answer was no, or to another question.
  func guess(_ isLikely: Bool) {
    if Thread.isMainThread || isLikely {
      MainActor.assumeIsolated { meter.value += 1 }  // expect: undocumented_assumption
    }
    if Thread.isMainThread {
      print("on the main thread")
    } else {
      MainActor.assumeIsolated { meter.value += 1 }  // expect: undocumented_assumption
    }
  }

  func sent(_ queue: DispatchQueue) {
    let block: @Sendable () -> Void = { MainActor.assumeIsolated { self.meter.value += 1 } }
    DispatchQueue.main.async(execute: block)
    let other: @Sendable () -> Void = {
      MainActor.assumeIsolated { self.meter.value += 1 }  // expect: undocumented_assumption
    }
    queue.async(execute: other)
  }

  func timed(_ queue: DispatchQueue) {
    let ticks = DispatchSource.makeTimerSource(queue: .main)
    ticks.setEventHandler { MainActor.assumeIsolated { self.meter.value += 1 } }
    ticks.activate()
    let others = DispatchSource.makeTimerSource(queue: queue)
    others.setEventHandler {
      MainActor.assumeIsolated { self.meter.value += 1 }  // expect: undocumented_assumption
    }
    others.activate()
  }

  /// The main actor's own run loop.
  @MainActor func repeated() {
    _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [meter] _ in
      MainActor.assumeIsolated { meter.value += 1 }
    }
  }

  /// Nothing says whose run loop it is.
  func repeatedSomewhere() {
    _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [meter] _ in
      MainActor.assumeIsolated { meter.value += 1 }  // expect: undocumented_assumption
    }
  }
}

/// What a system knows a thread by.
struct Worker: Sendable {
  nonisolated(unsafe) let thread: pthread_t
}

/// A table of functions that capture nothing.
nonisolated(unsafe) let handlers: [String: (Int) -> Int] = ["double": double, "half": half]
private func double(_ value: Int) -> Int { value * 2 }
private func half(_ value: Int) -> Int { value / 2 }

nonisolated(unsafe) var changing: [String: (Int) -> Int] = ["double": double]  // expect: undocumented_assumption

/// An object that never changes, and one that nobody can set.
struct Pattern: Sendable {
  private nonisolated(unsafe) var expression: NSRegularExpression
  init(_ expression: NSRegularExpression) { self.expression = expression }
  func count(_ text: String) -> Int {
    expression.numberOfMatches(in: text, range: NSRange(location: 0, length: 1))
  }
}

/// The main queue and its run loop by other names, and another queue by such a one.
final class KeptQueue: Sendable {
  private let queue = DispatchQueue.main
  private let other = DispatchQueue(label: "other")
  let meter: Meter
  init(meter: Meter) { self.meter = meter }

  func deliver() {
    queue.async { MainActor.assumeIsolated { self.meter.value += 1 } }
    let main = DispatchQueue.main
    main.async { MainActor.assumeIsolated { self.meter.value += 1 } }
    RunLoop.main.perform { MainActor.assumeIsolated { self.meter.value += 1 } }
    other.async {
      MainActor.assumeIsolated { self.meter.value += 1 }  // expect: undocumented_assumption
    }
  }

  func checked() {
    assert(Thread.isMainThread, "this is called by the screen")
    MainActor.assumeIsolated { meter.value += 1 }
  }
}

/// An actor that assumes itself, without saying so.
actor Assuming {
  var count = 0
  nonisolated func add() {
    assumeIsolated { $0.count += 1 }  // expect: undocumented_assumption
  }
}
