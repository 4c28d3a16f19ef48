/// Counts out of a recording, which may be damaged: capped, so that no sum of them overflows.

extension Int {
  /// The count, at most 2^48: more than anything is counted to, and little enough for a table of them to be added up.
  init(counted value: UInt64) { self = Int(Swift.min(value, 1 << 48)) }
}
