/// Where a callback arrived, seen from within it.
import ForeignFeed
import Foundation
import Synchronization

struct Arrival: Sendable, Equatable {
  enum Place: String, Sendable {
    /// On the main actor, before the call that caused it returned.
    case inline
    /// On the main actor, later.
    case posted
    /// On another thread.
    case worker
  }

  let place: Place
  /// Not the same as the main actor: under an async main on Linux that runs on other threads.
  let isMainThread: Bool
  let thread: String
}

/// Notes arrivals in their order.
final class ArrivalProbe: Sendable {
  /// Set on the main actor, and read on it alone: elsewhere the call is not what is asked about.
  private let isCalling = Atomic<Bool>(false)
  private let stream: AsyncStream<Arrival>
  private let noted: AsyncStream<Arrival>.Continuation

  init() {
    (stream, noted) = AsyncStream<Arrival>.makeStream()
  }

  /// Makes a call that is expected to cause a callback.
  @MainActor
  func call<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    isCalling.store(true, ordering: .releasing)
    defer { isCalling.store(false, ordering: .releasing) }
    try body()
  }

  /// To be called in the callback.
  func arrive() {
    let isOnMain = MainQueuePort.isCurrent
    let place: Arrival.Place =
      !isOnMain ? .worker : isCalling.load(ordering: .acquiring) ? .inline : .posted
    let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
    noted.yield(
      Arrival(
        place: place, isMainThread: Thread.isMainThread, thread: name.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @MainActor
  func next() async -> Arrival? {
    var arrivals = stream.makeAsyncIterator()
    return await arrivals.next()
  }
}
