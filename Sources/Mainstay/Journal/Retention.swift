/// How long a journal remembers the keys of completed units of work.

/// How long a key can be replayed. A key that was forgotten is performed again when it comes back, so keep keys for
/// longer than a client retries.
///
/// Nothing is forgotten before the store has committed it.
public enum Retention: Sendable, Hashable {
  /// Every key, for the life of the journal. Memory grows by one entry a unit of work.
  case forever
  /// The newest keys, at least one.
  case latest(Int)
  /// The keys of the last seconds, minutes or hours, by the wall clock in whole seconds; longer than zero.
  case age(Duration)

  /// Stops the program over a rule that would forget a key before it could be replayed.
  func validate() {
    switch self {
    case .forever: break
    case .latest(let count):
      if count < 1 { fatalError("Journal: retention of the latest \(count) keys keeps none; keep at least one") }
    case .age(let age):
      if age <= .zero { fatalError("Journal: retention for \(age) keeps no key; use an age above zero") }
    }
  }
}
