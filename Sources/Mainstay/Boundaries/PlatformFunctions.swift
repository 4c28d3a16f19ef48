/// C functions that every platform has and that Swift's modules do not show, looked up by name.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Each is nil where the platform lacks it, and what uses it then knows less.
enum PlatformFunctions {
  typealias QueueLabel = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  typealias ThreadIdentifier = @convention(c) () -> pid_t
  typealias ThreadName = @convention(c) (pthread_t, UnsafeMutablePointer<CChar>, Int) -> CInt
  typealias CurrentExecutor = @convention(c) () -> UInt

  /// `dispatch_queue_get_label`: with nil, the label of the current queue.
  static let queueLabel = find("dispatch_queue_get_label", as: QueueLabel.self)

  /// `gettid`: equal to the process's id on the thread it started with.
  static let threadIdentifier = find("gettid", as: ThreadIdentifier.self)

  /// `pthread_getname_np`: writes at most the given number of bytes, always terminated.
  static let threadName = find("pthread_getname_np", as: ThreadName.self)

  /// `swift_task_getCurrentExecutor`: the executor of the running job.
  ///
  /// The one symbol of Swift's runtime in this library. It returns two words, of which the first names the executor;
  /// Swift's and C's calling conventions return that one in the same register.
  static let currentExecutor = find("swift_task_getCurrentExecutor", as: CurrentExecutor.self)

  /// The handle that searches all that is loaded: `RTLD_DEFAULT`, which is a macro that Swift does not see.
  private static var everything: UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      UnsafeMutableRawPointer(bitPattern: -2)
    #else
      nil
    #endif
  }

  private static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let symbol = dlsym(everything, name) else { return nil }
    return unsafeBitCast(symbol, to: type)
  }
}
