/// Schemes that were found before.
import Foundation
import Synchronization

/// A lock makes the class `Sendable`: any executor may ask it, and nobody waits longer than a look into a dictionary.
public final class SchemeCache: Sendable {
  public struct Key: Hashable, Sendable {
    let picture: UUID
    let count: Int

    /// - Parameter picture: which picture; one that is opened anew is another.
    public init(picture: UUID, count: Int) {
      self.picture = picture
      self.count = count
    }
  }

  private struct Entry {
    var scheme: ColourScheme
    var lastUse: Int
  }
  private struct State {
    var entries: [Key: Entry] = [:]
    var uses = 0
  }
  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: how many schemes are kept, at least one.
  public init(capacity: Int = 32) {
    precondition(capacity > 0, "SchemeCache: a cache of \(capacity) keeps nothing; use at least 1")
    self.capacity = capacity
  }

  public subscript(key: Key) -> ColourScheme? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]?.scheme
    }
  }

  /// Keeps a scheme in place of the one that was unused for longest.
  public func keep(_ scheme: ColourScheme, for key: Key) {
    state.withLock { state in
      state.uses += 1
      state.entries[key] = Entry(scheme: scheme, lastUse: state.uses)
      guard state.entries.count > capacity,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
      else { return }
      state.entries[oldest] = nil
    }
  }

  public var count: Int { state.withLock { $0.entries.count } }
}
