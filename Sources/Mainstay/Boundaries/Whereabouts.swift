/// The name of the queue or thread that runs the calling code, for messages about code in the wrong place.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

enum Whereabouts {
  /// The label of the current dispatch queue, with the thread's name when that says more.
  ///
  /// A thread that no queue runs is given the label of a root queue by Dispatch, so there the thread's name matters.
  static var current: String {
    let queue = PlatformFunctions.queueLabel?(nil).map { String(cString: $0) } ?? ""
    let thread = threadName
    if queue.isEmpty { return thread.isEmpty ? "a thread without a name" : "thread '\(thread)'" }
    guard queue.hasPrefix("com.apple.root."), !thread.isEmpty else { return "queue '\(queue)'" }
    return "queue '\(queue)', thread '\(thread)'"
  }

  private static var threadName: String {
    guard let threadName = PlatformFunctions.threadName else { return "" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
      name.initialize(repeating: 0)
      guard let start = name.baseAddress, threadName(pthread_self(), start, name.count) == 0 else { return "" }
      return String(cString: start)
    }
  }
}
