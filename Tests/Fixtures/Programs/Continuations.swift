// Functions that wait in continuations: one that blocks the main actor after its own was resumed, and one that never is.

import Dispatch

func busy(milliseconds: Int) {
  let end = DispatchTime.now() + .milliseconds(milliseconds)
  while DispatchTime.now() < end {}
}

@MainActor final class Device {
  @inline(never) func read() async -> Int {
    let value = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: 1) }
    }
    busy(milliseconds: 120)
    return value
  }
}

@inline(never) @MainActor func forgotten(_ waits: AsyncStream<Void>.Continuation) async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in waits.yield() }  // never resumed
}

@main struct Continuations {
  static func main() async {
    print("read \(await Device().read())")
    let (waiting, waits) = AsyncStream.makeStream(of: Void.self)
    Task { await forgotten(waits) }  // waits forever
    // The main actor comes back here only when that task has left it.
    for await _ in waiting { break }
  }
}
