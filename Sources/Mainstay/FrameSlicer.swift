/// Long work that must stay on the main actor, cut into slices that leave most of every frame to the display.

import Dispatch

/// Walks a sequence on the main actor without holding it longer than a share of a frame at a time.
///
/// First ask whether the work must be on the main actor at all: what computes belongs in a `@concurrent` function.
/// What must touch main-actor state for many elements is walked in slices:
///
/// ```swift
/// try await FrameSlicer().forEach(rows, progress: { shown = $0 }) { row in list.append(row) }
/// ```
///
/// Between slices other main-actor work runs, so state may change: the sequence is the one passed in, and `body`
/// must not assume that what it read in an earlier slice still holds.
@MainActor
public struct FrameSlicer {
  /// Nanoseconds after which a slice gives the main actor back.
  private let slice: UInt64

  /// A slicer for a display.
  ///
  /// - Parameters:
  ///   - budget: the frame interval of the display.
  ///   - share: the part of a frame interval that one slice may take, above 0 and at most 1; a quarter leaves the
  ///     rest to layout and drawing. Another value is a mistake of the program and traps.
  public init(budget: FrameBudget = .hz60, share: Double = 0.25) {
    guard share > 0, share <= 1 else {
      fatalError("FrameSlicer: a share of \(share) is no part of a frame; use one above 0 and at most 1")
    }
    // A whole number of millionths, because a duration times a fraction is not exact.
    slice = UInt64(Double(budget.interval.clockNanoseconds) * share)
  }

  /// Calls `body` for each element in order, and gives the main actor back between slices.
  ///
  /// A slice ends after the element during which its time ran out, so one element longer than the slice still blocks
  /// for its own length: cut the elements first. An empty sequence does not suspend.
  ///
  /// - Parameters:
  ///   - elements: what to walk. It is iterated once.
  ///   - progress: told how many elements are done, on the main actor: after every slice and once at the end.
  ///   - body: what to do with an element.
  /// - Throws: `CancellationError` as soon as the task is cancelled, before the next element; and what `body` throws.
  ///   Elements done by then stay done.
  public func forEach<S: Sequence>(
    _ elements: S, progress: ((Int) -> Void)? = nil, _ body: @MainActor (S.Element) throws -> Void
  ) async throws {
    var done = 0
    var end = MonotonicClock.now &+ slice
    for element in elements {
      try Task.checkCancellation()
      if MonotonicClock.now >= end, done > 0 {
        progress?(done)
        await giveWay()
        try Task.checkCancellation()
        end = MonotonicClock.now &+ slice
      }
      try body(element)
      done += 1
    }
    progress?(done)
  }

  /// Goes to the end of the main queue, behind everything that waits there.
  ///
  /// `Task.yield` would leave for the pool and come back from there, and a busy pool would stop the walk.
  private func giveWay() async {
    await withCheckedContinuation { continuation in
      // mainstay:disable:next main_queue_in_async - the end of that queue is where this goes, and nowhere else
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
