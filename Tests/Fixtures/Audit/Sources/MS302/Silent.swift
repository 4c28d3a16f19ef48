/// The contract beside the assumption, or inside a boundary.
import Foundation
import FoundationNetworking
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

/// Touched with the lock held only, as can be seen.
final class WorkList: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var items: [Int] = []
  private nonisolated(unsafe) var isClosed = false

  func add(_ item: Int) { lock.withLock { if !isClosed { items.append(item) } } }
  func close() {
    lock.lock()
    defer { lock.unlock() }
    isClosed = true
    items.removeAll()
  }
}

/// What is taken out has no other owner.
struct Parcel: ~Copyable {
  private var value: NSObject?
  init(_ value: sending NSObject) { self.value = value }
  mutating func take() -> sending NSObject? {
    nonisolated(unsafe) let old = value.take()
    return old
  }
}

/// A lock is there to be shared.
final class RawLock: Sendable {
  private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  init() { pthread_mutex_init(mutex, nil) }
  func hold<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}

/// One disconnected value: whoever holds the box is the only owner of what is in it.
struct OneOwner: Sendable {
  private nonisolated(unsafe) var object: NSObject?
  init(_ object: sending NSObject) { self.object = object }
}

/// Set in the notification's own closure, on the queue that it names.
final class Watcher: Sendable {
  let meter: Meter
  init(meter: Meter) { self.meter = meter }

  func watch(_ name: Notification.Name) {
    _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { [meter] _ in
      MainActor.assumeIsolated { meter.value += 1 }
    }
  }
}

/// A method of that name which takes no closure is another library's, and checks.
struct LoopView: Sendable {
  func assumeIsolated() -> LoopView { self }
  func both() -> LoopView { assumeIsolated().assumeIsolated() }
}

/// An actor that names its executor, assumed in what that executor is given.
final class LoopExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "loop")
  func enqueue(_ job: UnownedJob) { queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
  func execute(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

actor LoopBound {
  let loop = LoopExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  var count = 0

  nonisolated func add() {
    loop.execute { self.assumeIsolated { $0.count += 1 } }
  }
}

/// In a function of the main actor nothing is assumed.
@MainActor
final class Known {
  let meter = Meter()
  func show() {
    MainActor.assumeIsolated { meter.value += 1 }
  }
}

final class Command: Sendable {
  let meter: Meter
  init(meter: Meter) { self.meter = meter }

  // Commands are always executed on the main thread, so assumeIsolated is safe here.
  func execute(_ count: Int) -> Int {
    let doubled = count * 2
    MainActor.assumeIsolated { meter.value += doubled }
    return doubled
  }
}

/// A session calls its delegate on the queue that it was given.
final class OnMainSession: NSObject, URLSessionDelegate, Sendable {
  let meter: Meter
  init(meter: Meter) { self.meter = meter }

  func open() -> URLSession {
    URLSession(configuration: .default, delegate: self, delegateQueue: .main)
  }
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    MainActor.assumeIsolated { meter.value = 0 }
  }
}
