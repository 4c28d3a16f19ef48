/// A state as the foreign runtime hands it over, and as a value of ours.

import CFeed

public enum FeedPhase: Sendable, Hashable {
  case loading, loaded, failed
}

/// A state of a feed, as the foreign runtime makes it: an object, mutable, not `Sendable`.
///
/// It belongs to the callback that brings it. What must outlive that, or leave the thread, is its ``snapshot``.
public final class ForeignState {
  /// 0 for the state that a feed begins with, one more with each update.
  public var sequence: Int
  public var phase: FeedPhase
  /// From 0 to 1.
  public var progress: Double
  public var title: String

  package init(_ state: feed_state) {
    sequence = Int(state.sequence)
    phase = FeedPhase(state.phase)
    progress = state.progress
    let title = UnsafeRawBufferPointer(start: state.title, count: state.title_length)
    self.title = String(decoding: title, as: UTF8.self)
  }

  public var snapshot: FeedSnapshot {
    FeedSnapshot(sequence: sequence, phase: phase, progress: progress, title: title)
  }
}

@available(*, unavailable)
extension ForeignState: Sendable {}

/// A state as a value, which may go anywhere.
public struct FeedSnapshot: Sendable, Hashable {
  public var sequence: Int
  public var phase: FeedPhase
  /// From 0 to 1.
  public var progress: Double
  public var title: String

  public init(sequence: Int = 0, phase: FeedPhase = .loading, progress: Double = 0, title: String = "") {
    self.sequence = sequence
    self.phase = phase
    self.progress = progress
    self.title = title
  }
}

/// A change of a feed's state.
public struct FeedUpdate: Sendable, Hashable {
  public var phase: FeedPhase
  /// From 0 to 1.
  public var progress: Double
  public var title: String

  public init(_ phase: FeedPhase, progress: Double, title: String = "") {
    self.phase = phase
    self.progress = progress
    self.title = title
  }
}

extension FeedPhase {
  init(_ phase: feed_phase) {
    switch phase {
    case FEED_LOADED: self = .loaded
    case FEED_FAILED: self = .failed
    default: self = .loading
    }
  }

  var foreign: feed_phase {
    switch self {
    case .loading: FEED_LOADING
    case .loaded: FEED_LOADED
    case .failed: FEED_FAILED
    }
  }
}
