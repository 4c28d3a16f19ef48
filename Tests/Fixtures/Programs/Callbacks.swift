import Dispatch
import Foundation
import Mainstay
import MainstayRecording

/// Callbacks that arrive at boundaries of the library. Its first argument says which.
@main
struct Callbacks {
  static let states = AssertedBoundary("feed states", contract: "the feed calls back on the main thread")  // states
  static let never = AssertedBoundary("never", contract: "nobody calls")
  static let texts = HoppingBoundary<Int>("feed texts", apply: { _ in })

  @MainActor static var shown = 0

  static func main() async throws {
    let way = CommandLine.arguments[1]
    if way == "within" { try Recording.start(.init(summaryAtExit: false)) }
    _ = never
    switch way {
    case "kept", "within":
      await MainActor.run { for _ in 0..<10 { states.deliver(1) { shown += $0 } } }
      for value in 0..<100 { texts.send(value) }
      await drained()
    case "foreign":
      await MainActor.run { for _ in 0..<3 { states.deliver(1) { shown += $0 } } }
      await withCheckedContinuation { done in
        DispatchQueue(label: "org.example.radio").async {
          for _ in 0..<5 { states.deliver(1) { shown += $0 } }
          done.resume()
        }
      }
      await drained()
    case "custom":
      await Radio().callBack()
      await drained()
    case "trap-elsewhere":
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
        DispatchQueue(label: "org.example.radio").async {
          states.deliver(1) { shown += $0 }
          kill(getpid(), SIGKILL)
        }
      }
    default: fatalError("unknown")
    }
    if way == "within" {
      let summary = try await stop()
      for boundary in summary.boundaries { print(boundary.name, boundary.callbacks, boundary.onMain) }
    }
  }

  @concurrent static func stop() async throws -> Recording.Summary { try Recording.stop() }

  /// Returns behind everything that waits in the main queue.
  static func drained() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}

/// An actor on an executor of somebody's own, which has no check.
actor Radio {
  final class Executor: SerialExecutor {
    let queue = DispatchQueue(label: "org.example.custom")
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
  let executor = Executor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func callBack() {
    for _ in 0..<4 { Callbacks.states.deliver(1) { Callbacks.shown += $0 } }
  }
}
