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

  /// What drives it, with its versions.
  ///
  /// - Throws: ``FeedError/foreign(_:)`` when that is not there or does not start.
  public func runtime() throws(FeedError) -> String {
    switch self {
    case .c: return "threads and an event loop of a C library"
    case .kotlin:
      #if GALLERY_KOTLIN
        try KotlinMachine.started.get()
        return KotlinMachine.runtime
      #else
        throw .foreign(absence ?? "")
      #endif
    }
  }

  /// A new controller in its first state.
  ///
  /// - Throws: ``FeedError/noResources``, and ``FeedError/foreign(_:)`` when its runtime is not there or does not start.
  public func makeController() throws(FeedError) -> any FeedController {
    switch self {
    case .c: return try CFeedRuntime.makeController()
    case .kotlin:
      #if GALLERY_KOTLIN
        return try KotlinFeedRuntime.makeController()
      #else
        throw .foreign(absence ?? "")
      #endif
    }
  }
}
