/// Why GLib's loop cannot serve the main actor.

public enum GLibMainActorError: Error, Equatable, CustomStringConvertible {
  /// The caller is on the main actor but not on the thread that the process began with.
  case notTheMainThread
  /// libdispatch is not as the one this was written for.
  case unknownDispatch(String)

  public var description: String {
    switch self {
    case .notTheMainThread:
      "GLibMainActor: this is not the main thread. Make main() synchronous: an async main leaves that thread at its"
        + " first suspension."
    case .unknownDispatch(let reason):
      "GLibMainActor: this libdispatch is not known: \(reason). Build with Swift 6.3, or look at pump.c."
    }
  }
}
