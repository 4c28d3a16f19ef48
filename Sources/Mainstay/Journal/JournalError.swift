/// Why a journal refuses.

/// What a ``Journal`` throws. The errors of a unit of work itself pass through unchanged.
public enum JournalError: Error, Sendable, Equatable {
  /// `perform` was called inside the closure of another `perform` of the same journal.
  case nested(key: String)
  /// The key belongs to a completed unit of work with a different request.
  case keyReused(key: String)
  /// No completed unit of work has this key, or retention has forgotten it.
  case unknownKey(key: String)
  /// The store failed to commit; memory is ahead of the truth.
  case poisoned(cause: String)
  /// The journal is being reloaded from its store.
  case reloading
  /// What the store returned cannot be a journal.
  case damagedStore(reason: String)
}

extension JournalError: CustomStringConvertible {
  /// What happened and what to do next.
  public var description: String {
    switch self {
    case .nested(let key):
      "the unit of work '\(key)' was started inside another one; finish the outer one first, or make it one unit"
    case .keyReused(let key):
      "the key '\(key)' was used before with a different request; a retry must repeat its request, and a new request "
        + "needs a new key"
    case .unknownKey(let key):
      "no completed unit of work has the key '\(key)'; perform it first, or keep keys longer (see Retention)"
    case .poisoned(let cause):
      "the store failed to commit (\(cause)), so memory is ahead of it; call reload(_:) and rebuild the state from what "
        + "it returns"
    case .reloading:
      "the journal is being reloaded from its store; try again when reload(_:) has returned"
    case .damagedStore(let reason):
      "the store returned what cannot be a journal: \(reason); restore it from a copy before reloading"
    }
  }
}
