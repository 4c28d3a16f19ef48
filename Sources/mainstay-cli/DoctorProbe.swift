import Dispatch
import Foundation

/// What `mainstay doctor` records to learn whether recording works here: this executable, started again to do each
/// thing that a recording can show, a few times over.
// mainstay:disable:next service_on_main - what a stall looks like has to happen on the main actor
enum DoctorProbe {
  /// The hidden subcommand.
  static let name = "doctor-probe"

  /// Runs on the main actor and exits with 0; ends by SIGALRM when something hangs.
  static func run() -> Never {
    alarm(20)
    Task { @MainActor in
      for _ in 0..<3 {
        await act()
        useProcessor(milliseconds: 60)
        await Task.yield()
        // mainstay:disable:next main_actor_blocking - a stall, for the recorder to find
        usleep(60_000)
        await Task.yield()
      }
      exit(0)
    }
    dispatchMain()
  }

  private actor Other {
    private var count = 0
    func visit() { count += 1 }
  }

  @MainActor
  private static func act() async {
    let other = Other()
    await other.visit()
    // From the pool onto an actor that nobody holds: the runtime goes there without an enqueue.
    await Task.detached { await other.visit() }.value
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { continuation.resume() }
    }
    let sleeper = Task.detached { try? await Task.sleep(for: .seconds(10)) }
    sleeper.cancel()
    await sleeper.value
    // mainstay:disable:next main_queue_in_async - a block of the main queue, for the recorder to find
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }

  private static func useProcessor(milliseconds: Int) {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < end {}
  }
}
