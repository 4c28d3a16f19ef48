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
  typealias CurrentExecutor = @convention(c) () -> lldiv_t

  /// `dispatch_queue_get_label`: with nil, the label of the current queue.
  static let queueLabel = find("dispatch_queue_get_label", as: QueueLabel.self)

  /// `gettid`: equal to the process's id on the thread it started with.
  static let threadIdentifier = find("gettid", as: ThreadIdentifier.self)

  /// `pthread_getname_np`: writes at most the given number of bytes, always terminated.
  static let threadName = find("pthread_getname_np", as: ThreadName.self)

  /// `swift_task_getCurrentExecutor`: the executor of the running job.
  ///
  /// The one symbol of Swift's runtime in this library. It returns two words: the first names the executor, the second is 0
  /// for a default actor. Swift's calling convention returns them in the registers in which C's returns a struct of two
  /// words, such as this one, on 64-bit machines.
  static let currentExecutor = find("swift_task_getCurrentExecutor", as: CurrentExecutor.self)

  /// A preloaded recorder's, if there is one.
  static let boundaryTell = find("mainstay_boundary_tell", as: BoundaryRecorder.Tell.self)
  static let boundariesAsk = find("mainstay_boundaries_ask", as: BoundaryRecorder.Ask.self)

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
