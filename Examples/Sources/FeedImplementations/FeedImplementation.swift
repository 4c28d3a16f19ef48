/// The foreign runtimes that a feed can be driven by.
import ForeignFeed

public enum FeedImplementation: String, Sendable, CaseIterable, Codable {
  /// The C library, which is always there.
  case c
  /// Kotlin coroutines on a JVM in this process: Kotlin on the JVM, not Kotlin/Native.
  case kotlin

  public var title: String {
    switch self {
    case .c: "C"
    case .kotlin: "Kotlin"
    }
  }

  /// Those that this build can use.
  public static var available: [FeedImplementation] { allCases.filter { $0.absence == nil } }

  /// Why this build cannot use it, and what to do.
  public var absence: String? {
    switch self {
    case .c: return nil
    case .kotlin:
      #if GALLERY_KOTLIN
        return nil
      #else
        return "Kotlin is not part of this build: run 'make kotlin', which says what it needs"
      #endif
    }
  }

  /// - Parameter dispatcher: where `observe` calls back. Anything but ``FeedDispatcher/mainImmediate`` breaks its promise.
  public func makeController(observingOn dispatcher: FeedDispatcher = .mainImmediate) throws(FeedError)
    -> any FeedController
  {
    switch self {
    case .c: return try CFeedController(observingOn: dispatcher)
    case .kotlin:
      #if GALLERY_KOTLIN
        return try KotlinFeedController(observingOn: dispatcher)
      #else
        throw .foreign(absence ?? "")
      #endif
    }
  }
}
