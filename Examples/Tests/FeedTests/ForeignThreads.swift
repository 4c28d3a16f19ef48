import Dispatch
import Glibc

/// Runs a body on threads of its own, which Swift did not make and which end with it; returns when they have.
func onForeignThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { done in
    // A queue of its own waits for them: the pool's threads are not to be held.
    DispatchQueue(label: "waits for threads").async {
      let threads = (0..<count).map { _ in
        var thread = pthread_t()
        pthread_create(
          &thread, nil,
          { argument in
            guard let argument else { return nil }
            Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
            return nil
          }, Unmanaged.passRetained(Body(body)).toOpaque())
        return thread
      }
      for thread in threads { pthread_join(thread, nil) }
      done.resume()
    }
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Returns when the main queue has run what was in it.
@MainActor
func mainQueueTurn() async {
  await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
}
