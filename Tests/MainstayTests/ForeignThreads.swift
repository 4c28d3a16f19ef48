import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Runs a body on threads that neither Swift nor Dispatch made, as a foreign runtime does, and waits for their end.
func onForeignThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let threads = (0..<count).map { index in
    let start = Unmanaged.passRetained(Start { body(index) })
    var thread = pthread_t(bitPattern: 0)
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    return thread
  }
  for case let thread in threads { pthread_join(thread, nil) }
}

/// Runs a body on a thread of its own without holding a thread of the pool meanwhile.
func onForeignThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { done in
    DispatchQueue(label: "starts a thread").async {
      onForeignThreads(1) { _ in body() }
      done.resume()
    }
  }
}

/// Sets a variable of this process. For the subprocess of an exit test, before the library first looks.
func setEnvironment(_ name: String, _ value: String) {
  setenv(name, value, 1)
}
