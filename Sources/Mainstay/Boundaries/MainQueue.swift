/// The question every boundary asks: is this code running on the main actor right now? Asked without trapping.

import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// The main actor's executor is the main dispatch queue, so a mark on that queue answers for the actor.
///
/// Nothing here asks `Thread.isMainThread`: after an async `main` first suspends, Linux runs the main queue on
/// worker threads, and the answer would be no on the main actor itself.
@usableFromInline
enum MainQueue {
  /// The mark on the main queue. Set once, before anything can ask for it.
  @usableFromInline
  static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// True in a main-actor job, a main-queue block, and on the main thread between them. About 15 ns.
  ///
  /// A yes is as good as the runtime's own check: the main queue runs one thing at a time. A no is not final: a
  /// queue entered from the main actor with `sync` hides the mark; `isCurrentBehindAnotherQueue` decides that.
  @inlinable
  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: mark) != nil
  }

  /// True when the mark is hidden by a `sync` onto another queue, and the main actor is what waits for it.
  ///
  /// Two cases can be told without trapping: code on the process's main thread, which only ever runs the main queue,
  /// and code inside a job of the main actor. A main-queue block on another thread is the case that cannot.
  static var isCurrentBehindAnotherQueue: Bool {
    isMainThread || isInsideMainActorJob
  }

  /// True on the thread the process started with. Under an async `main` on Linux that thread runs nothing any more.
  private static var isMainThread: Bool {
    #if canImport(Darwin)
      return pthread_main_np() != 0
    #else
      return PlatformFunctions.threadIdentifier?() == getpid()
    #endif
  }

  private static var isInsideMainActorJob: Bool {
    guard let current = currentExecutor, MemoryLayout<UnownedSerialExecutor>.size == 16 else { return false }
    let mainExecutor = unsafeBitCast(MainActor.sharedUnownedExecutor, to: (identity: UInt64, witness: UInt64).self)
    return current.identity == mainExecutor.identity
  }

  /// True in a job of a custom executor: whether that is as good as the main actor's only its author knows, and it has no
  /// way to say so that does not trap. Asked where the main queue is not current.
  static var isInsideCustomExecutorJob: Bool {
    guard let current = currentExecutor, current.identity != 0 else { return false }
    // The lower bits of the second word are flags.
    return current.witness & ~3 != 0 && !isInsideMainActorJob
  }

  private static var currentExecutor: (identity: UInt64, witness: UInt64)? {
    guard MemoryLayout<UInt>.size == 8, let ask = PlatformFunctions.currentExecutor else { return nil }
    let words = ask()
    return (UInt64(bitPattern: Int64(words.quot)), UInt64(bitPattern: Int64(words.rem)))
  }
}
